// certify: whether the step is right, from the data before it and the velocities after it, not from A and b
// as they were solved:
//
//   finite     every number of the new state
//   momentum   M (v* - v) = h f + W^T p of each body, M~ (qd* - qd) = drive + p + J^T p of each joint
//   laws       s = W v* + offset + R lambda of each row against lambda (contact/residual.hpp)
//
// Each is a share of the data of the step, never of the answer, by which any ray would do: momentum of
// h|f| + m|v| of that body or joint and of what the speeds |b| of the problem can give it, speeds of |b|.
// What sums of large terms may be off by rounding is told apart; where that alone is more than the tolerance
// the digits do not suffice, whatever the answer is.
//
// Cost: some 40 multiply-adds an element, 20 a body, n^2 for n joints. Memory: the certificate.
#pragma once

#include "tactus/stepper/move.hpp"
#include "tactus/stepper/report.hpp"

namespace tactus::stepper::detail {

// Of momentum and of laws; what solves them goes ten times nearer.
template <class Scalar>
inline constexpr Scalar kMomentum = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-4);
template <class Scalar>
inline constexpr Scalar kLaw = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-4);

// What a sum rounds by, as a share of the magnitudes of its terms.
template <class Scalar>
inline constexpr Scalar kRound = std::numeric_limits<Scalar>::epsilon();

// The largest of the components' magnitudes.
template <class Scalar, int N>
inline Scalar largest_of(const math::Vector<Scalar, N>& x) {
  Scalar largest = 0;
  math::unrolled<N>([&](int k) __attribute__((always_inline)) {
    largest = math::larger(largest, math::magnitude(x[k]));
  });
  return largest;
}

// How far momenta and laws are off, as shares, and what of the former may be rounding.
template <class Scalar>
struct Residual {
  Scalar momentum = 0, law = 0, rounding = 0;

  void add_momentum(Scalar x, Scalar unit, Scalar round) {
    momentum = contact::worst(momentum, contact::share_of(x - round, unit));
    rounding = contact::worst(rounding, contact::share_of(round, unit));
  }
  // What a speed is off by the rounding of places is no fault of the answer.
  void add_law(Scalar x, Scalar unit, Scalar round) {
    law = contact::worst(law, contact::share_of(x - round, unit));
  }
  bool certified() const { return momentum <= kMomentum<Scalar> && law <= kLaw<Scalar>; }
  Scalar largest() const { return contact::worst(momentum, law); }
};

template <class Scalar, int Dim, Capacity C>
inline void add_body(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                     const Placed<Scalar, Dim, C>& placed, const Estimate<Scalar, Dim, C>& estimate,
                     const Next<Scalar, Dim, C>& next, int i, Scalar speed, Scalar press,
                     Residual<Scalar>& out) {
  using Vector = math::Vector<Scalar, Dim>;
  constexpr int spin = dynamics::kSpin<Dim>;
  using Spin = math::Vector<Scalar, spin>;
  const auto& inertia = m.inertia[at(i)];
  const auto frame = start_frame(state, placed, estimate, i);
  const auto& v = state.velocity[at(i)];
  const auto& impulse = next.impulse[at(i)];
  const auto momentum = [&](const Spin& omega) {
    return dynamics::spin_momentum<Scalar, Dim>(inertia, frame, omega);
  };
  const Vector force = m.h * (inertia.mass * m.gravity + state.force[at(i)].linear);
  const Spin torque = m.h * state.force[at(i)].angular;
  const Vector linear = inertia.mass * (next.velocity[at(i)].linear - v.linear) - force - impulse.linear;
  const Spin angular = momentum(next.velocity[at(i)].angular - v.angular) - torque - impulse.angular;
  const Scalar push = largest_of<Scalar, Dim>(force);
  const Scalar unit = push + inertia.mass * (largest_of<Scalar, Dim>(v.linear) + speed);
  const Scalar turn = largest_of<Scalar, spin>(torque) + largest_of<Scalar, spin>(momentum(v.angular));
  out.add_momentum(largest_of<Scalar, Dim>(linear), unit, kRound<Scalar> * (unit + press));
  if constexpr (kBounces<C>) {
    // Impacts may give by far more than what the rows leave of it: then digits are lost.
    for (int k = 0; k < Dim && placed.impacts.events > 0; ++k) {
      const Scalar own = math::magnitude(force[k]) + inertia.mass * math::magnitude(v.linear[k]) +
                         math::magnitude(impulse.linear[k]);
      out.rounding = contact::worst(out.rounding, contact::share_of(math::magnitude(linear[k]), own));
    }
  }
  const Scalar lever = m.radius[at(i)];
  out.add_momentum(largest_of<Scalar, spin>(angular), turn + lever * unit,
                   kRound<Scalar> * (turn + lever * (unit + press)));
}

template <class Scalar, int Dim, Capacity C>
inline void add_arms(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                     const Placed<Scalar, Dim, C>& placed, const Group<Scalar, Dim, C>& group,
                     const Rows<Scalar, Dim, C>& rows, const Answer<Scalar, Dim, C>& answer,
                     const Next<Scalar, Dim, C>& next, Scalar speed, Residual<Scalar>& out) {
  if constexpr (C.arm_joints > 0) {
    const std::size_t n = at(m.arm.links.joints), stride = at(C.arm_joints);
    for (std::size_t j = 0; j < n; ++j) {
      if (!has_joint(group, static_cast<int>(j))) continue;
      const Scalar* const row = placed.arm.M.data() + j * stride;
      Scalar sum = -placed.arm.drive[j] - m.h * next.reaction[j], press = m.h * std::abs(next.reaction[j]);
      Scalar unit = std::abs(placed.arm.drive[j]), before = 0, freely = 0;
      if constexpr (C.servos > 0)
        if (math::finite(m.arm.motors.most[j])) unit += m.h * std::abs(placed.arm.servos.held[j]);
      if constexpr (RowCount<Dim, C>::kDriven > 0) {
        sum -= m.h * (next.driven.mimic[j] + next.driven.motor[j]);
        press += m.h * (std::abs(next.driven.mimic[j]) + std::abs(next.driven.motor[j]));
      }
      if constexpr (kBounces<C>) {
        if (placed.impacts.events > 0) {
          sum -= placed.impacts.arm_impulse[j];
          press += math::magnitude(placed.impacts.arm_impulse[j]);
        }
      }
      for (std::size_t i = 0; i < n; ++i) {
        sum = math::multiply_add(row[i], next.state.arm.qd[i] - state.arm.qd[i], sum);
        const Scalar mass = math::magnitude(row[i]);
        before = math::multiply_add(mass, math::magnitude(state.arm.qd[i]) + speed, before);
        freely = math::multiply_add(mass, math::magnitude(placed.arm.speed[i]), freely);
      }
      unit += math::larger(before, freely);
      for (int i = 0; i < group.elements; ++i) {
        const auto& bodies = group[i].bodies;
        if (!m.arm.carries(bodies.a) && !m.arm.carries(bodies.b)) continue;
        for (std::size_t k = 0; k < at(Dim); ++k) {
          const Scalar p = m.h * answer.lambda[group.index(i) * at(Dim) + k];
          const Scalar moment = p * rows.arm.J[(at(i * Dim) + k) * stride + j];
          sum -= moment;
          press += math::magnitude(moment);
        }
      }
      out.add_momentum(math::magnitude(sum), unit, kRound<Scalar> * (unit + press));
    }
  }
}

// Joints: bilateral ones and those of arms.
template <class Scalar, int Dim, Capacity C>
inline void add_plain_laws(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                           const Placed<Scalar, Dim, C>& placed, const Rows<Scalar, Dim, C>& rows,
                           const SolveScratch<Scalar, Dim, C>& solved, const Next<Scalar, Dim, C>& next,
                           Scalar speed, Residual<Scalar>& out) {
  const Scalar jitter = joint_jitter(m, placed);
  for (int r = 0; r < rows.plain; ++r) {
    Scalar v = 0, round = jitter;
    if (r < rows.bilateral) {
      const auto [a, b] = rows.joint_pair[at(r)];
      const auto& row = rows.joint_row[at(r)];
      v = rows.b[at(r)] +
          (dynamics::speed<Scalar, Dim>(row, next.velocity[a], next.velocity[b]) -
           dynamics::speed<Scalar, Dim>(row, placed.body[a].velocity, placed.body[b].velocity));
      round = kRound<Scalar> *
              (largest_of<Scalar, Dim>(next.velocity[a].linear) +
               largest_of<Scalar, Dim>(next.velocity[b].linear) + math::magnitude(rows.b[at(r)]));
    } else if (r >= rows.first_mimic()) {
      v = speed_of_driven(m, state, placed, rows, solved, next, r, round);
    } else if constexpr (C.arm_joints > 0) {
      v = next.state.arm.qd[rows.arm_joint[at(r - rows.bilateral)]];
    }
    const Scalar mobility = rows.A[at(r * (rows.all + 1))];
    out.add_law(contact::off_staircase(rows.staircase[at(r)], mobility, v, solved.lambda[at(r)]), speed,
                round);
  }
}

// Of element i: s = W v* + offset + R lambda, with the relaxed law's lift taken off.
template <class Scalar, int Dim, Capacity C>
[[gnu::always_inline]] inline void speeds_after(const Group<Scalar, Dim, C>& group,
                                                const Next<Scalar, Dim, C>& next, int i, Scalar (&s)[Dim]) {
  const auto& frame = group[i].frame;
  const auto [a, b] = group[i].bodies;
  const Scalar* const offset = group.offset(i);
  const auto v =
      dynamics::in_frame(frame, dynamics::relative_velocity(frame, next.velocity[a], next.velocity[b]));
  for (int k = 0; k < Dim; ++k) s[k] = v[k] + offset[k];
  if constexpr (kGivesWay<C>)
    for (int k = 0; k < Dim; ++k) s[k] += next.give[group.index(i) * Dim + at(k)];
}

// How far an element with torsion is off its law, in the units of its axes (torsion.hpp); s: n, t, o.
template <class Scalar, int Dim, Capacity C>
inline Scalar off_ellipsoid(const Model<Scalar, Dim, C>& m, const Group<Scalar, Dim, C>& group,
                            const Rows<Scalar, Dim, C>& rows, const SolveScratch<Scalar, Dim, C>& solved,
                            const Next<Scalar, Dim, C>& next, int i, const Scalar (&s)[Dim], bool box) {
  if constexpr (C.torsion) {
    const auto& axes = m.ellipsoid[group[i].contact];
    const auto [a, b] = group[i].bodies;
    const Scalar turn = math::fused_dot<Scalar, 3>(
        group[i].frame.axis[0], math::Vector<Scalar, 3>(next.velocity[b].angular - next.velocity[a].angular));
    const Scalar scaled[4] = {s[0], axes[0] * s[1], axes[1] * s[2], axes[2] * turn};
    const int n = rows.plain + 4 * group.elements, first = rows.plain + 4 * i;
    return contact::off_friction<Scalar, 4>(&solved.torsion.A[at(first * (n + 1))], n, group.mu(i),
                                            &solved.torsion.lambda[at(first)], scaled, box);
  }
  return 0;
}

// What the contacts of an island say: the unit of its speeds, the largest |b| of rows that act, how far the
// elements are off their law, and sums of |lambda| by body, by which W^T lambda rounds.
template <class Scalar, int Dim, Capacity C>
struct ContactLaws {
  Scalar unit = 0, off = 0;             // elements that act
  Scalar open_off = 0, open_share = 0;  // the others, which count by their own |b| where that is more
  Array<Scalar, C.bodies> press{};

  void press_on(dynamics::Pair bodies, Scalar p) {
    press[bodies.a] += p;
    press[bodies.b] += p;
  }
};

template <class Scalar, int Dim, Capacity C>
inline void hold_contacts(const Model<Scalar, Dim, C>& m, const Group<Scalar, Dim, C>& group,
                          const Rows<Scalar, Dim, C>& rows, const SolveScratch<Scalar, Dim, C>& solved,
                          const Answer<Scalar, Dim, C>& answer, const Next<Scalar, Dim, C>& next,
                          ContactLaws<Scalar, Dim, C>& out) {
  const auto friction = friction_of(m);
  const bool relaxed = friction == contact::guess::Friction::relaxed,
             box = friction == contact::guess::Friction::box;
  bool torsion = false;
  if constexpr (C.torsion) torsion = m.ellipsoid.any();
  const Scalar e = contact::facet_error<Scalar>(answer.facets);
  const Scalar* A = &rows.A[at(rows.plain * (rows.all + 1))];
  const Scalar* b = &rows.b[at(rows.plain)];
  for (int i = 0; i < group.elements;) {
    const auto [one, other] = group[i].bodies;
    const Scalar fast = largest_of<Scalar, Dim>(next.velocity[one].linear) +
                        largest_of<Scalar, Dim>(next.velocity[other].linear);
    Scalar press = 0;
    for (; i < group.elements; ++i, A += Dim * (rows.all + 1), b += Dim) {
      if (group[i].bodies.a != one || group[i].bodies.b != other) break;
      const Scalar* const lambda = &answer.lambda[group.index(i) * Dim];
      for (int k = 0; k < Dim; ++k) press += math::magnitude(lambda[k]);
      Scalar s[Dim];
      speeds_after(group, next, i, s);
      if (relaxed && lambda[0] > 0) s[0] -= group.mu(i) * contact::slip_speed<Scalar, Dim>(s);
      const Scalar round = kRound<Scalar> * (fast + math::magnitude(group.offset(i)[0]));
      const Scalar off =
          torsion ? off_ellipsoid(m, group, rows, solved, next, i, s, box)
                  : contact::off_friction<Scalar, Dim>(A, rows.all, group.mu(i), lambda, s, box, e);
      // One that is open and yet pulls, by what a search lets pass, acts as well.
      if (answer.outcome[group.index(i)].mode != contact::Mode::open || lambda[0] < 0) {
        for (int k = 0; k < Dim; ++k) out.unit = math::larger(out.unit, math::magnitude(b[k]));
        out.off = contact::worst(out.off, off - round);
      } else if (!(off <= round)) {
        out.open_off = contact::worst(out.open_off, off - round);
        out.open_share = contact::worst(out.open_share, (off - round) / math::magnitude(b[0]));
      }
    }
    out.press_on({one, other}, m.h * press);
  }
}

// `poison` is 0 and stays it unless one of the first n numbers is not finite.
template <class Scalar, class Numbers>
inline Scalar poisoned_by(const Numbers& x, std::size_t n, Scalar poison) {
  for (std::size_t k = 0; k < n; ++k)
    poison = math::multiply_add(x[static_cast<decltype(x.size())>(k)], Scalar(0), poison);
  return poison;
}

// Whether all that a step changes is finite,
template <class Scalar, int Dim, Capacity C>
inline bool valid_motion(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state) {
  Scalar poison = 0;
  for (int i = 0; i < m.bodies; ++i) {
    if (!geometry::is_valid(state.pose[at(i)])) return false;
    poison = dynamics::poisoned(state.velocity[at(i)], poison);
  }
  if constexpr (kDeforms<C>)
    for (int i = 0; m.patches > 0 && i < m.slots; ++i)
      poison = poisoned_by(state.delta[at(i)], at(Dim), poison);
  if constexpr (C.arm_joints > 0)
    for (const auto* values : {&state.arm.q, &state.arm.qd})
      poison = poisoned_by(*values, at(m.arm.links.joints), poison);
  return poison == 0;
}

// and what drives it, too.
template <class Scalar, int Dim, Capacity C>
inline bool valid_state(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state) {
  Scalar poison = 0;
  for (int i = 0; i < m.bodies; ++i) poison = dynamics::poisoned(state.force[at(i)], poison);
  if constexpr (C.arm_joints > 0) {
    const auto& arm = state.arm;
    for (const auto* values : {&arm.torque, &arm.position, &arm.speed, &arm.stiffness, &arm.damping})
      poison = poisoned_by(*values, at(m.arm.links.joints), poison);
  }
  return poison == 0 && valid_motion(m, state);
}

// The island's bodies and joints, and their laws.
template <class Scalar, int Dim, Capacity C>
inline void certify(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                    const Placed<Scalar, Dim, C>& placed, const Estimate<Scalar, Dim, C>& estimate,
                    const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                    const SolveScratch<Scalar, Dim, C>& solved, const Answer<Scalar, Dim, C>& answer,
                    const Next<Scalar, Dim, C>& next, Residual<Scalar>& out) {
  ContactLaws<Scalar, Dim, C> contacts;
  hold_contacts(m, group, rows, solved, answer, next, contacts);
  // What friction of a joint can stop is a speed that the step is about, too.
  for (int r = 0; r < rows.first_servo(); ++r) {
    const Scalar f = rows.staircase[at(r)].friction, mobility = rows.A[at(r * (rows.all + 1))];
    const Scalar stopped = f < contact::Staircase<Scalar>::kNever ? f * mobility : Scalar(0);
    contacts.unit = math::larger(contacts.unit, math::larger(math::magnitude(rows.b[at(r)]), stopped));
  }
  if constexpr (C.servos > 0) {
    const auto p = problem_of(rows, group.elements);
    for (int r = rows.first_servo(); r < rows.plain; ++r)
      contacts.unit = math::larger(contacts.unit, p.template plain_speed<true>(r));
  }
  for (int r = 0; r < rows.bilateral; ++r)
    contacts.press_on(rows.joint_pair[at(r)], m.h * math::magnitude(solved.lambda[at(r)]));
  if constexpr (kBounces<C>)  // and so is what impacts have stopped
    if (placed.impacts.events > 0)
      contacts.unit = math::larger(contacts.unit, placed.impacts.speed[group.root]);
  const Scalar speed = contacts.unit;
  out.add_law(contacts.off, speed, 0);
  const Scalar open = contact::share_of(contacts.open_off, speed);
  out.add_law(contacts.open_share <= open ? contacts.open_share : open, 1, 0);
  for (int i = 0; i < m.bodies; ++i)
    if (placed.body[at(i)].inverse_mass > 0 && group.has(i))
      add_body(m, state, placed, estimate, next, i, speed, contacts.press[at(i)], out);
  add_arms(m, state, placed, group, rows, answer, next, speed, out);
  add_plain_laws(m, state, placed, rows, solved, next, speed, out);
}

}  // namespace tactus::stepper::detail
