// Frames eight bytes at a time: against the scheme written down byte by byte, another CRC-32, and streams
// that come in parts of any size.
#include <etl/crc32.h>
#include <unity.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tactus/wire/frame.hpp"

namespace {

using namespace tactus::wire;

std::uint32_t bits() {
  static std::uint32_t x = 0x7AC7;
  x ^= x << 13;
  x ^= x >> 17;
  return x ^= x << 5;
}
std::size_t below(std::size_t n) {
  return bits() % n;
}

std::uint8_t plain[kFrameCapacity + 300], coded[2 * kEncodedCapacity], expected[2 * kEncodedCapacity];

// One byte in `zeros` is zero; 0: none.
void fill(std::uint8_t* to, std::size_t size, std::uint32_t zeros) {
  for (std::size_t i = 0; i < size; ++i) {
    const bool zero = zeros != 0 && below(zeros) == 0;
    to[i] = zero ? std::uint8_t{0} : static_cast<std::uint8_t>(1 + below(255));
  }
}
constexpr std::uint32_t kZeros[] = {0, 1, 2, 3, 8, 20, 300};

// Cheshire and Baker's words: a piece is up to 254 bytes without a zero, and a shorter one has its zero
// behind it, as if one more zero stood at the end of all.
std::size_t coded_by_the_book(const std::uint8_t* from, std::size_t size, std::uint8_t* to) {
  std::size_t out = 0;
  for (std::size_t at = 0; at <= size;) {
    std::size_t n = 0;
    while (at + n < size && from[at + n] != 0 && n < 254) ++n;
    to[out++] = static_cast<std::uint8_t>(n + 1);
    std::memcpy(to + out, from + at, n);
    out += n;
    at += n < 254 ? n + 1 : n;
    if (n == 254 && at == size) break;
  }
  return out;
}

// What a whole frame's bytes hold, without the delimiter; false where a piece is cut.
bool decoded_by_the_book(const std::uint8_t* from, std::size_t size, std::uint8_t* to, std::size_t& out) {
  out = 0;
  for (std::size_t at = 0; at < size;) {
    const std::uint8_t code = from[at++];
    if (code - 1U > size - at) return false;
    std::memcpy(to + out, from + at, code - 1U);
    out += code - 1U;
    at += code - 1U;
    if (code != 255 && at < size) to[out++] = 0;
  }
  return true;
}

void the_crc_is_etls() {
  for (std::size_t size = 0; size < 600; ++size) {
    const std::size_t from = size % 5;
    fill(plain, size + from, 3);
    TEST_ASSERT_EQUAL_HEX32(etl::crc32(plain + from, plain + from + size).value(),
                            detail::crc32(plain + from, size));
  }
}

void pieces_are_those_of_the_book() {
  for (const std::uint32_t zeros : kZeros)
    for (std::size_t size = 0; size < 1100; ++size) {
      const std::size_t from = size % 8;
      fill(plain + from, size, zeros);
      std::memset(coded, 0xA5, size + 20);
      const std::size_t n = cobs_encode(plain + from, size, coded);
      TEST_ASSERT_EQUAL_size_t(coded_by_the_book(plain + from, size, expected), n);
      TEST_ASSERT_EQUAL_MEMORY(expected, coded, n);
      TEST_ASSERT_TRUE(n <= cobs_capacity(size) && coded[n] == 0xA5);
    }
}

struct Seen {
  DecoderCounters counters;
  std::uint32_t payloads = 0;
};

void take(Decoder& decoder, const std::uint8_t* from, std::size_t size, std::size_t part, Seen& seen) {
  Decoder::Frame frame{};
  for (std::size_t at = 0; at < size;) {
    const Decoder::Taken taken = decoder.take(from + at, std::min(size - at, 1 + below(part)), frame);
    TEST_ASSERT_TRUE(taken.bytes > 0);
    at += taken.bytes;
    if (taken.good)
      seen.payloads = seen.payloads * 31 + etl::crc32(frame.payload, frame.payload + frame.size).value();
  }
  seen.counters = decoder.counters();
}

// What the counters should say of a frame that stands alone.
void count_by_the_book(const std::uint8_t* from, std::size_t size, DecoderCounters& c) {
  std::size_t n = 0;
  const bool whole = decoded_by_the_book(from, size, expected, n);
  if (size == 0) return;
  if (n > kFrameCapacity) {
    ++c.oversized;
  } else if (!whole || n < kFrameOverhead) {
    ++c.truncated;
  } else {
    ++(etl::crc32(expected, expected + n - 4).value() == detail::get32(expected + n - 4) ? c.good
                                                                                         : c.bad_crc);
  }
}

Encoder encoder;
Decoder decoders[4];

// Sound frames, damaged ones, and what never was one; of the damaged ones none is longer than a frame can be,
// so that where one is cut does not decide between two counters.
std::size_t next_piece() {
  if (below(4) == 0) {
    const std::size_t size = below(300);
    fill(coded, size, 0);
    return size;
  }
  const std::size_t size = below(8) == 0 ? kPayloadCapacity - below(2) : below(700);
  fill(encoder.payload(), size, kZeros[below(sizeof kZeros / sizeof kZeros[0])]);
  const Encoder::Encoded frame = encoder.encode(1, size);
  std::memcpy(coded, frame.bytes, frame.size);
  if (below(3) == 0) {
    const std::size_t at = below(frame.size - 1);
    coded[at] = static_cast<std::uint8_t>(1 + below(255));
    if (size > 2000) return at;
  }
  return frame.size - 1;
}

void parts_of_any_size_say_the_same() {
  DecoderCounters book;
  Seen seen[4];
  constexpr std::size_t kParts[] = {1, 3, 40, 5000};
  for (int i = 0; i < 4000; ++i) {
    const std::size_t size = next_piece();
    coded[size] = 0;
    for (int d = 0; d < 4; ++d) take(decoders[d], coded, size + 1, kParts[d], seen[d]);
    count_by_the_book(coded, size, book);
    for (const Seen& s : seen) {
      TEST_ASSERT_EQUAL_UINT32(book.good, s.counters.good);
      TEST_ASSERT_EQUAL_UINT32(book.bad_crc, s.counters.bad_crc);
      TEST_ASSERT_EQUAL_UINT32(book.truncated, s.counters.truncated);
      TEST_ASSERT_EQUAL_UINT32(book.oversized, s.counters.oversized);
      TEST_ASSERT_EQUAL_HEX32(seen[0].payloads, s.payloads);
    }
  }
  TEST_ASSERT_TRUE(book.good > 1000 && book.bad_crc > 100 && book.truncated > 100);
}

// To the byte: a frame as long as one can be, with the code of an empty piece behind it, which is legal; one
// byte more; and no end of them.
void the_longest_and_one_more() {
  for (const std::size_t part : {std::size_t{1}, std::size_t{7}, std::size_t{5000}})
    for (std::size_t size = kFrameCapacity - 2; size <= kFrameCapacity + 9; ++size)
      for (const std::uint32_t zeros : kZeros) {
        fill(plain, size, zeros);
        std::size_t n = cobs_encode(plain, size, coded);
        coded[n] = 0;
        Decoder decoder;
        Seen seen;
        take(decoder, coded, n + 1, part, seen);
        TEST_ASSERT_EQUAL_UINT32(size > kFrameCapacity, seen.counters.oversized);
        TEST_ASSERT_EQUAL_UINT32(size <= kFrameCapacity, seen.counters.bad_crc);
      }
}

// 30 bytes and ten full pieces: as long as a frame can be. The code of an empty piece behind them is legal
// and adds nothing; one more stands for a zero, and is too much.
void an_empty_piece_behind_the_longest() {
  std::uint8_t* to = coded;
  fill(plain, 254, 0);
  for (const int code : {30, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}) {
    *to++ = static_cast<std::uint8_t>(code);
    std::memcpy(to, plain, static_cast<std::size_t>(code - 1));
    to += code - 1;
  }
  const std::size_t n = static_cast<std::size_t>(to - coded);
  for (std::size_t more = 0; more < 4; ++more) {
    Decoder decoder;
    Seen seen;
    std::memset(coded + n, 1, more);
    coded[n + more] = 0;
    take(decoder, coded, n + more + 1, 300, seen);
    TEST_ASSERT_EQUAL_UINT32(more < 2, seen.counters.bad_crc);
    TEST_ASSERT_EQUAL_UINT32(more >= 2, seen.counters.oversized);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_crc_is_etls);
  RUN_TEST(pieces_are_those_of_the_book);
  RUN_TEST(parts_of_any_size_say_the_same);
  RUN_TEST(the_longest_and_one_more);
  RUN_TEST(an_empty_piece_behind_the_longest);
  return UNITY_END();
}
