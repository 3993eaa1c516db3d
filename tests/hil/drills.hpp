// What the drills share: everything that can go wrong is done to a board, over the FIFO link or, where time
// matters, over the UART. Nothing crashes the loop, nothing is lost uncounted, and the board goes on or
// latches and says why. The image is firmware_drills.elf, the firmware with failures on demand.
#pragma once

#include <unity.h>

#include <cstdio>

#include "host_sim/link/link.hpp"
#include "tests/hil/ellipse.hpp"

namespace tactus::hil {

inline host::link::BootOptions options;

inline bool has_image(int argc, char** argv) {
  if (argc == 2) {
    options.image = argv[1];
  } else {
    std::fprintf(stderr, "usage: %s IMAGE\n", argv[0]);
  }
  return argc == 2;
}

inline void configure(host::link::Board& board, const wire::Configure& scene) {
  const wire::Configured answer = board.configure(scene);
  TEST_ASSERT_TRUE_MESSAGE(answer.accepted(), answer.reason().c_str());
}

inline void expect_certified(host::link::Board& board, Plant& plant, std::uint32_t tick) {
  const wire::Prediction answer = board.step(plant.state(tick));
  TEST_ASSERT_EQUAL_UINT32(tick, answer.tick());
  TEST_ASSERT_EQUAL_STRING("CERTIFIED", wire::Verdict_Name(answer.verdict()).c_str());
  plant.step();
}

inline void expect_last_good(const wire::Prediction& answer, const wire::Prediction& good,
                             wire::Reason reason) {
  TEST_ASSERT_EQUAL_STRING("LAST_GOOD", wire::Verdict_Name(answer.verdict()).c_str());
  TEST_ASSERT_EQUAL_STRING(wire::Reason_Name(reason).c_str(), wire::Reason_Name(answer.reason()).c_str());
  TEST_ASSERT_EQUAL_INT(good.pose_size(), answer.pose_size());
  for (int i = 0; i < good.pose_size(); ++i) TEST_ASSERT_EQUAL_FLOAT(good.pose(i), answer.pose(i));
}

}  // namespace tactus::hil
