// The problem files of `tactus lcp`: what is refused, and the residual on problems whose value is computed by
// hand.
#include <limits>
#include <string>

#include "input_error.hpp"
#include "lcp_file.hpp"
#include "unity.h"

using namespace tactus::host;

namespace {

void refuse(const char* text, const char* key, const char* reason) {
  try {
    parse_lcp_file(text, "p.json");
  } catch (const InputError& error) {
    const std::string line = error.what();
    const std::string head = std::string("p.json: ") + key + ": ";
    TEST_ASSERT_EQUAL_STRING(head.c_str(), line.substr(0, head.size()).c_str());
    TEST_ASSERT_TRUE_MESSAGE(line.find(reason) != std::string::npos, line.c_str());
    return;
  }
  TEST_FAIL_MESSAGE(text);
}

void test_wrong_files_are_refused() {
  refuse("", "(whole file)", "empty");
  refuse("3", "(whole file)", "list");
  refuse(R"([{"n": 1, "M": [[1]], "q": [1]}])", "[0].name", "missing");
  refuse(R"([{"name": "a", "M": [[1]], "q": [1]}])", "[0].n", "missing");
  refuse(R"([{"name": "a", "n": 1, "q": [1]}])", "[0].M", "missing");
  refuse(R"({"name": "a", "n": 1, "M": [[1]]})", "q", "missing");
  refuse(R"({"name": "a", "n": 2, "M": [[1]], "q": [1, 1]})", "M", "2 values");
  refuse(R"({"name": "a", "n": 2, "M": [[1, 2], [1]], "q": [1, 1]})", "M[1]", "2 values");
  refuse(R"({"name": "a", "n": 1, "M": [[1]], "q": [1, 2]})", "q", "1 values");
  refuse(R"({"name": "a", "n": -1, "M": [], "q": []})", "n", "from 0");
  refuse(R"({"name": "a", "n": 1.5, "M": [], "q": []})", "n", "whole number");
  refuse(R"({"name": "a", "n": 181, "M": [], "q": []})", "n", "capacity");
  refuse(R"({"name": "a", "n": 1, "M": [["x"]], "q": [1]})", "M[0][0]", "number");
  refuse(R"({"name": "a", "n": 1, "M": [[1e999]], "q": [1]})", "M[0][0]", "too large");
  refuse(R"({"name": "a", "n": 1, "M": [[NaN]], "q": [1]})", "M[0][0]", "not valid JSON");
  refuse(R"({"name": "a", "n": 1, "M": [[1]], "q": [1], "blocks": [2]})", "blocks[0]", "from 0 to 1");
  refuse(R"({"name": "a", "n": 1, "M": [[1]], "q": [1], "blocks": []})", "blocks", "1 values");
  refuse(R"([{"name": "a", "n": 0, "M": [], "q": []}, 5])", "[1]", "object");
}

void test_other_keys_are_ignored() {
  const auto list =
      parse_lcp_file(R"([{"name": "a", "n": 1, "M": [[2]], "q": [-1], "source": {"x": []}}])", "p.json");
  TEST_ASSERT_EQUAL_INT(1, list.size());
  TEST_ASSERT_EQUAL_DOUBLE(2, list[0].M[0]);
  TEST_ASSERT_EQUAL_INT(0, parse_lcp_file("[]", "p.json").size());
}

void test_residual_by_hand() {
  // M = 2, q = -1: Z = max(|z|, 1/2). At z = 1/2, w = 0. At z = 0, w = -1 and S = 1 + 2 * 1/2 = 2.
  // At z = 1, Z = 1, w = 1, S = 1 + 2 = 3, so min(1, 1/3).
  const auto p = parse_lcp_file(R"({"name": "a", "n": 1, "M": [[2]], "q": [-1]})", "p.json")[0];
  TEST_ASSERT_EQUAL_DOUBLE(0, scaled_residual(p, {0.5}));
  TEST_ASSERT_EQUAL_DOUBLE(0.5, scaled_residual(p, {0}));
  TEST_ASSERT_EQUAL_DOUBLE(1.0 / 3, scaled_residual(p, {1}));
  TEST_ASSERT_TRUE(scaled_residual(p, {std::numeric_limits<double>::quiet_NaN()}) > 1e308);
}

void test_residual_of_two_units_by_hand() {
  // Unknown 0 is an impulse, 1 a speed; each row carries the unit of the other, so Z_0 is at least |q_1| and
  // Z_1 at least |q_0|. z = 0: Z = (3, 5), w = (5, -3), S_0 = 5 + 1 * 5, S_1 = 3 + 1 * 3; min(0, 1/2) = 0 and
  // -3/6.
  const auto p = parse_lcp_file(
      R"({"name": "a", "n": 2, "M": [[0, -1], [1, 0]], "q": [5, -3], "blocks": [0, 1]})", "p.json")[0];
  TEST_ASSERT_EQUAL_DOUBLE(0.5, scaled_residual(p, {0, 0}));
  TEST_ASSERT_EQUAL_DOUBLE(0, scaled_residual(p, {3, 5}));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_wrong_files_are_refused);
  RUN_TEST(test_other_keys_are_ignored);
  RUN_TEST(test_residual_by_hand);
  RUN_TEST(test_residual_of_two_units_by_hand);
  return UNITY_END();
}
