// What the stage of impacts (impacts.hpp) knows of an island: the speeds of its rows, and how impulses change
// them. A is that of the step's rows (couple.hpp) with what holds in any case taken out of it: bilateral
// joints and mimics keep their speed through an impact, whatever it takes. So a link or a body in a joint is
// as heavy as it is with all that hangs on it. Friction and motors of joints have no impulse; stops have.
//
// Cost: that of couple, and (k + n)^2 k / 2 multiply-adds for k rows that hold. Memory: ImpactScratch.
// Failure: none.
#pragma once

#include "tactus/math/cholesky.hpp"
#include "tactus/stepper/move.hpp"

namespace tactus::stepper::detail {

// Whether the contact of an element can be hit: compliant ones push by their deformation alone.
template <class Scalar, int Dim, Capacity C>
inline bool can_be_hit(const Model<Scalar, Dim, C>& m, const Element<Scalar, Dim>& e) {
  return !deforms<C>(m.contact[e.contact]);
}

// What forces change the velocity of a body by in a step.
template <class Scalar, int Dim, Capacity C>
inline dynamics::Motion<Scalar, Dim> pull_on(const Model<Scalar, Dim, C>& m,
                                             const State<Scalar, Dim, C>& state,
                                             const Placed<Scalar, Dim, C>& placed, std::uint8_t body) {
  const auto& free = placed.body[body].velocity;
  const auto& now = velocity_before(m, state, placed, body);
  return {free.linear - now.linear, free.angular - now.angular};
}

// The normal speed of an element before the step, what forces add to it, and below what it is at rest: forces
// alone bring about |J| |f'|, by absolute values, for the sum is 0 between two bodies that fall.
template <class Scalar>
struct Speed {
  Scalar now = 0, pull = 0, tolerance = 0;

  Scalar meets() const { return now + pull / 2; }
};

// Whether what closes at the speed s, and is pulled, is through the gap within the time left. What the forces
// of the rest alone bring there is counted as the step's rows do.
template <class Scalar>
inline bool goes_through(Scalar s, Scalar pull, Scalar gap, Scalar left) {
  return gap + left * s < 0 || gap + left * (s + pull / 2) < 0;
}

template <class Scalar, int Dim, Capacity C>
inline Speed<Scalar> normal_speed(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                  const Placed<Scalar, Dim, C>& placed, const Element<Scalar, Dim>& e) {
  constexpr int spin = dynamics::kSpin<Dim>;
  const auto row = dynamics::row_of(e.frame, 0);
  const auto size_of = [&](const dynamics::Motion<Scalar, Dim>& v, const math::Vector<Scalar, spin>& moment) {
    Scalar sum = 0;
    for (int k = 0; k < Dim; ++k) sum += math::magnitude(row.direction[k] * v.linear[k]);
    for (int k = 0; k < spin; ++k) sum += math::magnitude(moment[k] * v.angular[k]);
    return sum;
  };
  const auto &va = velocity_before(m, state, placed, e.bodies.a),
             &vb = velocity_before(m, state, placed, e.bodies.b);
  const auto pull_a = pull_on(m, state, placed, e.bodies.a), pull_b = pull_on(m, state, placed, e.bodies.b);
  Speed<Scalar> out;
  out.now = dynamics::speed<Scalar, Dim>(row, va, vb);
  out.pull = dynamics::speed<Scalar, Dim>(row, pull_a, pull_b);
  out.tolerance =
      Scalar(1.01) * (size_of(pull_a, row.moment_a) + size_of(pull_b, row.moment_b)) +
      16 * std::numeric_limits<Scalar>::epsilon() * (size_of(va, row.moment_a) + size_of(vb, row.moment_b));
  return out;
}

// The speeds of all rows of an island with the velocities of(body) and the joints' speeds qd.
template <class Scalar, int Dim, Capacity C, class Of, class Speeds>
inline void row_speeds(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                       const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows, const Of& of,
                       [[maybe_unused]] const Speeds& qd, Scalar* s) {
  for (int r = 0; r < rows.bilateral; ++r) {
    const auto [a, b] = rows.joint_pair[at(r)];
    s[r] = dynamics::speed<Scalar, Dim>(rows.joint_row[at(r)], of(a), of(b));
  }
  if constexpr (C.arm_joints > 0) {
    for (int r = rows.bilateral; r < rows.plain; ++r) {
      s[r] = 0;
      each_entry(m, placed, rows, r, [&](int j, Scalar x) { s[r] = math::multiply_add(x, qd[at(j)], s[r]); });
    }
  }
  s += rows.plain;
  for (int i = 0; i < group.elements; ++i, s += Dim) {
    const auto& e = group[i];
    const auto v =
        dynamics::in_frame(e.frame, dynamics::relative_velocity(e.frame, of(e.bodies.a), of(e.bodies.b)));
    for (int k = 0; k < Dim; ++k) s[k] = v[k];
  }
}

// Takes what holds in any case out of A and of speeds: A := A - Y^T Y, Y = L^-1 A_held, L L^T = A_held,held.
// Y stays in its columns of A. Bilateral joints first, then mimics; of the former's rows nothing else is
// left.
template <class Scalar, int Dim, Capacity C>
inline void eliminate_held(Rows<Scalar, Dim, C>& rows, Scalar* s, Scalar* pull) {
  const int n = rows.all;
  const auto eliminate = [&](int first, int end) {
    const int held = end - first;
    Scalar* const L = &rows.A[at(first * (n + 1))];
    math::factor(L, held, n);
    math::forward_substitute(L, held, n, s + first);
    math::forward_substitute(L, held, n, pull + first);
    const auto is_held = [&](int r) { return r >= first && r < end; };
    for (int r = rows.bilateral; r < n; ++r)
      if (!is_held(r)) math::forward_substitute(L, held, n, &rows.A[at(r * n + first)]);
    for (int r = rows.bilateral; r < n; ++r) {
      if (is_held(r)) continue;
      const Scalar* const y = &rows.A[at(r * n + first)];
      for (int k = 0; k < held; ++k) {
        s[r] -= y[k] * s[first + k];
        pull[r] -= y[k] * pull[first + k];
      }
      for (int c = rows.bilateral; c <= r; ++c) {
        if (is_held(c)) continue;
        const Scalar* const z = &rows.A[at(c * n + first)];
        Scalar sum = rows.A[at(r * n + c)];
        for (int k = 0; k < held; ++k) sum -= y[k] * z[k];
        rows.A[at(r * n + c)] = rows.A[at(c * n + r)] = sum;
      }
    }
  };
  if (C.joints > 0 && rows.bilateral > 0) eliminate(0, rows.bilateral);
  if (C.mimics > 0 && rows.first_servo() > rows.first_mimic())
    eliminate(rows.first_mimic(), rows.first_servo());
}

// What rows that hold take where the others have lambda; `share` of what forces pull them by goes with it.
// The last block first: what it takes acts on those before it.
template <class Scalar, int Dim, Capacity C>
inline void restore_held(const Rows<Scalar, Dim, C>& rows, const Scalar* pull, Scalar share, Scalar* lambda) {
  const int n = rows.all;
  const auto restore = [&](int first, int end) {
    const int held = end - first;
    for (int k = first; k < end; ++k) lambda[k] = -share * pull[k];
    for (int r = rows.bilateral; r < n; ++r) {
      if (lambda[r] == 0 || (r >= first && r < end)) continue;
      for (int k = 0; k < held; ++k) lambda[first + k] -= rows.A[at(r * n + first + k)] * lambda[r];
    }
    math::back_substitute(&rows.A[at(first * (n + 1))], held, n, lambda + first);
  };
  if (C.mimics > 0 && rows.first_servo() > rows.first_mimic())
    restore(rows.first_mimic(), rows.first_servo());
  if (C.joints > 0 && rows.bilateral > 0) restore(0, rows.bilateral);
}

}  // namespace tactus::stepper::detail
