// Friction ellipsoids with torsion in the rigid law: the problem with a fourth row, the turn about the
// normal, an element. With the rows t, o, r multiplied by the axes e_k (contact/friction_ellipsoid.hpp),
// y_k = lambda_k / e_k, friction is Coulomb's law in one dimension more, and solved as such. Only worlds with
// Capacity::torsion have it, and none with arms.
//
// Cost: A entry by entry, (4 elements)^2 / 2 couplings of rows. Memory: the second A, and five numbers a row.
#pragma once

#include "tactus/stepper/island.hpp"

namespace tactus::stepper::detail {

// Row k = n, t, o or r of an element.
template <class Scalar>
inline dynamics::Row<Scalar, 3> torsion_row(const dynamics::PointFrame<Scalar, 3>& frame, int k) {
  if (k < 3) return dynamics::row_of(frame, k);
  return {math::Vector<Scalar, 3>::Zero(), frame.axis[0], frame.axis[0]};
}

// A += R of the contacts that give way; these have no ellipsoid, so their units are 1.
template <class Scalar, Capacity C>
inline void add_compliance_beside(const Model<Scalar, 3, C>& m, const Group<Scalar, 3, C>& group, Scalar* A,
                                  int stride) {
  for (int i = 0; i < group.elements; ++i, A += 4 * (stride + 1)) {
    const auto& c = m.contact[group[i].contact];
    Scalar own[9];
    const Scalar* const R = group[i].within == 0 ? R_of<C>(m, c, own) : nullptr;
    if (R == nullptr) continue;
    const int size = c.elements * 3;
    for (int r = 0; r < size; ++r)
      for (int k = 0; k < size; ++k) A[(r / 3 * 4 + r % 3) * stride + k / 3 * 4 + k % 3] += R[r * size + k];
  }
}

// A and b with the friction rows in units of the axes.
template <class Scalar, Capacity C>
inline contact::Problem<Scalar, 4> couple_torsion(const Model<Scalar, 3, C>& m,
                                                  const Placed<Scalar, 3, C>& placed,
                                                  const Group<Scalar, 3, C>& group,
                                                  const Rows<Scalar, 3, C>& rows,
                                                  TorsionScratch<Scalar, C>& out) {
  const int n = rows.plain + group.elements * 4;
  struct Side {
    dynamics::Row<Scalar, 3> row;
    dynamics::Pair pair;
    Scalar unit;
  };
  const auto side = [&](int r) -> Side {
    if (r < rows.plain) return {rows.joint_row[at(r)], rows.joint_pair[at(r)], 1};
    const auto& e = group[(r - rows.plain) / 4];
    const int k = (r - rows.plain) % 4;
    return {torsion_row(e.frame, k), e.bodies, k == 0 ? Scalar(1) : m.ellipsoid[e.contact][k - 1]};
  };
  for (int r = 0; r < n; ++r) {
    const auto [row, pair, unit] = side(r);
    const auto turn = dynamics::turn_of(row, pair, placed.body);
    const int e = (r - rows.plain) / 4, k = (r - rows.plain) % 4;
    const Scalar offset = k < 3 && r >= rows.plain ? group.offset(e)[k] : Scalar(0);
    out.b[at(r)] =
        r < rows.plain
            ? rows.b[at(r)]
            : unit *
                  (dynamics::speed(row, placed.body[pair.a].velocity, placed.body[pair.b].velocity) + offset);
    for (int c = 0; c <= r; ++c) {
      const auto other = side(c);
      out.A[at(r * n + c)] = out.A[at(c * n + r)] =
          m.h * unit * other.unit * dynamics::coupling(other.row, other.pair, row, turn, pair, placed.body);
    }
  }
  if constexpr (kGivesWay<C>) add_compliance_beside(m, group, out.A.data() + rows.plain * (n + 1), n);
  contact::Problem<Scalar, 4> p;
  p.elements = group.elements;
  p.A = out.A.data();
  p.stride = n;
  p.b = out.b.data();
  p.mu = rows.mu.data();
  p.plain = rows.plain;
  p.staircase = rows.staircase.data();
  return p;
}

// The answer in the rows that others have.
template <class Scalar, Capacity C>
inline void take_torsion(const Model<Scalar, 3, C>& m, const Group<Scalar, 3, C>& group,
                         const Rows<Scalar, 3, C>& rows, SolveScratch<Scalar, 3, C>& scratch,
                         Answer<Scalar, 3, C>& answer) {
  const auto& work = scratch.torsion;
  for (int r = 0; r < rows.plain; ++r) {
    scratch.lambda[at(r)] = work.lambda[at(r)];
    scratch.s[at(r)] = work.s[at(r)];
  }
  for (int i = 0; i < group.elements; ++i) {
    const auto axes = m.ellipsoid[group[i].contact];
    for (int k = 0; k < 3; ++k) {
      const int from = rows.plain + 4 * i + k, to = rows.plain + 3 * i + k;
      scratch.lambda[at(to)] = (k == 0 ? Scalar(1) : axes[k - 1]) * work.lambda[at(from)];
      scratch.s[at(to)] = work.s[at(from)];
    }
    answer.moment[group.index(i)] = axes[2] * work.lambda[at(rows.plain + 4 * i + 3)];
  }
}

}  // namespace tactus::stepper::detail
