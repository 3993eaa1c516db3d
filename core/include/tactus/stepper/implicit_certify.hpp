// certify and report of the implicit law. Its rows are evaluated where the step ends, and are shares already:
// places of the unit of length, speeds and forces of the pace of the step. Momentum is measured as under
// every law (certify.hpp), and was within the pace, too, where newton() ended. Part of implicit.hpp.
#pragma once

#include "tactus/stepper/implicit_system.hpp"

namespace tactus::stepper::detail::implicit {

template <class Scalar, int Dim, Capacity C>
inline void report_contact(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws, int i,
                           const ContactEquations<Scalar, Dim, C.pieces>& eq,
                           StepReport<Scalar, Dim, C>& report) {
  const auto& closest = ws.next.state.implicit.closest[at(i)];
  const auto& lambda = ws.next.state.implicit.lambda[at(i)];
  const auto& friction = eq.friction();
  auto& r = report.contact[at(i)];
  r.elements = 1;
  r.mode = eq.mode();
  r.normal = eq.axis(0);
  r.tangent = eq.axis(1);
  r.point = closest.b;
  r.gap = math::dot(r.normal, math::Vector<Scalar, Dim>(closest.b - closest.a));
  r.force[0] = lambda.n;
  for (int k = 1; k < Dim; ++k) r.force[k] = friction.axis[k - 1] * lambda.y[k - 1];
  if constexpr (Dim == 3) r.torsion = friction.axis[2] * lambda.y[2];
  const auto size = [](const auto& x) {
    return std::sqrt(math::fused_dot<Scalar, contact::kFrictionAxes<Dim>>(x, x));
  };
  if (r.mode == contact::Mode::open) r.margin = r.gap / m.h;
  if (r.mode == contact::Mode::slip) r.margin = size(eq.speed());
  if (r.mode == contact::Mode::stick)
    r.margin = math::larger(friction.mu * lambda.n - size(lambda.y), Scalar(0));
  ++report.elements;
}

// What a contact gives its two bodies.
template <class Scalar, int Dim, Capacity C>
inline void give(const Model<Scalar, Dim, C>& m, dynamics::Pair pair, const Wrench<Scalar, Dim>& w,
                 Next<Scalar, Dim, C>& next) {
  const std::uint8_t body[2] = {pair.a, pair.b};
  for (std::size_t side = 0; side < 2; ++side) {
    if (m.implicit.column[body[side]] < 0) continue;
    const Scalar h = side == 0 ? -m.h : m.h;
    next.impulse[body[side]].linear += h * w.force;
    next.impulse[body[side]].angular += h * w.moment[side];
  }
}

template <class Scalar, int Dim, Capacity C>
inline Residual<Scalar> certify(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                Workspace<Scalar, Dim, C>& ws, StepReport<Scalar, Dim, C>& report) {
  Largest<Scalar> off;
  Array<Scalar, C.bodies> press{};
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.implicit.near[at(i)]) continue;
    const auto pair = m.contact[at(i)].bodies;
    const auto eq = equations(m, ws, i);
    report_contact(m, ws, i, eq, report);
    const auto& closest = ws.next.state.implicit.closest[at(i)];
    Scalar row[4 * Dim + 1], law[1 + contact::kFrictionAxes<Dim>];
    eq.residual(row, law);
    see_contact<Dim>(off, row, closest.unknowns(), law);
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t k = 0; k < closest.active[s]; ++k)
        if (!(closest.weight[s][k] >= 0)) see(off.places, closest.weight[s][k]);
    give(m, pair, eq.wrench(), ws.next);
    for (int k = 0; k < Dim; ++k) {
      const Scalar p = m.h * math::magnitude(report.contact[at(i)].force[k]);
      press[pair.a] += p;
      press[pair.b] += p;
    }
  }
  Residual<Scalar> out;
  out.add_law(kLaw<Scalar> / kPlaces<Scalar> * off.places, 1, 0);
  out.add_law(off.motion, ws.implicit.pace, 0);
  const Scalar speed = ws.implicit.pace * m.implicit.length / m.h;
  each_moving(m, [&](std::size_t i, int) {
    add_body(m, state, ws.placed, ws.estimate, ws.next, static_cast<int>(i), speed, press[i], out);
  });
  return out;
}

}  // namespace tactus::stepper::detail::implicit
