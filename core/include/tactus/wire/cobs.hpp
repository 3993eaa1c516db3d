// Consistent overhead byte stuffing (Cheshire and Baker 1999): a frame without zero bytes, so that a zero can
// end it.
//
// The data is cut at its zeros. Each piece goes out as one code byte, its length plus one, and then its
// bytes; a piece of 254 bytes without a zero behind it has the code 255. The overhead is one byte in 254, and
// one.
//
// Both ways eight bytes are looked at and copied at once while none of them is zero.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tactus::wire {

constexpr std::size_t cobs_capacity(std::size_t size) {
  return size + size / 254 + 1;
}

namespace detail {

// Copies bytes, eight at once, up to eight of which one is zero; at most `most` of them, and returns how
// many. Out of line: among what its callers hold, its loop has no registers and costs twice as much.
[[gnu::noinline]] inline std::size_t copy_eights(const std::uint8_t* from, std::size_t most,
                                                 std::uint8_t* to) {
  const std::uint8_t* const start = from;
  for (const std::uint8_t* const stop = from + (most & ~std::size_t{7}); from != stop; from += 8, to += 8) {
    std::uint32_t low, high;
    std::memcpy(&low, from, 4);
    std::memcpy(&high, from + 4, 4);
    const std::uint32_t zeros = ((low - 0x01010101) & ~low) | ((high - 0x01010101) & ~high);
    if ((zeros & 0x80808080) != 0) break;
    std::memcpy(to, &low, 4);
    std::memcpy(to + 4, &high, 4);
  }
  return static_cast<std::size_t>(from - start);
}

}  // namespace detail

// Writes at most cobs_capacity(size) bytes to `to` and returns how many. 3 instructions a byte; 15 where
// every other byte is zero.
inline std::size_t cobs_encode(const std::uint8_t* from, std::size_t size, std::uint8_t* to) {
  const std::uint8_t* const end = from + size;
  std::uint8_t *code = to, *out = to + 1;
  const auto close = [&] {
    *code = static_cast<std::uint8_t>(out - code);
    code = out++;
  };
  const auto put = [&](std::uint8_t byte) {
    if (out - code == 255) close();  // not before there is more: no empty piece behind a full one at the end
    if (byte == 0) return close();
    *out++ = byte;
  };
  while (end - from >= 8) {
    const std::size_t copied =
        detail::copy_eights(from, static_cast<std::size_t>(std::min(end - from, 255 - (out - code))), out);
    from += copied;
    out += copied;
    for (int i = 0; i < 8 && from != end; ++i) put(*from++);
  }
  while (from != end) put(*from++);
  *code = static_cast<std::uint8_t>(out - code);
  return static_cast<std::size_t>(out - to);
}

// Decodes what comes, in parts as it comes, so that a frame never needs a second buffer. Never sees the
// delimiter.
class CobsDecoder {
 public:
  struct Part {
    std::size_t taken, written;
    bool over;  // the next byte has no room
  };

  void restart() { left_ = 0, zero_due_ = false; }

  // Takes bytes up to a zero, or as many as there are and surely have room. 4 instructions a byte; 15 where
  // every other byte is zero.
  Part take(const std::uint8_t* from, std::size_t size, std::uint8_t* to, std::size_t room) {
    if (room == 0) {
      if (left_ > 0 || zero_due_) return {0, 0, true};
      room = 1;  // for a code that writes nothing
    }
    const std::uint8_t *const end = from + std::min(size, room), *at = from;
    const std::uint8_t* const start = to;
    std::ptrdiff_t left = left_;
    bool zero_due = zero_due_;
    for (; at != end && *at != 0; ++at) {
      if (left == 0) {
        if (zero_due) *to++ = 0;
        zero_due = *at != 255;
        left = *at - 1;
        continue;
      }
      *to++ = *at;
      if (--left < 8) continue;
      const std::size_t copied =
          detail::copy_eights(at + 1, static_cast<std::size_t>(std::min(left, end - at - 1)), to);
      at += copied;
      to += copied;
      left -= static_cast<std::ptrdiff_t>(copied);
    }
    left_ = static_cast<std::uint8_t>(left);
    zero_due_ = zero_due;
    return {static_cast<std::size_t>(at - from), static_cast<std::size_t>(to - start), false};
  }

  // At the delimiter: the last piece is whole.
  bool whole() const { return left_ == 0; }

 private:
  std::uint8_t left_ = 0;
  bool zero_due_ = false;
};

}  // namespace tactus::wire
