// The closest points of two bodies where they stand: Newton's method on the rows of closest_points.hpp, with
// a start of its own where none is known.
//
//     geometry::ClosestPoints<double, 3> at;
//     if (geometry::find<double, 3, 1>(a, b, length, at)) use(at.gap);
//
// Cost: at most kClosestIterations linear systems of up to 4 Dim + 1 unknowns for each degree of bending; a
// clock is asked before each, and one that ends it leaves the best points so far.
// Memory: 1.3 kB of stack in double. Failure: false, with the best points so far.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/geometry/closest_points.hpp"
#include "tactus/math/elimination.hpp"

namespace tactus::geometry {

// Where the points will be when they go on as from `before` to `now`; `now` itself where the pieces have
// changed.
template <class Scalar, int Dim>
inline ClosestPoints<Scalar, Dim> gone_on(const ClosestPoints<Scalar, Dim>& before,
                                          const ClosestPoints<Scalar, Dim>& now) {
  ClosestPoints<Scalar, Dim> next = now;
  if (!before.known || before.active != now.active || before.piece != now.piece) return next;
  next.a += now.a - before.a;
  next.b += now.b - before.b;
  next.gap += now.gap - before.gap;
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < now.active[s]; ++i)
      next.weight[s][i] += now.weight[s][i] - before.weight[s][i];
  return next;
}

// A first guess: where the line between the origins leaves the bodies; for a half-space the foot below the
// other's origin.
template <class Scalar, int Dim, int Pieces>
inline void guess(const Placed<Scalar, Dim, Pieces>& A, const Placed<Scalar, Dim, Pieces>& B,
                  ClosestPoints<Scalar, Dim>& at) {
  using V = VectorOf<Scalar, Dim>;
  const Placed<Scalar, Dim, Pieces>* const body[2] = {&A, &B};
  V u = math::direction<Scalar, Dim>(B.frame.position - A.frame.position, V::Unit(Dim - 1));
  for (int s = 0; s < 2; ++s)
    if (!(body[s]->surface->radius > 0)) {
      u = body[s]->frame.turn((*body[s]->surface)[0].normal);
      if (s == 1) u = -u;
    }
  V point[2];
  for (int s = 0; s < 2; ++s) {
    const auto& surface = *body[s]->surface;
    if (!(surface.radius > 0)) continue;
    const V inward = body[s]->frame.turn_back(s == 0 ? u : V(-u));
    int through = 0;
    const V x = leave(surface, inward, through) * inward;
    point[s] = body[s]->frame.to_world(x);
    const auto i = static_cast<std::size_t>(s);
    at.active[i] = 1;
    at.piece[i][0] = static_cast<std::uint8_t>(through);
    at.weight[i][0] = 1 / math::norm(surface[through].gradient(x));
  }
  for (int s = 0; s < 2; ++s) {
    const auto& surface = *body[s]->surface;
    if (surface.radius > 0) continue;
    const V& other = point[1 - s];
    const V n = surface[0].normal;
    const V x = body[s]->frame.to_body(other);
    point[s] = body[s]->frame.to_world(V(x - surface[0].value(x) * n));
    const auto i = static_cast<std::size_t>(s);
    at.active[i] = 1;
    at.piece[i][0] = 0;
    at.weight[i][0] = 1;
  }
  at.a = point[0];
  at.b = point[1];
  at.gap = math::dot(u, V(at.b - at.a));
  at.known = true;
}

// Newton's method on the rows at fixed poses, from `at`; at most kClosestIterations linear systems of up to 4
// Dim + 1 unknowns (1.3 kB of stack in double). False, with the best points so far, where it does not get to
// rounding.
inline constexpr int kClosestIterations = 60;

template <class Scalar, int Dim, int Pieces, Clock Time>
inline bool solve(const Placed<Scalar, Dim, Pieces>& A, const Placed<Scalar, Dim, Pieces>& B, Scalar length,
                  ClosestPoints<Scalar, Dim>& at, Time& clock) {
  constexpr int N = kMostClosestUnknowns<Dim>;
  constexpr Scalar kEpsilon = std::numeric_limits<Scalar>::epsilon();
  Scalar J[N * N], b[N], x[N], column[N];
  std::int16_t pivot[N], filled[N];
  const auto size = [](const Scalar* row, int n) {
    Scalar worst = 0;
    for (int i = 0; i < n; ++i) worst = std::fabs(row[i]) <= worst ? worst : std::fabs(row[i]);
    return worst;
  };
  Scalar reach = math::norm(at.a) + math::norm(at.b);
  const Scalar rounding = 16 * kEpsilon * (1 + reach / length);
  for (int k = 0; k < kClosestIterations; ++k) {
    const bool changed_a = choose_active(A, 0, at), changed_b = choose_active(B, 1, at);
    const ClosestRows<Scalar, Dim, Pieces> rows(A, B, at, length);
    const int n = rows.count();
    rows.residual(b);
    const Scalar worst = size(b, n);
    if (!(worst - worst == 0)) return false;
    if (worst <= rounding && !changed_a && !changed_b) return at.weight[0][0] >= 0 && at.weight[1][0] >= 0;
    if (!clock.go_on(tactus::Piece::closest, n, 0)) return false;
    for (int c = 0; c < n; ++c) {
      ClosestChange<Scalar, Dim> d;
      set_unknown(d, at, c, Scalar(1), length);
      rows.change(d, column);
      for (int r = 0; r < n; ++r) J[r * N + c] = column[r];
      b[c] = -b[c];
    }
    math::eliminate(J, n, N, b, x, pivot, filled, 64 * kEpsilon);
    // No point moves by more than half a body, no normal by more than itself; and the rows must not grow
    // much.
    Scalar share = 1;
    for (int i = 0; i < n; ++i)
      share = std::fabs(x[i]) * share > Scalar(0.7) ? Scalar(0.7) / std::fabs(x[i]) : share;
    const auto before = at;
    for (int halving = 0; halving < 6; ++halving, share /= 4) {
      at = before;
      add_unknowns(at, x, length, share);
      const ClosestRows<Scalar, Dim, Pieces> next(A, B, at, length);
      next.residual(b);
      if (size(b, n) <= 2 * worst) break;
    }
  }
  return false;
}

// The body with its flat faces bent inwards to balls of radius `radius / bend`, about their own middles;
// false where it has none. Below kFlat bent is flat.
template <class Scalar>
inline constexpr Scalar kFlat = sizeof(Scalar) == 4 ? Scalar(1e-4) : Scalar(1e-8);

template <class Scalar, int Dim, int Pieces>
inline bool bend_faces(const Surface<Scalar, Dim, Pieces>& flat, Scalar bend,
                       Surface<Scalar, Dim, Pieces>& out) {
  bool any = false;
  out = flat;
  if (!(flat.radius > 0)) return false;
  for (int k = 0; k < flat.count; ++k) {
    auto& p = out.piece[static_cast<std::size_t>(k)];
    if (!p.bend.isZero(0)) continue;
    any = true;
    p.centre += p.offset * p.normal;
    p.offset = 0;
    p.bend.setConstant(bend / flat.radius);
  }
  return any;
}

// The closest points without a known start. Faces that are flat leave the points undetermined until the edge
// or corner is found where they end; so they are bent first, and less and less.
template <class Scalar, int Dim, int Pieces, Clock Time = const NoClock>
inline bool find(const Placed<Scalar, Dim, Pieces>& A, const Placed<Scalar, Dim, Pieces>& B, Scalar length,
                 ClosestPoints<Scalar, Dim>& at, Time& clock = kNoClock) {
  guess(A, B, at);
  at.known = false;
  Surface<Scalar, Dim, Pieces> a, b;
  for (Scalar bend = Scalar(0.5); bend > kFlat<Scalar>; bend /= 8) {
    const bool any_a = bend_faces(*A.surface, bend, a), any_b = bend_faces(*B.surface, bend, b);
    if (!any_a && !any_b) break;
    const auto before = at;
    const bool found = solve<Scalar, Dim, Pieces>({&a, A.frame}, {&b, B.frame}, length, at, clock);
    if (!found && before.known) at = before;
    at.known = found || before.known;
  }
  const auto before = at;
  const bool found = solve<Scalar, Dim, Pieces>(A, B, length, at, clock);
  // Faces parallel to rounding: any point of them is a closest one, and the last bent one is as good.
  if (!found && before.known) at = before;
  at.known = found || before.known;
  return at.known;
}

}  // namespace tactus::geometry
