// The closest points of two convex bodies given as implicit surfaces, as unknowns of equations: Chakraborty
// 2007 (8)-(9) for one surface a body, (19)-(22) for intersections.
//
// a on body A (f_i <= 0) and b on body B (g_j <= 0) are the closest points iff with multipliers l >= 0
//
//     G = sum l_i grad f_i(a),    G + sum l_j grad g_j(b) = 0           normals opposed                 (Dim
//     rows) b - a - gap G = 0                                                the line between along them
//     (Dim) (G . G - 1) / 2 = 0                                              so that G = n is the unit normal
//     (1) f_i(a) = 0, g_j(b) = 0                                           for the active pieces (one each)
//
// The unknowns are a, b, gap and one l for each active piece: as many as rows. Written with the unit vector
// n, as the paper does in (9), the gap is signed and touching differs from intersecting, so Newton's method
// may pass through penetration. For gap >= 0 these are the KKT conditions of a convex problem: a solution is
// the global one.
//
// Active pieces are found on the way (primal-dual active sets): a piece is active where l + f / radius > 0,
// at most Dim of them, the largest. At an edge two are, at a corner three.
//
// Where two faces or edges are parallel the points are not unique and the rows have a null space. Alone,
// solve() (closest_search.hpp) then keeps the points where they were; within a step they are determined by
// the balance of moments, and land where one force alone holds the body: at the centre of pressure.
#pragma once

#include "tactus/geometry/implicit_surface.hpp"

namespace tactus::geometry {

// World coordinates. `known` is false until a first solution was found.
template <class Scalar, int Dim>
struct ClosestPoints {
  bool known = false;
  std::array<std::uint8_t, 2> active{};                                            // pieces of A and of B
  std::array<std::array<std::uint8_t, static_cast<std::size_t>(Dim)>, 2> piece{};  // which
  std::array<std::array<Scalar, static_cast<std::size_t>(Dim)>, 2> weight{};       // l
  VectorOf<Scalar, Dim> a = VectorOf<Scalar, Dim>::Zero(), b = VectorOf<Scalar, Dim>::Zero();
  Scalar gap = 0;  // m, signed

  int weights() const { return active[0] + active[1]; }
  int unknowns() const { return 2 * Dim + 1 + weights(); }
};

// A body where it is.
template <class Scalar, int Dim, int Pieces>
struct Placed {
  const Surface<Scalar, Dim, Pieces>* surface;
  FrameOf<Scalar, Dim> frame;
};

template <int Dim>
inline constexpr int kMostClosestUnknowns = 4 * Dim + 1;

// omega x r, in the plane with omega a number.
template <class Scalar>
math::Vector2<Scalar> swept(const Eigen::Matrix<Scalar, 1, 1>& omega, const math::Vector2<Scalar>& r) {
  return {-omega[0] * r.y(), omega[0] * r.x()};
}
template <class Scalar>
math::Vector3<Scalar> swept(const math::Vector3<Scalar>& omega, const math::Vector3<Scalar>& r) {
  return math::cross(omega, r);
}

// A small change of everything the rows depend on. Turns are rotation vectors.
template <class Scalar, int Dim>
struct ClosestChange {
  using V = VectorOf<Scalar, Dim>;
  using Turn = Eigen::Matrix<Scalar, Dim == 2 ? 1 : 3, 1>;
  std::array<V, 2> move{V::Zero(), V::Zero()};  // of the bodies' origins
  std::array<Turn, 2> turn{Turn::Zero(), Turn::Zero()};
  V a = V::Zero(), b = V::Zero();
  Scalar gap = 0;
  std::array<std::array<Scalar, static_cast<std::size_t>(Dim)>, 2> weight{};
};

// The rows at given points and poses, and their derivative along a change. Lengths are divided by `length` in
// the rows, so that all are without unit.
template <class Scalar, int Dim, int Pieces>
class ClosestRows {
 public:
  using V = VectorOf<Scalar, Dim>;

  ClosestRows(const Placed<Scalar, Dim, Pieces>& A, const Placed<Scalar, Dim, Pieces>& B,
              const ClosestPoints<Scalar, Dim>& at, Scalar length)
      : at_(at), per_length_(1 / length) {
    const Placed<Scalar, Dim, Pieces>* const body[2] = {&A, &B};
    for (int s = 0; s < 2; ++s) {
      auto& side = side_[s];
      side.frame = body[s]->frame;
      side.bend.setZero();
      V sum = V::Zero();
      const V x = side.frame.to_body(s == 0 ? at.a : at.b);
      for (int i = 0; i < active(s); ++i) {
        const auto& piece = (*body[s]->surface)[at.piece[at_index(s)][at_index(i)]];
        const V gradient = piece.gradient(x);
        const Scalar l = at.weight[at_index(s)][at_index(i)];
        side.value[i] = piece.value(x);
        side.gradient[i] = side.frame.turn(gradient);
        side.bend += l * piece.bend;
        sum += l * gradient;
      }
      side.G = side.frame.turn(sum);
    }
    size_ = math::norm(side_[0].G);
    normal_ = size_ > 0 ? V(side_[0].G / size_) : V::Unit(0);
  }

  int count() const { return at_.unknowns(); }
  // From A to B, of unit length also where the rows are not zero yet.
  const V& normal() const { return normal_; }
  V normal_change(const V& G_change) const {
    const V scaled = G_change / size_;
    return scaled - math::dot(normal_, scaled) * normal_;
  }

  void residual(Scalar* row) const {
    const V& G = side_[0].G;
    const V apart = at_.b - at_.a;
    for (int k = 0; k < Dim; ++k) {
      row[k] = G[k] + side_[1].G[k];
      row[Dim + k] = (apart[k] - at_.gap * G[k]) * per_length_;
    }
    row[2 * Dim] = (math::dot(G, G) - 1) / 2;
    Scalar* r = row + 2 * Dim + 1;
    for (int s = 0; s < 2; ++s)
      for (int i = 0; i < active(s); ++i) *r++ = side_[s].value[i] * per_length_;
  }

  // The change of the rows; returns that of G.
  V change(const ClosestChange<Scalar, Dim>& d, Scalar* row) const {
    V G_change[2];
    Scalar* r = row + 2 * Dim + 1;
    for (int s = 0; s < 2; ++s) {
      const auto& side = side_[s];
      const V& x = s == 0 ? at_.a : at_.b;
      // How the point moves within the body: f changes by grad f . v, grad f by H v + turn x grad f.
      const V v = (s == 0 ? d.a : d.b) -
                  (d.move[at_index(s)] + swept<Scalar>(d.turn[at_index(s)], x - side.frame.position));
      V sum = side.frame.turn(side.bend.cwiseProduct(side.frame.turn_back(v))) +
              swept<Scalar>(d.turn[at_index(s)], side.G);
      for (int i = 0; i < active(s); ++i) {
        sum += d.weight[at_index(s)][at_index(i)] * side.gradient[i];
        *r++ = math::dot(side.gradient[i], v) * per_length_;
      }
      G_change[s] = sum;
    }
    for (int k = 0; k < Dim; ++k) {
      row[k] = G_change[0][k] + G_change[1][k];
      row[Dim + k] = (((d.b[k] - d.a[k]) - d.gap * side_[0].G[k]) - at_.gap * G_change[0][k]) * per_length_;
    }
    row[2 * Dim] = math::dot(side_[0].G, G_change[0]);
    return G_change[0];
  }

 private:
  static constexpr std::size_t at_index(int i) { return static_cast<std::size_t>(i); }
  int active(int s) const { return at_.active[at_index(s)]; }

  struct Side {
    FrameOf<Scalar, Dim> frame;
    Scalar value[Dim];
    V gradient[Dim];
    V G, bend;  // sum l grad f, and the diagonal of sum l D in the body frame
  };
  const ClosestPoints<Scalar, Dim>& at_;
  Scalar per_length_, size_;
  V normal_;
  Side side_[2];
};

// A change of one unknown by `step`, lengths in units of `length`: number k of a, b, gap, l.
template <class Scalar, int Dim>
inline void set_unknown(ClosestChange<Scalar, Dim>& d, const ClosestPoints<Scalar, Dim>& at, int k,
                        Scalar step, Scalar length) {
  if (k < Dim) {
    d.a[k] = step * length;
  } else if (k < 2 * Dim) {
    d.b[k - Dim] = step * length;
  } else if (k == 2 * Dim) {
    d.gap = step * length;
  } else {
    const int i = k - (2 * Dim + 1), s = i < at.active[0] ? 0 : 1;
    d.weight[static_cast<std::size_t>(s)][static_cast<std::size_t>(i - s * at.active[0])] = step;
  }
}

template <class Scalar, int Dim>
inline void add_unknowns(ClosestPoints<Scalar, Dim>& at, const Scalar* step, Scalar length, Scalar share) {
  const Scalar metres = share * length;
  for (int k = 0; k < Dim; ++k) {
    at.a[k] += metres * step[k];
    at.b[k] += metres * step[Dim + k];
  }
  at.gap += metres * step[2 * Dim];
  const Scalar* l = step + 2 * Dim + 1;
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < at.active[s]; ++i) at.weight[s][i] += share * *l++;
}

// Chooses the active pieces anew; true where they changed. A piece that becomes active starts with l = 0.
template <class Scalar, int Dim, int Pieces>
inline bool choose_active(const Placed<Scalar, Dim, Pieces>& body, std::size_t s,
                          ClosestPoints<Scalar, Dim>& at) {
  const auto& surface = *body.surface;
  if (surface.count == 1) return false;
  const auto x = body.frame.to_body(s == 0 ? at.a : at.b);
  // Rounding of f and l is no reason to change.
  constexpr Scalar kIdle = 64 * std::numeric_limits<Scalar>::epsilon();
  Scalar score[Dim], weight[Dim];
  int chosen[Dim], count = 0;
  for (int k = 0; k < surface.count; ++k) {
    Scalar l = 0;
    bool was = false;
    for (std::size_t i = 0; i < at.active[s]; ++i)
      if (at.piece[s][i] == k) l = at.weight[s][i], was = true;
    const Scalar c = l + surface[k].value(x) / surface.radius + (was ? kIdle : -kIdle);
    if (!(c > 0) && count > 0) continue;
    if (count > 0 && !(score[0] > 0)) count = 0;  // the one kept for want of a better
    if (count == Dim && !(c > score[Dim - 1])) continue;
    int place = count < Dim ? count++ : Dim - 1;
    for (; place > 0 && c > score[place - 1]; --place) {
      score[place] = score[place - 1];
      weight[place] = weight[place - 1];
      chosen[place] = chosen[place - 1];
    }
    score[place] = c;
    weight[place] = l;
    chosen[place] = k;
  }
  bool same = count == at.active[s];
  for (int i = 0; i < count && same; ++i) {
    bool found = false;
    for (int j = 0; j < count; ++j) found = found || at.piece[s][static_cast<std::size_t>(j)] == chosen[i];
    same = found;
  }
  if (same) return false;
  at.active[s] = static_cast<std::uint8_t>(count);
  Scalar sum = 0;
  for (int i = 0; i < count; ++i) sum += weight[i];
  for (int i = 0; i < count; ++i) {
    at.piece[s][static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(chosen[i]);
    at.weight[s][static_cast<std::size_t>(i)] = sum > 0 ? weight[i] : Scalar(1) / static_cast<Scalar>(count);
  }
  return true;
}

}  // namespace tactus::geometry
