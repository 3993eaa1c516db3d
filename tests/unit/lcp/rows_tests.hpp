// What the tests of lcp/rows share: a workspace, a tolerance, and a solve that has to be right.
#pragma once

#include "tactus/lcp/rows/solver.hpp"
#include "unity.h"

namespace rows_tests {

using namespace tactus::lcp::rows;

template <class Scalar>
inline constexpr Scalar kTolerance = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(1e-5);
template <class Scalar>
inline Workspace<Scalar, 12> ws;

template <class Scalar>
void near(double expected, Scalar actual, Scalar size = 1) {
  TEST_ASSERT_DOUBLE_WITHIN(static_cast<double>(kTolerance<Scalar> * size), expected,
                            static_cast<double>(actual));
}

template <class Scalar>
Answer<Scalar> solve_well(const Problem<Scalar>& p, const State* last = nullptr) {
  const auto answer = solve(p, ws<Scalar>, last);
  TEST_ASSERT_EQUAL_INT(static_cast<int>(End::solved), static_cast<int>(answer.end));
  TEST_ASSERT_TRUE(answer.certificate.residual <= kTolerance<Scalar>);
  return answer;
}

}  // namespace rows_tests
