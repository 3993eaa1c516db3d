// What noise says of contacts is taken out of a measured state before its first step.
//
// A row gap / h turns 1 um of noise into 0.9 N per kg at 1 ms, whatever compliance the contact has. But where
// the last certified answer left a row closed, gap and speed of that row are known: they are zero unless the
// measurement contradicts it by more than its noise. So such rows are held. Their readings say nothing of the
// force; they are taken out by the least motion of bodies and joints that the sensors may be off
// (projection.hpp), and the step begins where nothing is left of them. What is left to ask of each row is
// whether it is still closed, and that is a test:
//
//   speeds     |s| of this tick, and of its means over 10 and 100 ticks, against kGate standard deviations. A
//              normal row is released by itself, the tangents of a pair together, a joint that stuck by
//              itself
//   gaps       one-sided, against their noise and the tolerance of the geometry beside a slow mean of what
//              the row has read: position alone cannot release within the tolerance
//
// What is released by a test is an event: the state contradicts what the step believed. Where the load was
// not told, that is earlier than any mode the step predicts.
//
// A row that was not closed is taken for closed if gap and speed are within the noise in two ticks that
// follow each other. Else its gap is believed where it is open; within the noise of a gap below zero it is
// zero.
//
// Noise is measured, too, from successive differences, which see neither ramps nor a bias, and its
// correlation from the means: where either is larger than stated, the tests grow with it.
//
// Held, a contact's force is statics of the loads that were told: the measurement knows nothing of another
// load below break-away.
//
//     static stepper::Sensing<float, 3, kSize> sensing;
//     if (const Error error = sensing.configure({.position = 1e-5F, ...})) ...
//     world.state = measured;                                    // each tick
//     const auto report = step(world.model, world.state, workspace, clock, sensing);
//     if (sensing.event(contact) != GateEvent::none) ...
//
// Cost: projection.hpp's, twice, and about 150 operations a row. Memory: five motions of all bodies and
// joints, two numbers for each slot. A step that fails leaves the state as it was measured.
#pragma once

#include "tactus/stepper/gates.hpp"

namespace tactus::stepper {

// In place of a Sensing: the state is exact.
struct Exact {
  static constexpr bool kHolds = false;
};
inline constexpr Exact kExact{};

// kGivesBack: a step that fails leaves the state as it was measured. Who steps a copy, which is then thrown
// away, needs no memory for that.
template <class Scalar, int Dim, Capacity C, bool kGivesBack = true>
class Sensing : public detail::Gates<Scalar, Dim, C> {
 public:
  static constexpr bool kHolds = C.has_rows();
  using Model = stepper::Model<Scalar, Dim, C>;
  using State = stepper::State<Scalar, Dim, C>;
  using Placed = stepper::Placed<Scalar, Dim, C>;
  using Found = stepper::Found<Scalar, Dim, C>;

  // Begins anew, with nothing held.
  Error configure(const Uncertainty<Scalar>& u) {
    if (const Error error = check(u)) return error;
    *this = {};
    is_ = u;
    return {};
  }
  // Nothing is known of the last tick, as after a jump of the state.
  void forget() {
    const auto u = is_;
    *this = {};
    is_ = u;
  }

  // In one row or more, of the last state that was taken.
  bool held(int contact) const { return held_[at(contact)]; }

  // For step(). It begins;
  void begin() { taken_ = false; }
  // a gap may be off by this, m;
  Scalar margin(const Model& m, const Placed& placed) const {
    if (!is_.any()) return 0;
    Scalar radius = 0, reach = 0;
    for (int i = 0; i < m.bodies; ++i) radius = math::larger(radius, m.radius[at(i)]);
    if constexpr (C.arm_joints > 0)
      for (int j = 0; j < m.arm.links.joints; ++j)
        for (int k = 0; k < 3; ++k) reach += math::magnitude(placed.arm.pose.frame[at(j)].position[k]);
    const Scalar sum = is_.position + is_.angle * radius + is_.joint * (reach + radius);
    return kGate * std::sqrt(noise_x_.square) * sum + is_.geometry;
  }
  // between find and the rows: the state is moved to where it is most likely, and with it what place and find
  // have made of it. False if the clock has ended it. scratch: kDirections^2 scalars;
  template <Clock Time>
  [[nodiscard]] bool take(const Model& m, State& state, Placed& placed, Found& found, Scalar* scratch,
                          Time& clock) {
    if (!is_.any()) return true;
    taken_ = true;
    keep_measured(m, state);
    held_ = {};
    this->begin_tests();
    Taken speeds, places;
    for (int i = 0; i < found.islands; ++i) {
      const Group group(found, found.island[at(i)]);
      Projection by(m, placed, group, scratch);
      if (!clock.go_on(Piece::hold, by.directions(), group.elements)) return false;
      for (int k = 0; k < group.elements; ++k) this->test(m, state, placed, by, found, group.index(k));
      this->test_joints(m, state, by);
      hold_speeds(m, state, placed, group, by, speeds);
      hold_gaps(m, state, placed, group, by, places);
      believe_gaps(m, group, by, places, found);
      move_to(m, state, placed, group, by, speeds, places);
    }
    this->end_tests(m, speeds, places);
    return true;
  }
  // after a step that failed;
  void give_back(const Model& m, State& state) const {
    if constexpr (kGivesBack) {
      if (!taken_) return;
      for (std::size_t i = 0; i < at(m.bodies); ++i) {
        state.pose[i] = measured_.pose[i];
        state.velocity[i] = measured_.velocity[i];
      }
      if constexpr (C.arm_joints > 0) {
        for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) {
          state.arm.q[j] = measured_.q[j];
          state.arm.qd[j] = measured_.qd[j];
        }
      }
    }
  }
  // after a certified one: what its answer has left closed is held in the next.
  template <class Answer>
  void keep(const Model& m, const Found& found, const Answer& answer, const State& next) {
    if (taken_) this->remember_closed(m, found, answer, next);
  }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  using Base = detail::Gates<Scalar, Dim, C>;
  using Group = detail::Group<Scalar, Dim, C>;
  using Base::gap_of;
  using Base::is_;
  using Base::is_held;
  using Base::joint_holds;
  using Base::joint_mode_;
  using Base::kAcquired;
  using Base::kGate;
  using Base::noise_x_;
  using Base::read;
  using typename Base::Motion;
  using typename Base::Projection;
  using typename Base::Reading;
  using typename Base::Taken;
  template <class T, int N>
  using Array = detail::Array<T, N>;

  struct Measured {
    Array<dynamics::Pose<Scalar, Dim>, C.bodies> pose;
    Array<Motion, C.bodies> velocity;
    dynamics::JointVector<Scalar, C.arm_joints> q, qd;
  };

  void keep_measured(const Model& m, const State& state) {
    if constexpr (kGivesBack) {
      for (std::size_t i = 0; i < at(m.bodies); ++i) {
        measured_.pose[i] = state.pose[i];
        measured_.velocity[i] = state.velocity[i];
      }
      if constexpr (C.arm_joints > 0) {
        measured_.q = state.arm.q;
        measured_.qd = state.arm.qd;
      }
    }
  }

  // f(row, bodies, error) for the bilateral joints of an island, which are closed whatever is read.
  template <class F>
  static void each_joint_row(const Model& m, const State& state, const Placed& placed, const Group& group,
                             const F& f) {
    if constexpr (C.joints > 0) {
      for (int i = 0; i < m.joints; ++i) {
        const auto& joint = m.joint[at(i)];
        const auto [a, b] = joint.bodies;
        if (!group.has(a) && !group.has(b)) continue;
        dynamics::Row<Scalar, Dim> row[dynamics::kJointRows<Dim>];
        Scalar error[dynamics::kJointRows<Dim>];
        const int count = dynamics::write_rows(joint, state.pose[a], state.pose[b], placed.body[a],
                                               placed.body[b], row, error);
        for (int k = 0; k < count; ++k) f(row[k], joint.bodies, error[k]);
      }
    }
  }

  // Takes out of the speeds what the held rows read.
  void hold_speeds(const Model& m, State& state, Placed& placed, const Group& group, Projection& by,
                   Taken& taken) {
    by.begin(this->speeds());
    each_joint_row(m, state, placed, group, [&](const auto& row, dynamics::Pair bodies, Scalar) {
      by.hold(row, bodies,
              dynamics::speed<Scalar, Dim>(row, state.velocity[bodies.a], state.velocity[bodies.b]));
    });
    for (int i = 0; i < group.elements; ++i) {
      const auto& e = group[i];
      if (!is_held(e) || !Base::is_rigid(m, e)) continue;
      const Reading reads = read(m, state, placed, e);
      for (int k = 0; k < (this->sticks(e) ? Dim : 1); ++k) by.hold(e, k, reads[k]);
    }
    if constexpr (C.arm_joints > 0)
      for (int j = 0; j < m.arm.links.joints; ++j)
        if (by.has_joint(j) && joint_holds(j)) by.hold(j, state.arm.qd[at(j)]);
    by.solve();
    for (int i = 0; i < m.bodies; ++i) {
      if (!by.moves(i)) continue;
      const Motion change = taken.body[at(i)] = by.of_body(i);
      state.velocity[at(i)].linear += change.linear;
      state.velocity[at(i)].angular += change.angular;
    }
    if constexpr (C.arm_joints > 0) {
      for (int j = 0; j < m.arm.links.joints; ++j) {
        if (!by.has_joint(j)) continue;
        const Scalar change = taken.joint[at(j)] = by.of_joint(j);
        state.arm.qd[at(j)] += change;
        placed.arm.speed[at(j)] += change;
      }
    }
    carry(m, placed, group, taken);
  }

  // What links carry moves with them.
  static void carry(const Model& m, const Placed& placed, const Group& group, Taken& taken) {
    if constexpr (C.arm_joints > 0)
      detail::each_carried(m, [&](std::size_t i, const Mount<Scalar>& mount) {
        if (group.has(static_cast<int>(i)))
          taken.body[i] = detail::carried_velocity(m, placed, taken.joint, i, mount.link);
      });
  }

  // The same of places.
  void hold_gaps(const Model& m, const State& state, const Placed& placed, const Group& group, Projection& by,
                 Taken& taken) {
    by.begin(this->places());
    each_joint_row(m, state, placed, group, [&](const auto& row, dynamics::Pair bodies, Scalar error) {
      by.hold(row, bodies, error);
    });
    for (int i = 0; i < group.elements; ++i) {
      const auto& e = group[i];
      if (!is_held(e)) continue;
      held_[e.contact] = true;
      const Scalar gap = gap_of(m, group.found, group.index(i));
      by.hold(e, 0, gap);
      this->learn_datum(e, gap);
    }
    if constexpr (C.arm_joints > 0)
      for (int j = 0; j < m.arm.links.joints; ++j)
        if (by.has_joint(j) && joint_holds(j) && joint_mode_[at(j)] != JointMode::sticks)
          by.hold(j, beyond_stop(m, state, j));
    by.solve();
    for (int i = 0; i < m.bodies; ++i)
      if (by.moves(i)) taken.body[at(i)] = by.of_body(i);
    if constexpr (C.arm_joints > 0)
      for (int j = 0; j < m.arm.links.joints; ++j)
        if (by.has_joint(j)) taken.joint[at(j)] = by.of_joint(j);
    carry(m, placed, group, taken);
  }

  // What is held is closed; other gaps are those of the state without what was taken out.
  void believe_gaps(const Model& m, const Group& group, const Projection& by, const Taken& taken,
                    Found& found) const {
    for (int i = 0; i < group.elements; ++i) {
      const std::size_t n = group.index(i);
      auto& e = found.element[n];
      const Scalar gap = gap_of(m, found, n);
      const Scalar left = is_held(e) ? Scalar(0) : believed(gap + read(taken, e)[0], by, e);
      e.gap += left - gap;
      if (m.normal_rule() == NormalRule::gap) found.offset[n * Dim] += (left - gap) / m.h;
    }
  }

  // Within noise below zero a gap is none.
  Scalar believed(Scalar gap, const Projection& by, const Element<Scalar, Dim>& e) const {
    if (!(gap < 0)) return gap;
    const Scalar noise =
        kAcquired * std::sqrt(noise_x_.square * by.variance(this->places(), e)) + is_.geometry;
    return gap < -noise ? gap + noise : Scalar(0);
  }

  Scalar beyond_stop(const Model& m, const State& state, int j) const {
    if constexpr (C.arm_joints > 0) {
      const auto& link = m.arm.links.link[at(j)];
      return state.arm.q[at(j)] - (joint_mode_[at(j)] == JointMode::at_lower ? link.lower : link.upper);
    }
    return 0;
  }

  // The state without what was taken out, and what place has made of it.
  static void move_to(const Model& m, State& state, Placed& placed, const Group& group, const Projection& by,
                      const Taken& speeds, const Taken& places) {
    for (int i = 0; i < m.bodies; ++i) {
      if (!by.moves(i)) continue;
      state.pose[at(i)] = dynamics::displaced(state.pose[at(i)], places.body[at(i)]);
      detail::place_body(m, state, i, placed);
    }
    if constexpr (C.arm_joints > 0) {
      for (int j = 0; j < m.arm.links.joints; ++j)
        if (by.has_joint(j)) state.arm.q[at(j)] += places.joint[at(j)];
      detail::each_carried(m, [&](std::size_t i, const Mount<Scalar>&) {
        if (!group.has(static_cast<int>(i))) return;
        for (Motion* const v : {&placed.arm.before[i], &placed.body[i].velocity}) {
          v->linear += speeds.body[i].linear;
          v->angular += speeds.body[i].angular;
        }
      });
    }
  }

  bool taken_ = false;
  Array<bool, C.contacts> held_{};
  [[no_unique_address]] std::conditional_t<kGivesBack, Measured, std::tuple<>> measured_;
};

}  // namespace tactus::stepper
