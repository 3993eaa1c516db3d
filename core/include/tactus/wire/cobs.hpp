// Consistent overhead byte stuffing (Cheshire and Baker 1999): a frame without zero bytes, so that a zero can
// end it.
//
// The data is cut at its zeros. Each piece goes out as one code byte, its length plus one, and then its
// bytes; a piece of 254 bytes without a zero behind it has the code 255. The overhead is one byte in 254, and
// one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tactus::wire {

constexpr std::size_t cobs_capacity(std::size_t size) {
  return size + size / 254 + 1;
}

// Writes at most cobs_capacity(size) bytes to `to` and returns how many. About 6 instructions a byte.
inline std::size_t cobs_encode(const std::uint8_t* from, std::size_t size, std::uint8_t* to) {
  std::size_t code_at = 0, out = 1;
  std::uint8_t code = 1;
  for (std::size_t i = 0; i < size; ++i) {
    if (from[i] != 0) {
      to[out++] = from[i];
      ++code;
      if (code != 255) continue;
      if (i + 1 == size) break;  // the end is also the end of a full piece: no empty piece behind it
    }
    to[code_at] = code;
    code_at = out++;
    code = 1;
  }
  to[code_at] = code;
  return out;
}

// Decodes one byte after the other, so that a frame never needs a second buffer. Never sees the delimiter.
class CobsDecoder {
 public:
  enum class Step : std::uint8_t { nothing, byte, zero_then_nothing };

  void restart() { left_ = 0, zero_due_ = false; }

  // What this byte means: data, a code that ends a piece with a zero in the data, or a code that does not.
  Step take(std::uint8_t byte) {
    if (left_ > 0) {
      --left_;
      return Step::byte;
    }
    const bool zero = zero_due_;
    left_ = static_cast<std::uint8_t>(byte - 1);
    zero_due_ = byte != 255;
    return zero ? Step::zero_then_nothing : Step::nothing;
  }

  // At the delimiter: the last piece is whole.
  bool whole() const { return left_ == 0; }

 private:
  std::uint8_t left_ = 0;
  bool zero_due_ = false;
};

}  // namespace tactus::wire
