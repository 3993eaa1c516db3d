// test_drills_frames IMAGE: whatever comes over the link in place of a good frame. Each piece is counted once
// and by its fault, none is taken for a message, and the next good one is answered.
#include <unity.h>

#include <random>

#include "tests/hil/drills.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;
using host::link::Board;

using Bytes = Board::Bytes;

}  // namespace

void setUp() {}
void tearDown() {}

void test_unknown_and_unreadable_messages_are_counted() {
  Board board = Board::boot(options);
  const Bytes unknown = board.frame(static_cast<wire::Type>(99), "x");
  board.send_bytes(unknown.data(), unknown.size());
  const auto answer = board.receive(std::chrono::seconds(5));
  TEST_ASSERT_TRUE(answer.has_value());
  TEST_ASSERT_EQUAL_INT(wire::HEALTH, answer->type);
  const Bytes unreadable = board.frame(wire::CONFIGURE, "\xFF\xFF\xFF\xFF\xFF");
  board.send_bytes(unreadable.data(), unreadable.size());
  const auto refusal = board.receive(std::chrono::seconds(5));
  TEST_ASSERT_TRUE(refusal.has_value());
  TEST_ASSERT_EQUAL_INT(wire::CONFIGURED, refusal->type);
  const wire::Health h = board.health();
  TEST_ASSERT_EQUAL_UINT32(1, h.frames_unknown_type());
  TEST_ASSERT_EQUAL_UINT32(1, h.frames_unreadable());
}

// 100,000 frames that must not be believed, in bursts of 20, and a good state with each: it is answered, and
// the counters add up to what was sent. They are damaged, replayed, or out of order: held back, they come
// behind the good one that was sent after them.
void test_hundred_thousand_damaged_frames() {
  Board board = Board::boot(options);
  Plant plant;
  configure(board, ellipse_scene(1));
  std::mt19937 random(5);
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::uint32_t repeated = 0, damaged = 0, good = 1, sequence_gaps = 0;
  Bytes previous;
  for (std::uint32_t burst = 1; burst <= 5000; ++burst) {
    Bytes out, held_back;
    for (int i = 0; i < 20; ++i) {
      Bytes bytes;
      const std::uint32_t kind = below(previous.empty() ? 5 : 6);
      if (kind == 5) {  // replayed
        bytes = previous;
        ++repeated;
      } else if (kind == 4) {  // overtaken: missed first, then late
        const Bytes late = board.frame(wire::STATE, plant.state(burst).SerializeAsString());
        held_back.insert(held_back.end(), late.begin(), late.end());
        ++sequence_gaps;
        ++repeated;
      } else {
        bytes = board.frame(wire::STATE, plant.state(burst).SerializeAsString());
        ++sequence_gaps;  // its number is used and never arrives
        bytes.pop_back();
        if (kind == 0) {
          bytes[below(static_cast<std::uint32_t>(bytes.size()))] ^= static_cast<std::uint8_t>(1u << below(8));
          for (auto& byte : bytes) byte = byte == 0 ? 0xA5 : byte;
        } else if (kind == 1) {
          bytes.resize(1 + below(static_cast<std::uint32_t>(bytes.size() - 1)));
        } else if (kind == 2) {
          const std::uint32_t more = 1 + below(i == 0 ? 3000 : 40);
          for (std::uint32_t k = 0; k < more; ++k) bytes.push_back(static_cast<std::uint8_t>(1 + below(255)));
        } else {
          bytes.assign(1 + below(200), 0);
          for (auto& byte : bytes) byte = static_cast<std::uint8_t>(1 + below(255));
        }
        bytes.push_back(0);
        ++damaged;
      }
      out.insert(out.end(), bytes.begin(), bytes.end());
    }
    board.send_bytes(out.data(), out.size());
    previous = board.frame(wire::STATE, plant.state(burst).SerializeAsString());
    board.send_bytes(previous.data(), previous.size());
    board.send_bytes(held_back.data(), held_back.size());
    const auto answer = board.receive(std::chrono::seconds(20));
    TEST_ASSERT_TRUE_MESSAGE(answer.has_value(), "a good state was not answered");
    wire::Prediction prediction;
    TEST_ASSERT_TRUE(prediction.ParseFromString(answer->payload));
    TEST_ASSERT_EQUAL_UINT32(burst, prediction.tick());
    TEST_ASSERT_EQUAL_STRING("CERTIFIED", wire::Verdict_Name(prediction.verdict()).c_str());
    ++good;
    plant.step();
  }
  const wire::Health h = board.health();
  TEST_ASSERT_EQUAL_UINT32(good + 1, h.frames_good());
  TEST_ASSERT_EQUAL_UINT32(repeated, h.frames_repeated());
  TEST_ASSERT_EQUAL_UINT32(damaged, h.frames_truncated() + h.frames_oversized() + h.frames_bad_crc() +
                                        h.frames_bad_version() + h.frames_bad_length());
  TEST_ASSERT_EQUAL_UINT32(sequence_gaps, h.frames_lost());
  TEST_ASSERT_GREATER_THAN_UINT32(100, h.frames_oversized());
  TEST_ASSERT_GREATER_THAN_UINT32(10'000, h.frames_truncated());
  TEST_ASSERT_GREATER_THAN_UINT32(10'000, h.frames_bad_crc());
  TEST_ASSERT_EQUAL_UINT32(5000, h.ticks());
  TEST_ASSERT_EQUAL_UINT32(0, h.failed());
}

int main(int argc, char** argv) {
  if (!has_image(argc, argv)) return 2;
  UNITY_BEGIN();
  RUN_TEST(test_unknown_and_unreadable_messages_are_counted);
  RUN_TEST(test_hundred_thousand_damaged_frames);
  return UNITY_END();
}
