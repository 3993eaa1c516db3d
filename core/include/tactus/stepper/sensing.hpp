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
//   the
//              row has read: position alone cannot release within the tolerance
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
//     if (sensing.event(contact) != Event::none) ...
//
// Cost: projection.hpp's, twice, and about 150 operations a row. Memory: five numbers for each direction in
// which the world moves, two for each slot. A step that fails leaves the state as it was measured.
#pragma once

#include "tactus/stepper/projection.hpp"
#include "tactus/stepper/uncertainty.hpp"

namespace tactus::stepper {

// A measurement that contradicts what the last answer left closed; the first that holds is said.
enum class Event : std::uint8_t { none, leaves, slips };

// In place of a Sensing: the state is exact.
struct Exact {
  static constexpr bool kHolds = false;
};
inline constexpr Exact kExact{};

template <class Scalar, int Dim, Capacity C>
class Sensing {
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
  const Uncertainty<Scalar>& uncertainty() const { return is_; }

  // Of the last state that was taken.
  Event event(int contact) const { return event_[at(contact)]; }
  bool joint_moves(int joint) const { return joint_event_[at(joint)]; }  // though it stuck
  bool held(int contact) const { return held_[at(contact)]; }            // in one row or more
  Scalar noise() const { return std::sqrt(noise_v_.square); }  // of speeds, as a multiple of the stated

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
  // between find and the rows: the state is moved to where it is most likely, and with it what
  // place and find have made of it.
  void take(const Model& m, State& state, Placed& placed, Found& found, Scalar* scratch) {
    if (!is_.any()) return;
    taken_ = true;
    keep_measured(m, state);
    event_ = {};
    joint_event_ = {};
    held_ = {};
    for (int i = 0; i < found.islands; ++i) {
      const Group group(found, found.island[at(i)]);
      Projection by(m, placed, group, scratch);
      for (int k = 0; k < group.elements; ++k) test(m, state, placed, by, group[k]);
      test_joints(m, state, by);
      hold_speeds(m, state, placed, group, by);
      hold_gaps(m, state, placed, group, by, found);
      move_to(m, state, placed, group, by);
    }
    add_to_means(m);
    for (Noise* const noise : {&noise_v_, &noise_x_, &noise_of_mean_[0], &noise_of_mean_[1]}) noise->learn();
    began_ = true;
  }

  // after a step that failed;
  void give_back(const Model& m, State& state) const {
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

  // after a certified one: what its answer has left closed is held in the next.
  template <class Answer>
  void keep(const Model& m, const Found& found, const Answer& answer, const State& next) {
    if (!taken_) return;
    for (std::size_t s = 0; s < at(m.slots); ++s) memory_[s] &= kNear | kNormal;
    for (int i = 0; i < found.elements; ++i) {
      const auto mode = answer.outcome[at(i)].mode;
      auto& memory = memory_[found.element[at(i)].slot];
      if (mode != contact::Mode::open) memory |= kClosed;
      if (mode == contact::Mode::stick) memory |= kStuck;
    }
    if constexpr (C.arm_joints > 0) joint_mode_ = next.arm.mode;
  }

 private:
  static constexpr auto at = [](auto i) { return static_cast<std::size_t>(i); };
  using Group = detail::Group<Scalar, Dim, C>;
  using Projection = detail::Projection<Scalar, Dim, C>;
  using Element = stepper::Element<Scalar, Dim>;
  using Motion = dynamics::Motion<Scalar, Dim>;
  using Reading = math::Vector<Scalar, Dim>;
  template <class T, int N>
  using Array = detail::Array<T, N>;

  // Of a slot: closed and stuck in the last answer; near at the last tick; its normal row and its tangents
  // held in this one.
  enum Memory : std::uint8_t { kClosed = 1, kStuck = 2, kNear = 4, kNormal = 8, kTangents = 16 };

  // One false event in 10^6 ticks for a body with six directions, whatever the number of rows.
  static constexpr Scalar kGate = Scalar(5.3), kAcquired = Scalar(3);
  // Gains of the means over 10 and 100 ticks, and the variance of a mean as a share of that of one reading.
  static constexpr int kMeans = 2;
  static constexpr Scalar kGain[] = {Scalar(0.18), Scalar(0.02)};
  static constexpr Scalar kShare[] = {Scalar(0.18 / 1.82), Scalar(0.02 / 1.98)};

  // The square of how much larger noise is than stated, from differences of successive readings.
  struct Noise {
    Scalar square = 1, sum = 0;
    int count = 0;

    void see(Scalar reads, Scalar variance) {
      if (!(variance > 0)) return;
      sum += reads * reads / variance;
      ++count;
    }
    void learn() {
      constexpr Scalar kGainOfNoise = Scalar(0.01), kClip = 16;
      if (count > 0) {
        const Scalar now = sum / static_cast<Scalar>(count), most = kClip * square;
        square += kGainOfNoise * ((now < most ? now : most) - square);
        if (!(square > 1)) square = 1;
      }
      sum = 0;
      count = 0;
    }
  };

  // A motion of all bodies and joints: what was taken out.
  struct Taken {
    Array<Motion, C.bodies> body{};
    dynamics::JointVector<Scalar, C.arm_joints> joint{};
  };
  struct Measured {
    Array<dynamics::Pose<Scalar, Dim>, C.bodies> pose;
    Array<Motion, C.bodies> velocity;
    dynamics::JointVector<Scalar, C.arm_joints> q, qd;
  };

  detail::Spread<Scalar> speeds() const { return {is_.velocity, is_.angular_velocity, is_.joint_velocity}; }
  detail::Spread<Scalar> places() const { return {is_.position, is_.angle, is_.joint}; }
  static bool is_rigid(const Model& m, const Element& e) { return detail::is_exact<C>(m.contact[e.contact]); }

  void keep_measured(const Model& m, const State& state) {
    for (std::size_t i = 0; i < at(m.bodies); ++i) {
      measured_.pose[i] = state.pose[i];
      measured_.velocity[i] = state.velocity[i];
    }
    if constexpr (C.arm_joints > 0) {
      measured_.q = state.arm.q;
      measured_.qd = state.arm.qd;
    }
  }

  static Reading read(const Element& e, const Motion& a, const Motion& b) {
    return dynamics::in_frame(e.frame, dynamics::relative_velocity(e.frame, a, b));
  }
  static Reading read(const Model& m, const State& state, const Placed& placed, const Element& e) {
    return read(e, detail::velocity_before(m, state, placed, e.bodies.a),
                detail::velocity_before(m, state, placed, e.bodies.b));
  }
  static Reading read(const Taken& of, const Element& e) {
    return read(e, of.body[e.bodies.a], of.body[e.bodies.b]);
  }

  // A point's arms turn only at the end of a step: so much speed may one read that stays closed, m/s.
  static Scalar turning(const Model& m, const State& state, const Placed& placed, dynamics::Pair bodies) {
    Scalar sum = 0;
    for (const std::uint8_t body : {bodies.a, bodies.b}) {
      const auto& omega = detail::velocity_before(m, state, placed, body).angular;
      sum = math::multiply_add(math::fused_dot<Scalar, Projection::kSpin>(omega, omega), m.radius[body], sum);
    }
    return m.h * sum;
  }

  // The gap that is to be zero where an element is closed.
  static Scalar gap_of(const State& state, const Element& e) {
    if constexpr (kDeforms<C>) return e.gap + state.delta[e.slot][0];
    return e.gap;
  }

  // |x| > sigmas sqrt(variance) + allowed
  static bool beyond(Scalar x, Scalar sigmas, Scalar variance, Scalar allowed) {
    const Scalar over = math::magnitude(x) - allowed;
    return over > 0 && over * over > sigmas * sigmas * variance;
  }
  // What a row reads now, and what it has read in the mean, the opposite of what was taken out.
  bool contradicts(Scalar reads, const Reading* means, int k, Scalar variance, Scalar allowed) const {
    bool off = beyond(reads, kGate, variance, allowed);
    for (int i = 0; i < kMeans; ++i)
      off = off || beyond(means[i][k], kGate, noise_of_mean_[i].square * kShare[i] * variance, allowed);
    return off;
  }

  // Of successive readings that are independent the difference has twice the variance; what their means have
  // more than their share is correlation.
  void see_speed(Scalar difference, const Reading* means, Scalar variance) {
    noise_v_.see(difference, 2 * variance / noise_v_.square);
    for (int i = 0; i < kMeans; ++i) noise_of_mean_[i].see(means[i][0], kShare[i] * variance);
  }

  // Which rows of an element are held.
  void test(const Model& m, const State& state, const Placed& placed, const Projection& by,
            const Element& e) {
    auto& memory = memory_[e.slot];
    const bool was_held = (memory & kNormal) != 0, closed = (memory & kClosed) != 0;
    const bool stuck = (memory & kStuck) != 0, rigid = is_rigid(m, e);
    const Scalar turn = turning(m, state, placed, e.bodies), gap = gap_of(state, e);
    const Reading reads = read(m, state, placed, e);
    const Reading means[kMeans] = {read(mean_[0], e), read(mean_[1], e)};
    const Scalar noise_v = noise_v_.square * by.variance(speeds(), e);
    const Scalar noise_x = noise_x_.square * by.variance(places(), e);
    const Scalar slack = is_.geometry + m.h * turn;
    bool holds = closed, sticks = closed && stuck && rigid;
    if (closed) {
      holds = !(rigid && contradicts(reads[0], means, 0, noise_v, turn)) &&
              !(gap > datum_[e.slot] && beyond(gap - datum_[e.slot], kGate, noise_x, slack));
      if (!holds) event_[e.contact] = Event::leaves;
    } else {
      const bool near =
          rigid && !beyond(gap, kAcquired, noise_x, slack) && !beyond(reads[0], kAcquired, noise_v, turn);
      sticks = holds = near && (!began_ || (memory & kNear) != 0);
      memory = static_cast<std::uint8_t>(near ? memory | kNear : memory & ~kNear);
    }
    for (int k = 1; k < Dim && sticks && holds; ++k) {
      const bool slips =
          stuck ? contradicts(reads[k], means, k, noise_v, turn) : beyond(reads[k], kAcquired, noise_v, turn);
      if (slips && stuck && event_[e.contact] == Event::none) event_[e.contact] = Event::slips;
      sticks = sticks && !slips;
    }
    if (holds && was_held) {
      if (rigid) see_speed(reads[0] + read(last_v_, e)[0], means, noise_v);
      noise_x_.see(gap + read(last_x_, e)[0], 2 * noise_x / noise_x_.square);
    }
    memory &= static_cast<std::uint8_t>(~(kNormal | kTangents));
    if (holds) memory |= kNormal;
    if (holds && sticks) memory |= kTangents;
  }

  // A joint of an arm that stuck, or stands at a stop.
  bool joint_holds(int j) const {
    return joint_mode_[at(j)] == JointMode::sticks || joint_mode_[at(j)] == JointMode::at_lower ||
           joint_mode_[at(j)] == JointMode::at_upper;
  }
  void test_joints(const Model& m, const State& state, const Projection& by) {
    if constexpr (C.arm_joints > 0) {
      const Scalar variance = is_.joint_velocity * is_.joint_velocity;
      for (int i = 0; i < m.arm.links.joints; ++i) {
        const auto j = at(i);
        if (!by.has_joint(i) || !joint_holds(i)) continue;
        const Scalar reads = state.arm.qd[j];
        bool moves = beyond(reads, kGate, noise_v_.square * variance, Scalar(0));
        for (int k = 0; k < kMeans; ++k)
          moves =
              moves || beyond(mean_[k].joint[j], kGate,
                              noise_of_mean_[k].square * kShare[k] * noise_v_.square * variance, Scalar(0));
        joint_event_[j] = moves;
        if (moves)
          joint_mode_[j] = JointMode::unknown;
        else
          noise_v_.see(reads + last_v_.joint[j], 2 * variance);
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
  void hold_speeds(const Model& m, State& state, Placed& placed, const Group& group, Projection& by) {
    by.begin(speeds());
    each_joint_row(m, state, placed, group, [&](const auto& row, dynamics::Pair bodies, Scalar) {
      by.hold(row, bodies,
              dynamics::speed<Scalar, Dim>(row, state.velocity[bodies.a], state.velocity[bodies.b]));
    });
    for (int i = 0; i < group.elements; ++i) {
      const auto& e = group[i];
      const auto memory = memory_[e.slot];
      if ((memory & kNormal) == 0 || !is_rigid(m, e)) continue;
      held_[e.contact] = true;
      const Reading reads = read(m, state, placed, e);
      const bool tangents = (memory & kTangents) != 0 && event_[e.contact] != Event::slips;
      for (int k = 0; k < (tangents ? Dim : 1); ++k) by.hold(e, k, reads[k]);
    }
    if constexpr (C.arm_joints > 0)
      for (int j = 0; j < m.arm.links.joints; ++j)
        if (by.has_joint(j) && joint_holds(j)) by.hold(j, state.arm.qd[at(j)]);
    by.solve();
    for (int i = 0; i < m.bodies; ++i) {
      if (!by.moves(i)) continue;
      const Motion change = last_v_.body[at(i)] = by.of_body(i);
      state.velocity[at(i)].linear += change.linear;
      state.velocity[at(i)].angular += change.angular;
    }
    if constexpr (C.arm_joints > 0) {
      for (int j = 0; j < m.arm.links.joints; ++j) {
        if (!by.has_joint(j)) continue;
        const Scalar change = last_v_.joint[at(j)] = by.of_joint(j);
        state.arm.qd[at(j)] += change;
        placed.arm.speed[at(j)] += change;
      }
    }
    carry(m, placed, group, last_v_);
  }

  // What links carry moves with them.
  static void carry(const Model& m, const Placed& placed, const Group& group, Taken& taken) {
    if constexpr (C.arm_joints > 0)
      detail::each_carried(m, [&](std::size_t i, const Mount<Scalar>& mount) {
        if (group.has(static_cast<int>(i)))
          taken.body[i] = detail::carried_velocity(m, placed, taken.joint, i, mount.link);
      });
  }

  // The same of places; then the gaps, and what place has made of the state.
  void hold_gaps(const Model& m, State& state, Placed& placed, const Group& group, Projection& by,
                 Found& found) {
    by.begin(places());
    each_joint_row(m, state, placed, group, [&](const auto& row, dynamics::Pair bodies, Scalar error) {
      by.hold(row, bodies, error);
    });
    for (int i = 0; i < group.elements; ++i) {
      const auto& e = group[i];
      if ((memory_[e.slot] & kNormal) == 0) continue;
      held_[e.contact] = true;
      const Scalar gap = gap_of(state, e);
      by.hold(e, 0, gap);
      auto& datum = datum_[e.slot];
      constexpr Scalar kGainOfDatum = Scalar(0.01);
      datum = math::multiply_add(kGainOfDatum, gap - datum, datum);
      datum = datum > is_.geometry ? is_.geometry : datum < -is_.geometry ? -is_.geometry : datum;
    }
    if constexpr (C.arm_joints > 0)
      for (int j = 0; j < m.arm.links.joints; ++j)
        if (by.has_joint(j) && joint_holds(j) && joint_mode_[at(j)] != JointMode::sticks)
          by.hold(j, beyond_stop(m, state, j));
    by.solve();
    for (int i = 0; i < m.bodies; ++i)
      if (by.moves(i)) last_x_.body[at(i)] = by.of_body(i);
    if constexpr (C.arm_joints > 0)
      for (int j = 0; j < m.arm.links.joints; ++j)
        if (by.has_joint(j)) last_x_.joint[at(j)] = by.of_joint(j);
    carry(m, placed, group, last_x_);
    for (int i = 0; i < group.elements; ++i) {
      const std::size_t n = group.index(i);
      auto& e = found.element[n];
      const Scalar gap = gap_of(state, e);
      const bool held = (memory_[e.slot] & kNormal) != 0;
      const Scalar left = held ? Scalar(0) : believed(gap + read(last_x_, e)[0], by, e);
      e.gap += left - gap;
      if (m.normal_rule() == NormalRule::gap) found.offset[n * Dim] += (left - gap) / m.h;
    }
  }

  // Within noise below zero a gap is none.
  Scalar believed(Scalar gap, const Projection& by, const Element& e) const {
    if (!(gap < 0)) return gap;
    const Scalar noise = kAcquired * std::sqrt(noise_x_.square * by.variance(places(), e)) + is_.geometry;
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
  void move_to(const Model& m, State& state, Placed& placed, const Group& group, const Projection& by) const {
    for (int i = 0; i < m.bodies; ++i) {
      if (!by.moves(i)) continue;
      state.pose[at(i)] = dynamics::displaced(state.pose[at(i)], last_x_.body[at(i)]);
      detail::place_body(m, state, i, placed);
    }
    if constexpr (C.arm_joints > 0) {
      for (int j = 0; j < m.arm.links.joints; ++j)
        if (by.has_joint(j)) state.arm.q[at(j)] += last_x_.joint[at(j)];
      detail::each_carried(m, [&](std::size_t i, const Mount<Scalar>&) {
        if (!group.has(static_cast<int>(i))) return;
        for (Motion* const v : {&placed.arm.before[i], &placed.body[i].velocity}) {
          v->linear += last_v_.body[i].linear;
          v->angular += last_v_.body[i].angular;
        }
      });
    }
  }

  void add_to_means(const Model& m) {
    for (int k = 0; k < kMeans; ++k) {
      for (std::size_t i = 0; i < at(m.bodies); ++i) {
        auto& mean = mean_[k].body[i];
        mean.linear += kGain[k] * (last_v_.body[i].linear - mean.linear);
        mean.angular += kGain[k] * (last_v_.body[i].angular - mean.angular);
      }
      for (std::size_t j = 0; j < at(C.arm_joints); ++j)
        mean_[k].joint[j] += kGain[k] * (last_v_.joint[j] - mean_[k].joint[j]);
    }
  }

  Uncertainty<Scalar> is_;
  bool began_ = false, taken_ = false;
  Noise noise_v_, noise_x_, noise_of_mean_[kMeans];
  Array<std::uint8_t, C.slots> memory_{};
  Array<Scalar, C.slots> datum_{};  // m: a slow mean of the gaps that a held row has read
  Array<Event, C.contacts> event_{};
  Array<bool, C.contacts> held_{};
  Array<bool, C.arm_joints> joint_event_{};
  Array<JointMode, C.arm_joints> joint_mode_{};
  Taken last_v_, last_x_,
      mean_[kMeans];  // what was taken out of speeds and places, and of speeds in the mean
  Measured measured_;
};

}  // namespace tactus::stepper
