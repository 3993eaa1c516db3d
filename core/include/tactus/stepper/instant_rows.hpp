// The rows of a world where it stands: of contacts, of joints of bodies and arms, of all islands at once.
//
//     A = h W M^-1 W^T,   b as the step has it,   v = W nu,   free = h W M^-1 f
//
// and after to_accelerations() the same of Pang-Trinkle's instant (1996 (20)-(22)): A over h, and
//
//     b = W M^-1 f + W-dot nu
//
// in which f has the gyroscopic torques too, which a step leaves to its drift. W-dot nu is the five-point
// difference of W nu along the motion with nu held: to 1e-10 of nu^2 / m in double, 2e-5 in float.
//
// Cost: place, find and couple once, place and find four times more. Memory: sizeof(InstantRows), which has
// an A as large as the workspace's. What the workspace holds of the last step is overwritten. Failure: an
// Error, after which nothing is there.
#pragma once

#include "tactus/error.hpp"
#include "tactus/stepper/certify.hpp"

namespace tactus::stepper {

template <class Scalar, int Dim, Capacity C>
struct InstantRows {
  using Count = RowCount<Dim, C>;

  struct Touch {
    int contact = 0, slot = 0, row = 0;
    Scalar gap = 0, mu = 0;
  };
  // Row `part` of a joint of bodies, or of arms (part -1) a joint, a motor with a limit or a mimic. What does
  // not hold takes `friction` at most, N m or N, and has stops so far away, rad or m.
  struct Plain {
    int row = 0, joint = 0, part = -1;
    bool holds = false;
    Scalar friction = 0, lower = 0, upper = 0;
  };

  int count = 0, touches = 0, plains = 0;
  detail::Array<Touch, C.active> touch;
  detail::Array<Plain, Count::kPlain> plain;
  detail::Array<Scalar, Count::kAll> b, v, free;

  Scalar& A(int i, int j) { return A_[detail::at(i * Count::kAll + j)]; }
  const Scalar& A(int i, int j) const { return A_[detail::at(i * Count::kAll + j)]; }

 private:
  detail::Array<Scalar, Count::kAll * Count::kAll> A_;
};

namespace detail {

// How far beyond a step's reach points have rows, m: so that they are there where they have moved on.
inline constexpr double kInstantMargin = 1e-4;

template <class Scalar, int Dim, Capacity C>
inline Error find_at(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state, bool around,
                     Workspace<Scalar, Dim, C>& ws) {
  if constexpr (kRepeats<Dim, C>) ws.estimate.made = false;
  if (!valid_state(m, state) || !place(m, state, ws.placed)) return What::instant_state;
  find(m, state, ws.placed, ws.estimate, around ? Scalar(kInstantMargin) : Scalar(0), ws.found);
  if (!ws.found.good) return What::instant_state;
  if (ws.found.overflow) return {What::instant_points, -1, C.active + 1, C.active};
  return {};
}

// The rows of one island, behind those that are there.
template <class Scalar, int Dim, Capacity C>
class RowReader {
 public:
  RowReader(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
            const Workspace<Scalar, Dim, C>& ws, InstantRows<Scalar, Dim, C>& out)
      : m_(m), state_(state), placed_(ws.placed), rows_(ws.rows), out_(out), first_(out.count) {}

  void read(const Group<Scalar, Dim, C>& group) {
    out_.count += rows_.all;
    for (int i = 0; i < out_.count; ++i)
      for (int j = i < first_ ? first_ : 0; j < out_.count; ++j)
        out_.A(i, j) = i < first_ || j < first_ ? 0 : rows_.A[at((i - first_) * rows_.all + j - first_)];
    for (int r = 0; r < rows_.all; ++r) out_.b[at(first_ + r)] = rows_.b[at(r)];
    for (int r = 0; r < rows_.plain; ++r) read_plain(r);
    for (int k = 0; k < group.elements; ++k) {
      const auto& e = group[k];
      const int row = first_ + rows_.plain + k * Dim;
      out_.touch[at(out_.touches++)] = {e.contact, e.slot, row, e.gap, group.mu(k)};
      const auto [now, free] = approach(m_, state_, placed_, e);
      for (int c = 0; c < Dim; ++c) set_speeds(row + c, now[c], free[c]);
    }
  }

 private:
  void set_speeds(int row, Scalar now, Scalar free) {
    out_.v[at(row)] = now;
    out_.free[at(row)] = free - now;
  }

  void read_plain(int r) {
    const auto& law = rows_.staircase[at(r)];
    auto& plain = out_.plain[at(out_.plains++)];
    const bool holds = !(law.friction < law.kNever);
    plain = {first_ + r, 0, -1, holds, law.friction, law.lower * m_.h, law.upper * m_.h};
    if (r < rows_.bilateral) {
      const auto [a, b] = rows_.joint_pair[at(r)];
      const auto& row = rows_.joint_row[at(r)];
      plain.joint = rows_.joint[at(r)];
      for (int other = r; other >= 0 && rows_.joint[at(other)] == plain.joint; --other) ++plain.part;
      set_speeds(plain.row,
                 dynamics::speed<Scalar, Dim>(row, velocity_before(m_, state_, placed_, a),
                                              velocity_before(m_, state_, placed_, b)),
                 dynamics::speed<Scalar, Dim>(row, placed_.body[a].velocity, placed_.body[b].velocity));
    } else if constexpr (C.arm_joints > 0) {
      Scalar now = 0, free = 0;
      each_entry(m_, placed_, rows_, r, [&](int j, Scalar x) {
        now += x * state_.arm.qd[at(j)];
        free += x * placed_.arm.speed[at(j)];
        plain.joint = j;
      });
      set_speeds(plain.row, now, free);
    }
  }

  const Model<Scalar, Dim, C>& m_;
  const State<Scalar, Dim, C>& state_;
  const Placed<Scalar, Dim, C>& placed_;
  const Rows<Scalar, Dim, C>& rows_;
  InstantRows<Scalar, Dim, C>& out_;
  const int first_;
};

// Where everything will be `later`, seconds, with its velocity.
template <class Scalar, int Dim, Capacity C>
inline void move_on(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state, Scalar later,
                    State<Scalar, Dim, C>& moved) {
  moved = state;
  for (int i = 0; i < m.bodies; ++i) {
    if (!(m.inertia[at(i)].inverse_mass > 0)) continue;
    dynamics::Motion<Scalar, Dim> d;
    d.linear = later * state.velocity[at(i)].linear;
    d.angular = later * state.velocity[at(i)].angular;
    moved.pose[at(i)] = dynamics::displaced(state.pose[at(i)], d);
  }
  if constexpr (C.arm_joints > 0)
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) moved.arm.q[j] += later * state.arm.qd[j];
}

// The largest speed, at least 1.
template <class Scalar, int Dim, Capacity C>
inline Scalar fastest_of(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state) {
  Scalar fastest = 1;
  const auto note = [&](Scalar v) { fastest = math::larger(fastest, math::magnitude(v)); };
  for (int i = 0; i < m.bodies; ++i) {
    for (const Scalar v : state.velocity[at(i)].linear) note(v);
    for (const Scalar v : state.velocity[at(i)].angular) note(v);
  }
  if constexpr (C.arm_joints > 0)
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) note(state.arm.qd[j]);
  return fastest;
}

// Adds weight W nu of the world as it is placed to b, row by row; no number where a row is there no more.
template <class Scalar, int Dim, Capacity C>
inline void add_speeds(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state, Scalar weight,
                       const Workspace<Scalar, Dim, C>& ws, InstantRows<Scalar, Dim, C>& rows) {
  for (int i = 0; i < rows.touches; ++i) {
    const auto& touch = rows.touch[at(i)];
    math::Vector<Scalar, Dim> v;
    v.setConstant(std::numeric_limits<Scalar>::quiet_NaN());
    for (int k = 0; k < ws.found.elements; ++k)
      if (const auto& e = ws.found.element[at(k)]; e.slot == touch.slot && e.contact == touch.contact)
        v = approach(m, state, ws.placed, e).now;
    for (int c = 0; c < Dim; ++c) rows.b[at(touch.row + c)] += weight * v[c];
  }
  if constexpr (C.joints > 0) {
    for (int i = 0; i < rows.plains; ++i) {
      const auto& plain = rows.plain[at(i)];
      if (plain.part < 0) continue;
      const auto& joint = m.joint[at(plain.joint)];
      const auto [a, b] = joint.bodies;
      dynamics::Row<Scalar, Dim> row[dynamics::kJointRows<Dim>];
      Scalar off[dynamics::kJointRows<Dim>];
      dynamics::write_rows(joint, state.pose[a], state.pose[b], ws.placed.body[a], ws.placed.body[b], row,
                           off);
      rows.b[at(plain.row)] +=
          weight * dynamics::speed<Scalar, Dim>(row[plain.part], velocity_before(m, state, ws.placed, a),
                                                velocity_before(m, state, ws.placed, b));
    }
  }
}

}  // namespace detail

// around: points that are a little out of reach too.
template <class Scalar, int Dim, Capacity C>
inline Error read_rows(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state, bool around,
                       Workspace<Scalar, Dim, C>& ws, InstantRows<Scalar, Dim, C>& rows) {
  using namespace detail;
  rows.count = rows.touches = rows.plains = 0;
  if (const Error error = find_at(m, state, around, ws)) return error;
  find_islands(m, ws.found);
  for (int i = 0; i < ws.found.islands; ++i) {
    const Group<Scalar, Dim, C> group(ws.found, ws.found.island[at(i)]);
    couple(m, state, ws.placed, ws.estimate, group, ws.rows);
    RowReader<Scalar, Dim, C>(m, state, ws, rows).read(group);
  }
  return {};
}

// Of rows that were read of `state`. moved: scratch.
template <class Scalar, int Dim, Capacity C>
inline Error to_accelerations(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                              State<Scalar, Dim, C>& moved, Workspace<Scalar, Dim, C>& ws,
                              InstantRows<Scalar, Dim, C>& rows) {
  using namespace detail;
  for (int i = 0; i < rows.count; ++i) {
    rows.b[at(i)] = rows.free[at(i)] / m.h;
    for (int j = 0; j < rows.count; ++j) rows.A(i, j) /= m.h;
  }
  const Scalar eps = (sizeof(Scalar) == 8 ? Scalar(1e-3) : Scalar(4e-3)) / fastest_of(m, state);
  constexpr Scalar kWeight[] = {Scalar(1) / 12, Scalar(-8) / 12, Scalar(8) / 12, Scalar(-1) / 12};
  constexpr Scalar kPlace[] = {-2, -1, 1, 2};
  for (int k = 0; k < 4; ++k) {
    move_on(m, state, kPlace[k] * eps, moved);
    if (const Error error = find_at(m, moved, true, ws)) return error;
    add_speeds(m, moved, kWeight[k] / eps, ws, rows);
  }
  return {};
}

}  // namespace tactus::stepper
