// The numbers of the solver, each with its reason. Everything that was tuned is here.
//
// The tolerances were chosen on 3,560 contact problems of five seeds of the peers' generator, n = 5 ... 180,
// so those seeds are no test of them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "tactus/lcp/ratio_test.hpp"

namespace tactus::lcp {

enum class Start : std::uint8_t {
  all_w,      // z = 0, the textbook's
  negative_q  // the z of all rows with q < 0 basic: in a bimatrix game every path from z = 0 ends on a ray
};

template <class Scalar>
struct Rule {
  Tolerances<Scalar> tolerances;
  Scalar perturbation;  // added to the scaled q, 1 to 2 times, other for every row: guides the path out of
                        // ties that rounding has spoilt; the basis it finds is solved from the true q
  Start start;
};

template <class Scalar>
inline constexpr Scalar kEpsilon = std::numeric_limits<Scalar>::epsilon();

// In multiples of epsilon. Double has digits to spare: what is closer than 2e-9 is a tie. Float has not: a
// wide tie takes for equal what is not, a narrow one is broken by rounding, and the rules differ in that.
template <class Scalar>
inline constexpr std::array<Rule<Scalar>, 4> kRules = {{
    {{Scalar(1e5) * kEpsilon<Scalar>, Scalar(1e7) * kEpsilon<Scalar>, Scalar(1)}, Scalar(0), Start::all_w},
    {{Scalar(1e3) * kEpsilon<Scalar>, Scalar(1e3) * kEpsilon<Scalar>, Scalar(1)}, Scalar(0), Start::all_w},
    {{Scalar(1e3) * kEpsilon<Scalar>, Scalar(1e3) * kEpsilon<Scalar>, Scalar(1)}, Scalar(1e-6), Start::all_w},
    {{Scalar(1e3) * kEpsilon<Scalar>, Scalar(1e3) * kEpsilon<Scalar>, Scalar(1)},
     Scalar(0),
     Start::negative_q},
}};
template <>
inline constexpr std::array<Rule<float>, 4> kRules<float> = {{
    {{1e3f * kEpsilon<float>, 1e3f * kEpsilon<float>, 0.1f}, 0.0f, Start::all_w},
    {{1e3f * kEpsilon<float>, 3e3f * kEpsilon<float>, 0.01f}, 0.0f, Start::all_w},
    {{3e2f * kEpsilon<float>, 3e2f * kEpsilon<float>, 1.0f}, 1e-3f, Start::all_w},
    {{3e2f * kEpsilon<float>, 3e2f * kEpsilon<float>, 1.0f}, 0.0f, Start::negative_q},
}};

// After a pass whose basis is not certified, the inverse is built afresh at that basis and the path goes on:
// rounding starts again from nothing. It bounds the time of a rule; larger numbers were not tried.
inline constexpr int kRepairs = 3;
inline constexpr int kRepairPivotsPerUnknown = 4;

// Corrections of z by its own residual. The first already reaches rounding unless the basis is ill
// conditioned.
inline constexpr int kCorrections = 3;

// What a z has to keep to be called solved. With unit_free <= certain and residual <= residual the search
// ends at once. After the last rule the best z is accepted if it keeps the last two. A typical answer has
// 1e-16 in double and 3e-8 in float. The promise is a residual of 1e-8 and 1e-4: the tenth less is for the
// rounding of the measure itself.
template <class Scalar>
struct Acceptance {
  Scalar converged;  // unit-free: a correction has nothing left to correct
  Scalar certain;    // unit-free
  Scalar residual;
  Scalar unit_free;          // for a z that is not certain,
  Scalar doubtful_residual;  // and its residual
};
template <class Scalar>
inline constexpr Acceptance<Scalar> kAcceptance = {4 * kEpsilon<Scalar>, Scalar(1e-10), Scalar(9e-9),
                                                   Scalar(1e-10), Scalar(9e-9)};
template <>
inline constexpr Acceptance<float> kAcceptance<float> = {2 * kEpsilon<float>, 1e-6f, 9e-5f, 2.5e-6f, 2e-5f};

}  // namespace tactus::lcp
