// Whether the rows that an answer left closed still are, as far as a measured state can say: the tests of
// sensing.hpp, and what they remember from tick to tick.
//
// A row reads W v, or its gap. Noise gives a reading the variance W P W^T; of a point the rows have about the
// same, so the largest serves for all. What was taken out of the last states is kept as a motion, so that the
// mean of what a row has read is one product, whichever rows were held then.
//
// Cost: about 150 operations a row. Memory: four motions of all bodies and joints, two numbers a slot.
#pragma once

#include "tactus/stepper/projection.hpp"
#include "tactus/stepper/uncertainty.hpp"

namespace tactus::stepper {

// A measurement that contradicts what the last answer left closed; the first that holds is said.
enum class GateEvent : std::uint8_t { none, leaves, slips };

namespace detail {

// The square of how much larger noise is than stated, as its readings say.
template <class Scalar>
struct NoiseMeter {
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

template <class Scalar, int Dim, Capacity C>
class Gates {
 public:
  const Uncertainty<Scalar>& uncertainty() const { return is_; }

  // Of the last state that was taken.
  GateEvent event(int contact) const { return event_[at(contact)]; }
  bool joint_moves(int joint) const { return joint_event_[at(joint)]; }  // though it stuck
  Scalar noise() const { return std::sqrt(noise_v_.square); }  // of speeds, as a multiple of the stated

 protected:
  using Model = stepper::Model<Scalar, Dim, C>;
  using State = stepper::State<Scalar, Dim, C>;
  using Placed = stepper::Placed<Scalar, Dim, C>;
  using Found = stepper::Found<Scalar, Dim, C>;
  using Element = stepper::Element<Scalar, Dim>;
  using Projection = detail::Projection<Scalar, Dim, C>;
  using Motion = dynamics::Motion<Scalar, Dim>;
  using Reading = math::Vector<Scalar, Dim>;
  using Noise = NoiseMeter<Scalar>;

  // Of a slot: closed and stuck in the last answer; near at the last tick; its normal row and its tangents
  // held in this one.
  enum Memory : std::uint8_t { kClosed = 1, kStuck = 2, kNear = 4, kNormal = 8, kTangents = 16 };

  // One false event in 10^6 ticks for a body with six directions, whatever the number of rows.
  static constexpr Scalar kGate = Scalar(5.3), kAcquired = Scalar(3);
  // Gains of the means over 10 and 100 ticks, and the variance of a mean as a share of that of one reading.
  static constexpr int kMeans = 2;
  static constexpr Scalar kGain[] = {Scalar(0.18), Scalar(0.02)};
  static constexpr Scalar kShare[] = {Scalar(0.18 / 1.82), Scalar(0.02 / 1.98)};

  // A motion of all bodies and joints: what was taken out.
  struct Taken {
    Array<Motion, C.bodies> body{};
    dynamics::JointVector<Scalar, C.arm_joints> joint{};
  };

  Spread<Scalar> speeds() const { return {is_.velocity, is_.angular_velocity, is_.joint_velocity}; }
  Spread<Scalar> places() const { return {is_.position, is_.angle, is_.joint}; }
  static bool is_rigid(const Model& m, const Element& e) { return is_exact<C>(m.contact[e.contact]); }

  static Reading read(const Element& e, const Motion& a, const Motion& b) {
    return dynamics::in_frame(e.frame, dynamics::relative_velocity(e.frame, a, b));
  }
  static Reading read(const Model& m, const State& state, const Placed& placed, const Element& e) {
    return read(e, velocity_before(m, state, placed, e.bodies.a),
                velocity_before(m, state, placed, e.bodies.b));
  }
  static Reading read(const Taken& of, const Element& e) {
    return read(e, of.body[e.bodies.a], of.body[e.bodies.b]);
  }

  // A point's arms turn only at the end of a step: so much speed may one read that stays closed, m/s.
  static Scalar turning(const Model& m, const State& state, const Placed& placed, dynamics::Pair bodies) {
    Scalar sum = 0;
    for (const std::uint8_t body : {bodies.a, bodies.b}) {
      const auto& omega = velocity_before(m, state, placed, body).angular;
      sum = math::multiply_add(math::fused_dot<Scalar, Projection::kSpin>(omega, omega), m.radius[body], sum);
    }
    return m.h * sum;
  }

  // The gap that is to be zero where an element is closed.
  static Scalar gap_of(const Model& m, const Found& found, std::size_t i) {
    const auto& e = found.element[i];
    if constexpr (kDeforms<C>)
      if (!is_rigid(m, e)) return e.gap + found.carried[i * Dim];
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

  // A state is taken: nothing is known of it yet.
  void begin_tests() {
    event_ = {};
    joint_event_ = {};
  }
  // All rows are tested, and these motions taken out.
  void end_tests(const Model& m, const Taken& speeds, const Taken& places) {
    last_v_ = speeds;
    last_x_ = places;
    add_to_means(m);
    for (Noise* const noise : {&noise_v_, &noise_x_, &noise_of_mean_[0], &noise_of_mean_[1]}) noise->learn();
    began_ = true;
  }

  // What a certified answer has left closed.
  template <class Answer>
  void remember_closed(const Model& m, const Found& found, const Answer& answer, const State& next) {
    for (std::size_t s = 0; s < at(m.slots); ++s) memory_[s] &= kNear | kNormal;
    for (int i = 0; i < found.elements; ++i) {
      const auto mode = answer.outcome[at(i)].mode;
      auto& memory = memory_[found.element[at(i)].slot];
      if (mode != contact::Mode::open) memory |= kClosed;
      if (mode == contact::Mode::stick) memory |= kStuck;
    }
    if constexpr (C.arm_joints > 0) joint_mode_ = next.arm.mode;
  }

  bool is_held(const Element& e) const { return (memory_[e.slot] & kNormal) != 0; }
  bool sticks(const Element& e) const {
    return (memory_[e.slot] & kTangents) != 0 && event_[e.contact] != GateEvent::slips;
  }

  // Which rows of an element are held.
  void test(const Model& m, const State& state, const Placed& placed, const Projection& by,
            const Found& found, std::size_t i) {
    const Element& e = found.element[i];
    auto& memory = memory_[e.slot];
    const bool was_held = (memory & kNormal) != 0, closed = (memory & kClosed) != 0;
    const bool stuck = (memory & kStuck) != 0, rigid = is_rigid(m, e);
    const Scalar turn = turning(m, state, placed, e.bodies), gap = gap_of(m, found, i);
    const Reading reads = read(m, state, placed, e);
    const Reading means[kMeans] = {read(mean_[0], e), read(mean_[1], e)};
    const Scalar noise_v = noise_v_.square * by.variance(speeds(), e);
    const Scalar noise_x = noise_x_.square * by.variance(places(), e);
    const Scalar slack = is_.geometry + m.h * turn;
    bool holds = closed, sticks = closed && stuck && rigid;
    if (closed) {
      holds = !(rigid && contradicts(reads[0], means, 0, noise_v, turn)) &&
              !(gap > datum_[e.slot] && beyond(gap - datum_[e.slot], kGate, noise_x, slack));
      if (!holds) event_[e.contact] = GateEvent::leaves;
    } else {
      const bool near =
          rigid && !beyond(gap, kAcquired, noise_x, slack) && !beyond(reads[0], kAcquired, noise_v, turn);
      sticks = holds = near && (!began_ || (memory & kNear) != 0);
      memory = static_cast<std::uint8_t>(near ? memory | kNear : memory & ~kNear);
    }
    for (int k = 1; k < Dim && sticks && holds; ++k) {
      const bool slips =
          stuck ? contradicts(reads[k], means, k, noise_v, turn) : beyond(reads[k], kAcquired, noise_v, turn);
      if (slips && stuck && event_[e.contact] == GateEvent::none) event_[e.contact] = GateEvent::slips;
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

  // A held row has read this gap, m.
  void learn_datum(const Element& e, Scalar gap) {
    constexpr Scalar kGainOfDatum = Scalar(0.01);
    Scalar& datum = datum_[e.slot];
    datum = math::multiply_add(kGainOfDatum, gap - datum, datum);
    datum = datum > is_.geometry ? is_.geometry : datum < -is_.geometry ? -is_.geometry : datum;
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
  bool began_ = false;
  Noise noise_v_, noise_x_, noise_of_mean_[kMeans];
  Array<std::uint8_t, C.slots> memory_{};
  Array<Scalar, C.slots> datum_{};  // m: a slow mean of the gaps that a held row has read
  Array<GateEvent, C.contacts> event_{};
  Array<bool, C.arm_joints> joint_event_{};
  Array<JointMode, C.arm_joints> joint_mode_{};
  Taken last_v_, last_x_,
      mean_[kMeans];  // what was taken out of speeds and places, and of speeds in the mean
};

}  // namespace detail

}  // namespace tactus::stepper
