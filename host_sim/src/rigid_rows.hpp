// A scene as a world of rigid contacts, and the rows that core makes of it: A, and b at its loads, at its
// velocities alone, where it will have moved on, and at rest. scene_instant.cpp puts them together.
#pragma once

#include <Eigen/Dense>
#include <map>

#include "core_world.hpp"
#include "scene_reader.hpp"

namespace tactus::host {

[[noreturn]] inline void lacks(const Scene& scene, const std::string& what) {
  throw Unsupported(fmt::format("{}: {}", scene.file, what));
}

// The rows of all islands, in the units of a step: s = A lambda + b, forces and speeds.
struct RowsAt {
  struct Element {
    std::size_t contact = 0;
    int slot = 0, row = 0;
    double gap = 0, mu = 0;
  };
  // A row that no contact has. Those of arms give way: friction is what they hold at most, N m or N.
  struct Plain {
    int row = 0, joint = -1;      // of arms; -1: of bodies
    double friction = 0;          // infinite: it holds
    double lower = 0, upper = 0;  // how far its stops are, rad or m
    bool holds() const { return !(friction < HUGE_VAL); }
  };
  std::map<int, Element> element;  // by slot
  std::map<int, Plain> plain;      // by the same number at every time
  Eigen::MatrixXd A;
  Eigen::VectorXd b, offset;  // offset: what stands beside W v in rows of contacts

  // x, one number a row of these, in the rows of `want`; no number where these have no such row.
  Eigen::VectorXd in(const RowsAt& want, const Eigen::VectorXd& x, int dim) const {
    Eigen::VectorXd out = Eigen::VectorXd::Constant(want.b.size(), std::nan(""));
    for (const auto& [slot, e] : want.element)
      if (const auto same = element.find(slot); same != element.end())
        out.segment(e.row, dim) = x.segment(same->second.row, dim);
    for (const auto& [key, one] : want.plain)
      if (const auto same = plain.find(key); same != plain.end()) out[one.row] = x[same->second.row];
    return out;
  }

  // Behind what is there already.
  void grow(Eigen::Index n) {
    const Eigen::Index before = b.size();
    A.conservativeResizeLike(Eigen::MatrixXd::Zero(before + n, before + n));
    b.conservativeResizeLike(Eigen::VectorXd::Zero(before + n));
    offset.conservativeResizeLike(Eigen::VectorXd::Zero(before + n));
  }
};

template <int Dim, stepper::Capacity C>
class RigidWorld {
 public:
  using State = stepper::State<double, Dim, C>;

  // `time`: of its forces. Impedances pull within a step.
  RigidWorld(const Scene& scene, double time) : scene_(scene) {
    build_world(scene, world_);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const Forcing& force = scene.bodies[i].force;
      if (force.rows.empty()) continue;
      world_.state.force[i] = core_motion<double, Dim>([&](std::size_t k) { return force.at(time, k); });
    }
    if constexpr (C.arm_joints > 0) drive_arms(scene, time, scene.step, world_);
    gravity_ = world_.model.gravity;
  }

  double h() const { return world_.model.h; }
  int first_slot(std::size_t contact) const { return world_.model.contact[contact].first_slot; }

  // Those of the step that begins here.
  RowsAt as_stepped() { return rows(world_.state, 0); }

  // With loads and velocities: W (v + h M^-1 f) and what stands beside it; the load of gyroscopic torques,
  // which a step leaves to its drift, is added.
  RowsAt loaded() {
    State state = world_.state;
    if constexpr (Dim == 3)
      for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
        if (!scene_.moving(i)) continue;
        const auto I = core_inertia<double, 3>(scene_.bodies[i].inertia);
        const auto& p = state.pose[i];
        const Eigen::Matrix3d R = Eigen::Quaterniond(p.w, p.x, p.y, p.z).toRotationMatrix();
        const Eigen::Vector3d w = state.velocity[i].angular;
        Eigen::Matrix3d body;
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) body(r, c) = I(r, c);
        state.force[i].angular -= w.cross(R * body * R.transpose() * w);
      }
    return rows(state, kAround);
  }

  // W v where everything has moved on by `later` with its velocity.
  RowsAt moved(double later) {
    State state = world_.state;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      state.force[i] = {};
      if (scene_.moving(i)) advance(state.pose[i], state.velocity[i], later);
    }
    if constexpr (C.arm_joints > 0)
      for (std::size_t j = 0; j < state.arm.q.size(); ++j) {
        state.arm.q[j] += later * state.arm.qd[j];
        state.arm.torque[j] = 0;
      }
    State still = state;
    stop(still);
    world_.model.gravity.setZero();
    RowsAt out = rows(state, kAround);
    out.b -= beside(still, out);
    // What acts in arms through h alone, products of their speeds, is linear in it.
    if (!scene_.arms.empty()) {
      world_.model.h /= 2;
      const RowsAt half = rows(state, kAround);
      out.b = 2 * half.in(out, half.b - beside(still, half), Dim) - out.b;
      world_.model.h *= 2;
    }
    world_.model.gravity = gravity_;
    return out;
  }

  RowsAt at_rest() {
    State still = world_.state;
    stop(still);
    for (auto& f : still.force) f = {};
    if constexpr (C.arm_joints > 0) still.arm.torque = {};
    world_.model.gravity.setZero();
    const RowsAt out = rows(still, kAround);
    world_.model.gravity = gravity_;
    return out;
  }

 private:
  static constexpr int kJoints = 1 << 20, kMotors = 1 << 21;  // keys of RowsAt::plain from there on
  static constexpr double kAround = 1e-4;  // m: what is nearer has rows, so that they are there when it moved

  RowsAt rows(const State& state, double margin) {
    using namespace stepper::detail;
    auto& m = world_.model;
    RowsAt out;
    if (!place(m, state, ws_.placed)) lacks(scene_, "a pose is not finite");
    find(m, state, ws_.placed, ws_.estimate, margin, ws_.found);
    if (!ws_.found.good || ws_.found.overflow)
      lacks(scene_, "more points could touch than this build has room for");
    find_islands(m, ws_.found);
    for (int i = 0; i < ws_.found.islands; ++i) {
      const Group<double, Dim, C> group(ws_.found, ws_.found.island[at(i)]);
      couple(m, state, ws_.placed, ws_.estimate, group, ws_.rows);
      append(group, out);
    }
    return out;
  }

  // What stands beside W v: in rows of joints that is b of the same rows at rest.
  Eigen::VectorXd beside(const State& still, const RowsAt& like) {
    Eigen::VectorXd out = like.offset;
    if (like.plain.empty()) return out;
    const RowsAt rest = rows(still, kAround);
    const Eigen::VectorXd b = rest.in(like, rest.b, Dim);
    for (const auto& [key, plain] : like.plain) out[plain.row] = b[plain.row];
    return out;
  }

  static void stop(State& state) {
    for (auto& v : state.velocity) v = {};
    if constexpr (C.arm_joints > 0) state.arm.qd = {};
  }

  static void advance(dynamics::Pose<double, Dim>& pose, const dynamics::Motion<double, Dim>& v, double t) {
    if constexpr (Dim == 2) {
      pose.x += t * v.linear[0];
      pose.y += t * v.linear[1];
      pose.angle += t * v.angular[0];
    } else {
      for (int k = 0; k < 3; ++k) pose.position[k] += t * v.linear[k];
      const Eigen::Vector3d turn(t * v.angular[0], t * v.angular[1], t * v.angular[2]);
      const Eigen::Quaterniond q = Eigen::AngleAxisd(turn.norm(), turn.stableNormalized()) *
                                   Eigen::Quaterniond(pose.w, pose.x, pose.y, pose.z);
      pose.w = q.w(), pose.x = q.x(), pose.y = q.y(), pose.z = q.z();
    }
  }

  template <class Group>
  void append(const Group& group, RowsAt& out) {
    const auto& rows = ws_.rows;
    const auto before = static_cast<int>(out.b.size());
    const auto n = static_cast<Eigen::Index>(rows.all);
    out.grow(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      out.b[before + i] = rows.b[static_cast<std::size_t>(i)];
      for (Eigen::Index j = 0; j < n; ++j)
        out.A(before + i, before + j) = rows.A[static_cast<std::size_t>(i * n + j)];
    }
    for (int r = 0; r < rows.plain; ++r) {
      const auto& law = rows.staircase[static_cast<std::size_t>(r)];
      int joint = -1;
      if constexpr (C.arm_joints > 0)
        if (r >= rows.bilateral && law.friction < law.kNever)
          stepper::detail::each_entry(world_.model, ws_.placed, rows, r, [&](int j, double) { joint = j; });
      const bool motor = joint >= 0 && r >= rows.first_servo();
      const int key = joint < 0 ? group.root * 1024 + r : (motor ? kMotors : kJoints) + joint;
      out.plain[key] = {before + r, joint, law.friction, law.lower * h(), law.upper * h()};
    }
    for (int k = 0; k < group.elements; ++k) {
      const auto& e = group[k];
      const int row = before + rows.plain + k * Dim;
      out.element[e.slot] = {e.contact, e.slot, row, e.gap, group.mu(k)};
      for (int c = 0; c < Dim; ++c) out.offset[row + c] = group.offset(k)[c];
    }
  }

  const Scene& scene_;
  stepper::World<double, Dim, C> world_;
  stepper::Workspace<double, Dim, C> ws_;
  math::Vector<double, Dim> gravity_;
};

}  // namespace tactus::host
