// Frames: every damage is noticed and counted once, and nothing that comes in can do more than that.
#include <unity.h>

#include <cstdint>
#include <cstring>

#include "tactus/wire/frame.hpp"

namespace {

using namespace tactus::wire;

// Marsaglia's xorshift: the same sequence on every machine.
class Random {
 public:
  std::uint32_t next() {
    x_ ^= x_ << 13;
    x_ ^= x_ >> 17;
    x_ ^= x_ << 5;
    return x_;
  }
  std::uint32_t below(std::uint32_t n) { return next() % n; }

 private:
  std::uint32_t x_ = 0x7AC7;
};

Encoder encoder;
Decoder decoder;
Random random_bits;
std::uint8_t bytes[2 * kEncodedCapacity];
Decoder::Frame frame;

int feed(const std::uint8_t* from, std::size_t size) {
  int good = 0;
  for (std::size_t i = 0; i < size; ++i) good += decoder.take(from[i], frame) ? 1 : 0;
  return good;
}

// Random payload; one byte in `zeros` is zero, or none.
std::size_t make(std::uint8_t type, std::size_t payload, std::uint32_t zeros = 3) {
  for (std::size_t i = 0; i < payload; ++i) {
    const bool zero = zeros != 0 && random_bits.below(zeros) == 0;
    encoder.payload()[i] = zero ? std::uint8_t{0} : static_cast<std::uint8_t>(1 + random_bits.below(255));
  }
  const Encoder::Encoded encoded = encoder.encode(type, payload);
  std::memcpy(bytes, encoded.bytes, encoded.size);
  return encoded.size;
}

void check_cobs(const std::uint8_t* plain, std::size_t plain_size, const std::uint8_t* expected,
                std::size_t size) {
  TEST_ASSERT_EQUAL_size_t(size, cobs_encode(plain, plain_size, bytes));
  TEST_ASSERT_EQUAL_MEMORY(expected, bytes, size);
}

}  // namespace

void setUp() {
  encoder = Encoder();
  decoder = Decoder();
}
void tearDown() {}

// The examples of the scheme's own definition.
void test_cobs_examples() {
  const std::uint8_t zero[] = {0}, coded_zero[] = {1, 1};
  check_cobs(zero, 1, coded_zero, 2);
  const std::uint8_t mixed[] = {0x11, 0x22, 0x00, 0x33}, coded_mixed[] = {3, 0x11, 0x22, 2, 0x33};
  check_cobs(mixed, 4, coded_mixed, 5);
  const std::uint8_t trailing[] = {0x11, 0, 0, 0}, coded_trailing[] = {2, 0x11, 1, 1, 1};
  check_cobs(trailing, 4, coded_trailing, 5);
  check_cobs(nullptr, 0, coded_zero, 1);
}

void test_cobs_full_pieces() {
  std::uint8_t plain[255], expected[258];
  for (std::size_t i = 0; i < 255; ++i) plain[i] = static_cast<std::uint8_t>(i + 1);  // 1 … 255
  expected[0] = 255;
  std::memcpy(expected + 1, plain, 254);
  check_cobs(plain, 254, expected, 255);  // exactly one full piece and nothing behind it
  expected[255] = 2;
  expected[256] = 255;
  check_cobs(plain, 255, expected, 257);
}

// "123456789" has the check value 0xCBF43926 in every catalogue of CRCs.
void test_crc_is_the_common_one() {
  const std::uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  TEST_ASSERT_EQUAL_HEX32(0xCBF43926, detail::crc32(digits, 9));
}

// With many zeros, with few, and with none: long pieces without a zero are the other half of COBS.
void test_every_size_comes_back() {
  std::uint16_t sequence = 0;
  for (const std::uint32_t zeros : {3u, 254u, 0u}) {
    for (std::size_t size = 0; size <= kPayloadCapacity; ++size) {
      const std::size_t encoded = make(static_cast<std::uint8_t>(size), size, zeros);
      TEST_ASSERT_LESS_OR_EQUAL_size_t(kEncodedCapacity, encoded);
      for (std::size_t i = 0; i + 1 < encoded; ++i) {
        if (bytes[i] == 0) TEST_FAIL_MESSAGE("a zero inside a frame");
      }
      TEST_ASSERT_EQUAL_INT(1, feed(bytes, encoded));
      TEST_ASSERT_EQUAL_size_t(size, frame.size);
      TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(size), frame.type);
      TEST_ASSERT_EQUAL_UINT16(sequence++, frame.sequence);
      if (size > 0) TEST_ASSERT_EQUAL_MEMORY(encoder.payload(), frame.payload, size);
    }
  }
  TEST_ASSERT_EQUAL_UINT32(3 * (kPayloadCapacity + 1), decoder.counters().good);
  TEST_ASSERT_EQUAL_UINT32(0, decoder.counters().bad() + decoder.counters().lost);
}

void test_payload_over_capacity_is_refused_by_the_sender() {
  TEST_ASSERT_EQUAL_size_t(0, encoder.encode(1, kPayloadCapacity + 1).size);
}

void test_replayed_and_reordered_frames_are_dropped_and_gaps_counted() {
  std::uint8_t first[64];
  const std::size_t first_size = make(1, 20);
  std::memcpy(first, bytes, first_size);
  TEST_ASSERT_EQUAL_INT(1, feed(first, first_size));
  TEST_ASSERT_EQUAL_INT(0, feed(first, first_size));  // replayed
  TEST_ASSERT_EQUAL_UINT32(1, decoder.counters().repeated);
  make(1, 5);
  make(1, 5);  // numbers 1 and 2 never arrive
  const std::size_t third = make(1, 5);
  TEST_ASSERT_EQUAL_INT(1, feed(bytes, third));
  TEST_ASSERT_EQUAL_UINT32(2, decoder.counters().lost);
  TEST_ASSERT_EQUAL_INT(0, feed(first, first_size));  // out of order
  TEST_ASSERT_EQUAL_UINT32(2, decoder.counters().repeated);
}

void test_new_sender_restarts_the_sequence() {
  constexpr std::uint8_t kRestart = 5;
  decoder = Decoder(kRestart);
  for (int i = 0; i < 3; ++i) make(1, 5);
  TEST_ASSERT_EQUAL_INT(1, feed(bytes, make(1, 5)));
  encoder = Encoder();
  TEST_ASSERT_EQUAL_INT(0, feed(bytes, make(1, 5)));
  encoder = Encoder();
  TEST_ASSERT_EQUAL_INT(1, feed(bytes, make(kRestart, 0)));
  TEST_ASSERT_EQUAL_INT(1, feed(bytes, make(1, 5)));
  TEST_ASSERT_EQUAL_UINT32(1, decoder.counters().repeated);
  TEST_ASSERT_EQUAL_UINT32(0, decoder.counters().lost);
}

void test_sequence_numbers_wrap() {
  for (std::uint32_t i = 0; i < 0x10000 + 10; ++i) {
    const Encoder::Encoded encoded = encoder.encode(1, 0);
    if (feed(encoded.bytes, encoded.size) != 1) TEST_FAIL_MESSAGE("a frame in order was dropped");
  }
  TEST_ASSERT_EQUAL_UINT32(0, decoder.counters().lost + decoder.counters().bad());
}

void test_other_version_and_wrong_length_are_named() {
  // Built by hand, with the right CRC.
  std::uint8_t raw[kHeaderSize + 3 + 4] = {kVersion + 1, 1, 0, 0, 3, 0, 9, 9, 9};
  detail::put32(raw + 9, detail::crc32(raw, 9));
  std::size_t n = cobs_encode(raw, sizeof raw, bytes);
  bytes[n] = 0;
  TEST_ASSERT_EQUAL_INT(0, feed(bytes, n + 1));
  TEST_ASSERT_EQUAL_UINT32(1, decoder.counters().bad_version);
  TEST_ASSERT_EQUAL_UINT8(kVersion + 1, decoder.counters().other_version);
  raw[0] = kVersion;
  raw[4] = 4;
  detail::put32(raw + 9, detail::crc32(raw, 9));
  n = cobs_encode(raw, sizeof raw, bytes);
  bytes[n] = 0;
  TEST_ASSERT_EQUAL_INT(0, feed(bytes, n + 1));
  TEST_ASSERT_EQUAL_UINT32(1, decoder.counters().bad_length);
}

void test_oversized_input_is_counted_once_and_forgotten() {
  for (int i = 0; i < 5000; ++i) TEST_ASSERT_FALSE(decoder.take(0x55, frame));
  TEST_ASSERT_FALSE(decoder.take(0, frame));
  TEST_ASSERT_EQUAL_UINT32(1, decoder.counters().oversized);
  TEST_ASSERT_EQUAL_UINT32(1, decoder.counters().bad());
  const std::size_t size = make(1, 30);
  TEST_ASSERT_EQUAL_INT(1, feed(bytes, size));
}

// 100,000 frames, each untouched, corrupted in a few bits, cut, lengthened, replayed or pure noise. Every
// delimited piece is counted exactly once, every untouched frame ahead in sequence arrives whole, and no
// damaged one does.
void test_hundred_thousand_damaged_frames() {
  std::uint32_t pieces = 0, expected_good = 0, arrived = 0, wrong = 0;
  static std::uint8_t previous[kEncodedCapacity];
  std::size_t previous_size = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::size_t size = make(7, random_bits.below(random_bits.below(50) == 0 ? kPayloadCapacity + 1 : 60));
    const std::uint32_t kind = random_bits.below(6);
    bool untouched = false;
    if (kind == 1) {  // corrupted: a burst of up to 4 bytes, each changed; a zero would only split it in two
      const std::size_t at = random_bits.below(static_cast<std::uint32_t>(size - 1));
      for (std::size_t k = at; k < at + 1 + random_bits.below(4) && k + 1 < size; ++k) {
        bytes[k] = static_cast<std::uint8_t>(bytes[k] ^ (1 + random_bits.below(255)));
        if (bytes[k] == 0) bytes[k] = 0xA5;
      }
    } else if (kind == 2) {  // truncated
      size = 2 + random_bits.below(static_cast<std::uint32_t>(size - 2));
      bytes[size - 1] = 0;
    } else if (kind == 3) {  // lengthened, sometimes beyond any frame
      const std::size_t more = 1 + random_bits.below(static_cast<std::uint32_t>(kEncodedCapacity));
      for (std::size_t k = 0; k < more; ++k)
        bytes[size - 1 + k] = static_cast<std::uint8_t>(1 + random_bits.below(255));
      size += more;
      bytes[size - 1] = 0;
    } else if (kind == 4 && previous_size > 0) {  // replayed
      std::memcpy(bytes, previous, previous_size);
      size = previous_size;
    } else if (kind == 5) {  // noise
      size = 2 + random_bits.below(300);
      for (std::size_t k = 0; k + 1 < size; ++k)
        bytes[k] = static_cast<std::uint8_t>(1 + random_bits.below(255));
      bytes[size - 1] = 0;
    } else if (kind == 0) {
      untouched = true;
      std::memcpy(previous, bytes, size);
      previous_size = size;
      ++expected_good;
    }
    if (kind == 4 && previous_size == 0) {
      untouched = true;
      ++expected_good;
    }
    ++pieces;
    const int good = feed(bytes, size);
    arrived += static_cast<std::uint32_t>(good);
    if (good != (untouched ? 1 : 0)) ++wrong;
    if (good == 1 && untouched && std::memcmp(frame.payload, encoder.payload(), frame.size) != 0) ++wrong;
  }
  const DecoderCounters& c = decoder.counters();
  TEST_ASSERT_EQUAL_UINT32(0, wrong);
  TEST_ASSERT_EQUAL_UINT32(expected_good, arrived);
  TEST_ASSERT_EQUAL_UINT32(expected_good, c.good);
  TEST_ASSERT_EQUAL_UINT32(pieces, c.good + c.bad());
  TEST_ASSERT_GREATER_THAN_UINT32(0, c.truncated);
  TEST_ASSERT_GREATER_THAN_UINT32(0, c.oversized);
  TEST_ASSERT_GREATER_THAN_UINT32(0, c.bad_crc);
  TEST_ASSERT_GREATER_THAN_UINT32(0, c.repeated);
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_cobs_examples);
  RUN_TEST(test_cobs_full_pieces);
  RUN_TEST(test_crc_is_the_common_one);
  RUN_TEST(test_every_size_comes_back);
  RUN_TEST(test_payload_over_capacity_is_refused_by_the_sender);
  RUN_TEST(test_replayed_and_reordered_frames_are_dropped_and_gaps_counted);
  RUN_TEST(test_new_sender_restarts_the_sequence);
  RUN_TEST(test_sequence_numbers_wrap);
  RUN_TEST(test_other_version_and_wrong_length_are_named);
  RUN_TEST(test_oversized_input_is_counted_once_and_forgotten);
  RUN_TEST(test_hundred_thousand_damaged_frames);
  return UNITY_END();
}
