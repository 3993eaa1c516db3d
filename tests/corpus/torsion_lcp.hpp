// The friction ellipsoid with torsion as a polyhedron, for Stewart's LCP (2.16). For tests; the step has the
// ellipsoid itself (stepper/torsion.hpp).
//
// An element has four rows, n, t, o and the turn r about n. With the rows t, o, r multiplied by the axes e_k
// (friction_ellipsoid.hpp), y_k = lambda_k / e_k, the friction set is a ball of radius mu lambda_n, and is
// taken as
//
//     conv{ mu lambda_n d_j },   d_j = (cos phi cos theta, cos phi sin theta, sin phi)
//
// k meridians theta and k/2 + 1 latitudes phi, each 2 pi / k apart, the poles counted once. Directions in the
// tangent plane and two poles alone are no such set: however many there are, the chord from the equator to a
// pole stays at 1 / sqrt 2 of the ball.
//
// Error: a unit vector is at most pi / k from the nearest meridian and latitude, x and y say, so its angle to
// the corner there has cos = cos x - cos phi cos phi' (1 - cos y) >= 2 cos(pi / k) - 1. The polyhedron
// dissipates at least that share of what the ball does: error(k) = 2 (1 - cos(pi / k)), 15.2 %
// and 3.8 % for k = 8 and 16. As in the tangent plane each element turns its set, so that corner 0 lies along
// the slip, where friction is exact.
//
// Cost and memory: an LCP of corners(k) + 2 unknowns an element, 28 and 116. Where mu or an axis is
// zero, corners coincide; the solver's rules for ties have it.
#pragma once

#include <cmath>
#include <cstdint>

#include "tactus/contact/problem.hpp"
#include "tactus/contact/pyramid.hpp"

namespace tactus::contact::torsion {

inline constexpr int kRows = 4;  // n, t, o, r

constexpr bool valid_facets(int k) {
  return k == 8 || k == 16;
}

constexpr int corners(int k) {
  return k * (k / 2 - 1) + 2;
}

constexpr int unknowns(int elements, int k) {
  return elements * (corners(k) + 2);
}

template <class Scalar = double>
constexpr Scalar error(int k) {
  return 2 * facet_error<Scalar>(k);
}

// A rotation or reflection, and by it the corners of one element.
template <class Scalar>
struct Corners {
  Scalar turn[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  // Corner 0 along x, unless that is no longer than `still`. With a = x / |x| and e = (1, 0, 0), the
  // reflection along a + e takes e to -a, that along a - e takes it to a; the first never divides by little
  // where a_x >= 0, the second where a_x <= 0. The set is as good reflected as turned.
  void turn_along(const Scalar* x, Scalar still) {
    const Scalar size = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (!(size > still)) return;
    const Scalar sign = x[0] < 0 ? Scalar(-1) : Scalar(1);
    const Scalar v[3] = {x[0] / size + sign, x[1] / size, x[2] / size};
    const Scalar square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        turn[i][j] = -sign * ((i == j ? Scalar(1) : Scalar(0)) - 2 * v[i] * v[j] / square);
  }

  // Corner j of k meridians: the equator first, then the latitudes up and down by turns, then the poles.
  void operator()(int j, int k, Scalar (&d)[3]) const {
    const int ring = j / k, rings = k / 2 - 1, step = kMaxFacets / k;
    const auto cosine = [](int at) {
      return kFacetCosine<Scalar>[static_cast<std::size_t>((at % kMaxFacets + kMaxFacets) % kMaxFacets)];
    };
    int latitude = (ring + 1) / 2 * (ring % 2 == 1 ? 1 : -1), meridian = j % k;
    if (ring == rings) {
      latitude = j % k == 0 ? k / 4 : -k / 4;
      meridian = 0;
    }
    const Scalar flat = cosine(latitude * step), up = cosine(latitude * step - kMaxFacets / 4);
    const Scalar local[3] = {flat * cosine(meridian * step), flat * cosine(meridian * step - kMaxFacets / 4),
                             up};
    for (int i = 0; i < 3; ++i) d[i] = turn[i][0] * local[0] + turn[i][1] * local[1] + turn[i][2] * local[2];
  }
};

// z = (lambda_n, beta, sigma); rows as in stewart.hpp.
template <class Scalar>
inline void to_lcp(const Problem<Scalar, kRows>& p, int k, const Corners<Scalar>* set, Scalar* M, int stride,
                   Scalar* q, std::uint8_t* block) {
  const int ne = p.elements, corner = corners(k), sigma = ne + ne * corner, n = unknowns(ne, k);
  for (int i = 0; i < n * stride; ++i) M[i] = 0;
  for (int i = 0; i < ne; ++i) {
    const Scalar* const normal = p.A + kRows * i * p.stride;
    q[i] = p.b[kRows * i];
    q[sigma + i] = 0;
    block[i] = 0;
    block[sigma + i] = 1;
    M[(sigma + i) * stride + i] = p.mu[i];
    for (int j = 0; j < ne; ++j) M[i * stride + j] = normal[kRows * j];
    for (int f = 0; f < corner; ++f) {
      Scalar d[3];
      set[i](f, k, d);
      const int r = ne + i * corner + f;
      q[r] = 0;
      for (int c = 0; c < 3; ++c) q[r] += d[c] * p.b[kRows * i + 1 + c];
      block[r] = 0;
      M[r * stride + sigma + i] = 1;
      M[(sigma + i) * stride + r] = -1;
      for (int j = 0; j < ne; ++j) {
        // d^T of the rows t, o, r of element i in the columns of element j.
        Scalar x[kRows] = {};
        for (int l = 0; l < kRows; ++l)
          for (int c = 0; c < 3; ++c) x[l] += d[c] * p.A[(kRows * i + 1 + c) * p.stride + kRows * j + l];
        M[r * stride + j] = M[j * stride + r] = x[0];
        for (int g = 0; g < corner; ++g) {
          Scalar e[3];
          set[j](g, k, e);
          M[r * stride + ne + j * corner + g] = e[0] * x[1] + e[1] * x[2] + e[2] * x[3];
        }
      }
    }
  }
}

// From z and w of the LCP: lambda and s in units of the axes, kRows an element, and the friction used, e^T
// beta, in N. The row of beta_j holds d_j . s_T + sigma, so three corners at right angles say s_T.
template <class Scalar>
inline void from_lcp(int ne, int k, const Corners<Scalar>* set, const Scalar* z, const Scalar* w,
                     Scalar* lambda, Scalar* s, Scalar* used) {
  const int corner = corners(k), sigma = ne + ne * corner;
  for (int i = 0; i < ne; ++i) {
    Scalar* const y = lambda + kRows * i;
    Scalar* const u = s + kRows * i;
    y[0] = z[i];
    u[0] = w[i];
    for (int c = 1; c < kRows; ++c) y[c] = u[c] = 0;
    used[i] = 0;
    for (int f = 0; f < corner; ++f) {
      const int r = ne + i * corner + f;
      Scalar d[3];
      set[i](f, k, d);
      const bool axis = f == 0 || f == k / 4 || f == corner - 2;
      for (int c = 0; c < 3; ++c) {
        y[c + 1] += z[r] * d[c];
        if (axis) u[c + 1] += (w[r] - z[sigma + i]) * d[c];
      }
      used[i] += z[r];
    }
  }
}

}  // namespace tactus::contact::torsion
