// The directions of a friction pyramid of 4, 8 or 16 facets, and what the facets cost.
//
// The pyramid is conv{ mu lambda_n d_k }: its corners lie on Coulomb's cone. When slip goes along a corner
// the friction is exact in size and direction; between two corners its size falls to cos(pi / k) of Coulomb's
// at worst, and it is off the slip direction by up to pi / k. So each element turns its own pyramid,
// along a slip that is known beforehand.
//
// The step takes these for the answers of its path only (stepper/path.hpp), of four facets; the LCPs of
// stewart.hpp take any.
#pragma once

#include <array>

namespace tactus::contact {

inline constexpr int kMaxFacets = 16;

constexpr bool valid_facets(int k) {
  return k == 4 || k == 8 || k == 16;
}

// cos(2 pi j / 16), j = 0 ... 15; the sines are the same table a quarter turn on.
template <class Scalar>
inline constexpr std::array<Scalar, kMaxFacets> kFacetCosine = [] {
  constexpr double a = 0.92387953251128675613, b = 0.70710678118654752440, c = 0.38268343236508977173;
  return std::array<Scalar, kMaxFacets>{
      Scalar(1),  Scalar(a),  Scalar(b),  Scalar(c),  Scalar(0), Scalar(-c), Scalar(-b), Scalar(-a),
      Scalar(-1), Scalar(-a), Scalar(-b), Scalar(-c), Scalar(0), Scalar(c),  Scalar(b),  Scalar(a)};
}();

template <class Scalar>
struct Direction {
  Scalar t = 0, o = 0;
};

// Direction j of k, turned so that direction 0 is the unit vector `first`.
template <class Scalar>
inline Direction<Scalar> facet_direction(int j, int k, Direction<Scalar> first) {
  const int step = (j * (kMaxFacets / k)) % kMaxFacets;
  const Scalar c = kFacetCosine<Scalar>[static_cast<std::size_t>(step)];
  const Scalar s = kFacetCosine<Scalar>[static_cast<std::size_t>((step + 12) % kMaxFacets)];
  return {c * first.t - s * first.o, s * first.t + c * first.o};
}

// The largest relative shortfall of the friction force of k facets against Coulomb's cone: 1 - cos(pi / k),
// that is 29.3 %, 7.6 % and 1.9 % for 4, 8 and 16, and 0 in the plane (k = 2).
template <class Scalar = double>
constexpr Scalar facet_error(int k) {
  return k == 4    ? Scalar(0.29289321881345247560)
         : k == 8  ? Scalar(0.07612046748871324387)
         : k == 16 ? Scalar(0.01921471959676955087)
                   : Scalar(0);
}

}  // namespace tactus::contact
