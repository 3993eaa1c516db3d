// Song's ellipse for the case tests: compliant with three elements, or rigid.
#pragma once

#include <memory>

#include "reference.hpp"

namespace ellipse {

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;

inline constexpr Capacity kCompliant{
    .bodies = 2, .contacts = 1, .slots = 3, .active = 3, .patches = 1, .patch_elements = 3};
inline constexpr Capacity kRigid{.bodies = 2, .contacts = 1, .slots = 1, .active = 1};

struct Ellipse {
  double h = 1e-4, mu = 0.2, eps = 0, spacing = 1e-6, poisson = 0.3;
  NormalRule rule = NormalRule::gap;
  bool modes_first = true;
  int elements = 3;
  bool printed = true;  // the patch, too
  double y = 0.0974556066329262, angle = 1.3089969389957472, vy = 0;
};

template <class Scalar, Capacity C>
struct Run {
  World<Scalar, 2, C> world;
  Workspace<Scalar, 2, C> workspace;
  int elements = 1;

  explicit Run(const Ellipse& e) {
    Method method;
    method.normal = e.rule;
    method.modes_first = e.modes_first;
    method.pyramid = e.eps > 0 ? contact::Pyramid::box : contact::Pyramid::facets;
    reference::must(configure<Scalar, 2, C>(world, Scalar(e.h), {0, Scalar(-9.81)}, method));
    int index = 0;
    BodyDescription<Scalar, 2> ground;
    ground.shape = geometry::half_space<Scalar>(math::Vector2<Scalar>(0, 1), Scalar(0));
    reference::must(add_body(world, ground, index));
    BodyDescription<Scalar, 2> body;
    body.mass = Scalar(0.05);
    body.inertia(0, 0) = Scalar(1.5e-4);
    body.shape = geometry::ellipse<Scalar>(Scalar(0.1), Scalar(0.05));
    body.pose = {0, Scalar(e.y), Scalar(e.angle)};
    body.velocity.linear[1] = Scalar(e.vy);
    reference::must(add_body(world, body, index));
    contact::PatchLaw<Scalar> law;
    law.columns = static_cast<std::uint8_t>(e.elements);
    law.spacing = Scalar(e.spacing);
    law.compliance = Scalar(e.eps);
    law.poisson = Scalar(e.poisson);
    law.printed = e.printed;
    ContactDescription<Scalar, 2> contact;
    contact.b = 1;
    contact.friction.kinetic = Scalar(e.mu);
    contact.patch = e.eps > 0 ? &law : nullptr;
    elements = e.eps > 0 ? e.elements : 1;
    reference::must(add_contact(world, contact, index));
  }

  StepReport<Scalar, 2, C> step() {
    const auto report = stepper::step(world, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
    return report;
  }
  std::array<double, 3> q() const {
    const auto& p = world.state.pose[1];
    return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.angle)};
  }
  std::array<double, 3> v() const {
    const auto& m = world.state.velocity[1];
    return {static_cast<double>(m.linear[0]), static_cast<double>(m.linear[1]),
            static_cast<double>(m.angular[0])};
  }
  // Of all elements the normal ones, then the tangential ones, as the files list them; forces are zero for a
  // patch that is out of reach.
  std::vector<double> lambda() const { return listed(workspace.answer.lambda.data()); }
  std::vector<double> s() const { return listed(workspace.answer.s.data()); }
  std::vector<double> delta() const {
    std::vector<double> out;
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < static_cast<std::size_t>(elements); ++i)
        out.push_back(static_cast<double>(world.state.delta[i][k]));
    return out;
  }
  // 0 open, 1 stick, 2 slip with s_t > 0, 3 slip with s_t < 0, as the files name them.
  int mode(int i) const {
    const auto& o = workspace.answer.outcome[static_cast<std::size_t>(i)];
    if (o.mode != contact::Mode::slip) return static_cast<int>(o.mode);
    return workspace.answer.lambda[static_cast<std::size_t>(2 * i + 1)] < 0 ? 2 : 3;
  }

 private:
  std::vector<double> listed(const Scalar* rows) const {
    std::vector<double> out(static_cast<std::size_t>(2 * elements), 0.0);
    for (std::size_t i = 0; i < out.size() && workspace.found.elements > 0; ++i)
      out[i] = static_cast<double>(
          rows[(i % static_cast<std::size_t>(elements)) * 2 + i / static_cast<std::size_t>(elements)]);
    return out;
  }
};

// Of the ellipse alone: how high its centre is while it touches, H(theta), and its gap.
inline double height(double angle) {
  return std::hypot(0.1 * std::sin(angle), 0.05 * std::cos(angle));
}
inline double gap_of(const std::array<double, 3>& q) {
  return q[1] - height(q[2]);
}

// A motion, step by step.
struct Record {
  std::vector<std::array<double, 3>> q;
  std::vector<std::array<double, 2>> force;  // n, t, summed over the elements
  std::vector<std::array<int, 3>> modes;
};

template <Capacity C>
Record record(const Ellipse& e, int steps) {
  const auto run = std::make_unique<Run<double, C>>(e);
  Record out;
  for (int k = 0; k < steps; ++k) {
    const auto report = run->step();
    out.q.push_back(run->q());
    out.force.push_back({report.contact[0].force[0], report.contact[0].force[1]});
    out.modes.push_back({});
    for (int i = 0; i < run->elements; ++i) out.modes.back()[static_cast<std::size_t>(i)] = run->mode(i);
  }
  return out;
}

}  // namespace ellipse
