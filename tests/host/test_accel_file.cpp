// The problem files of `tactus accel`: what is read, and what is refused with which key and reason.
#include <string>

#include "accel_file.hpp"
#include "input_error.hpp"
#include "unity.h"

using namespace tactus::host;

namespace {

// A block that one finger pushes, in the plane.
const std::string kGood = R"({"name": "push", "plane": true, "mu": [0.5], "M_obj": [[3, 0], [0, 3]],
 "g_obj": [0, -1], "h_obj": [2, 0], "W": [[1, 0], [0, 1]], "M_man": [[2]], "J": [[1], [0]], "g_man": [4],
 "h_man": [5], "tau": [6], "bias": [7, 8]})";
const std::string kReduced = R"({"plane": false, "mu": [0.5], "v_t": [1], "v_o": [2], "b": [1, 2, 3],
 "A": [[2, 0, 0], [0, 2, 0], [0, 0, 2]]})";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto place = text.find(from);
  TEST_ASSERT_TRUE_MESSAGE(place != std::string::npos, from.c_str());
  return text.replace(place, from.size(), to);
}

void refuse(const std::string& text, const char* key, const char* reason) {
  try {
    parse_accel_file(text, "p.json");
  } catch (const InputError& error) {
    const std::string line = error.what(), head = std::string("p.json: ") + key + ": ";
    TEST_ASSERT_EQUAL_STRING(head.c_str(), line.substr(0, head.size()).c_str());
    TEST_ASSERT_TRUE_MESSAGE(line.find(reason) != std::string::npos, line.c_str());
    return;
  }
  TEST_FAIL_MESSAGE(text.c_str());
}

void test_what_is_read() {
  const AccelEntry e = parse_accel_file(kGood, "p.json");
  TEST_ASSERT_TRUE(e.plane && !e.cone && !e.reduced);
  TEST_ASSERT_EQUAL_INT(1, e.contacts);
  TEST_ASSERT_EQUAL_INT(2, e.freedoms);
  TEST_ASSERT_EQUAL_INT(1, e.joints);
  TEST_ASSERT_EQUAL_DOUBLE(2, e.f_obj[0]);
  TEST_ASSERT_EQUAL_DOUBLE(9, e.l_man[0]);
  TEST_ASSERT_EQUAL_DOUBLE(6, e.tau[0]);
  TEST_ASSERT_EQUAL_DOUBLE(8, e.bias[1]);
  TEST_ASSERT_EQUAL_DOUBLE(0, e.velocity[0]);
  const AccelEntry driven =
      parse_accel_file(with(kGood, R"("tau": [6])", R"("tau": [null], "thdd": [3])"), "p.json");
  TEST_ASSERT_TRUE(driven.driven[0]);
  TEST_ASSERT_EQUAL_DOUBLE(3, driven.thdd[0]);
  const AccelEntry reduced = parse_accel_file(kReduced, "p.json");
  TEST_ASSERT_TRUE(reduced.reduced);
  TEST_ASSERT_EQUAL_DOUBLE(2, reduced.velocity[1]);
}

void test_what_is_refused() {
  refuse("", "(whole file)", "empty");
  refuse("[]", "(whole file)", "object");
  refuse(with(kGood, R"("plane": true, )", ""), "plane", "missing");
  refuse(with(kGood, R"("mu": [0.5], )", ""), "mu", "missing");
  refuse(with(kGood, "[0.5]", "0.5"), "mu", "list");
  refuse(with(kGood, "[0.5]", "[-0.5]"), "mu[0]", "negative");
  refuse(with(kGood, "[0.5]", "[1e999]"), "mu[0]", "too large");
  refuse(with(kGood, "[0.5]", "[1,1,1,1,1,1,1,1,1,1,1]"), "mu", "capacity of 10");
  refuse(with(kGood, R"("mu")", R"("speed": 1, "mu")"), "speed", "unknown");
  refuse(with(kGood, R"("mu")", R"("v_o": [1], "mu")"), "v_o", "plane");
  refuse(with(kGood, R"("mu")", R"("v_t": [1, 2], "mu")"), "v_t", "1 values");
  refuse(with(kGood, R"("mu")", R"("law": "disc", "mu")"), "law", "cone");
  refuse(with(kGood, "[[3, 0], [0, 3]]", "[[3, 0], [0, 0]]"), "M_obj", "positive definite");
  refuse(with(kGood, "[[3, 0], [0, 3]]", "[[3, 0], [0, -3]]"), "M_obj", "positive definite");
  refuse(with(kGood, "[[3, 0], [0, 3]]", "[[3, 4], [4, 3]]"), "M_obj", "positive definite");
  refuse(with(kGood, "[[3, 0], [0, 3]]", "[[3, 1], [0, 3]]"), "M_obj", "symmetric");
  refuse(with(kGood, "[[3, 0], [0, 3]]", "[[3, 0]]"), "M_obj[0]", "1 values");
  refuse(with(kGood, "[[3, 0], [0, 3]]", "[]"), "M_obj", "at least one");
  refuse(with(kGood, R"("W": [[1, 0], [0, 1]])", R"("W": [[1, 0]])"), "W", "2 values");
  refuse(with(kGood, R"("W": [[1, 0], [0, 1]])", R"("W": [[1, 0], [0, "x"]])"), "W[1][1]", "number");
  refuse(with(kGood, R"("g_obj": [0, -1],)", ""), "g_obj", "missing");
  refuse(with(kGood, R"("g_obj": [0, -1],)", R"("g_obj": [0],)"), "g_obj", "2 values");
  refuse(with(kGood, R"("M_man": [[2]], )", ""), "M_man", "missing");
  refuse(with(kGood, "[[2]]", "[[0]]"), "M_man", "positive definite");
  refuse(with(kGood, R"("J": [[1], [0]],)", ""), "J", "missing");
  refuse(with(kGood, R"("J": [[1], [0]],)", R"("J": [[1]],)"), "J", "2 values");
  refuse(with(kGood, R"("tau": [6], )", ""), "tau[0]", "must be given");
  refuse(with(kGood, R"("tau": [6])", R"("tau": [null])"), "tau[0]", "must be given");
  refuse(with(kGood, R"("tau": [6])", R"("tau": [6], "thdd": [1])"), "tau[0]", "unknown where");
  refuse(with(kGood, R"("tau": [6])", R"("tau": [6, 7])"), "tau", "1 values");
  refuse(with(kGood, R"("bias": [7, 8])", R"("bias": [7])"), "bias", "2 values");
  refuse(with(kGood, R"("bias": [7, 8])", R"("bias": [7, 8], "bias": [7, 8])"), "bias", "");
  refuse(with(kGood, R"("name": "push")", R"("A": [[1]])"), "M_obj", "beside A");
  refuse(with(kGood, R"("name": "push")", R"("b": [1])"), "A", "missing");
  refuse(with(kReduced, R"("b": [1, 2, 3],)", ""), "b", "missing");
  refuse(with(kReduced, "[0, 0, 2]]", "[0, 0, -2]]"), "A", "positive semidefinite");
  refuse(with(kReduced, "[0, 0, 2]]", "[0, 1, 2]]"), "A", "symmetric");
  refuse(with(kReduced, "[2, 0, 0], [0, 2, 0]", "[0, 1, 0], [1, 2, 0]"), "A", "positive semidefinite");
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_what_is_read);
  RUN_TEST(test_what_is_refused);
  return UNITY_END();
}
