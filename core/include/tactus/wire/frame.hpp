// Frames: what both ends of the link put around a message, and how they notice that one was damaged, lost or
// repeated.
//
//     version 1 | type 1 | sequence 2 | length 2 | payload, length bytes | CRC-32 of all before 4
//
// all little endian, then COBS, then one 0x00. The CRC is the one of Ethernet and zlib (0x04C11DB7,
// reflected). The payload is a message of messages.proto; this layer does not look into it.
//
// The sequence number grows by one with each frame of a sender. A frame whose number is not ahead of the last
// one is a repetition or came late, and is dropped; a jump ahead says how many were lost. Numbers are
// compared modulo 2^16.
//
// Nothing here allocates, blocks or fails other than by a counter. A decoder takes any bytes whatsoever.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tactus/wire/cobs.hpp"
#include "tactus/wire/crc32.hpp"

namespace tactus::wire {

inline constexpr std::uint8_t kVersion = 2;  // of frames and messages
inline constexpr std::size_t kHeaderSize = 6;
inline constexpr std::size_t kFrameOverhead = kHeaderSize + 4;
inline constexpr std::size_t kPayloadCapacity = 2560;
inline constexpr std::size_t kFrameCapacity = kPayloadCapacity + kFrameOverhead;
inline constexpr std::size_t kEncodedCapacity = cobs_capacity(kFrameCapacity) + 1;

namespace detail {

inline void put16(std::uint8_t* to, std::uint32_t value) {
  to[0] = static_cast<std::uint8_t>(value);
  to[1] = static_cast<std::uint8_t>(value >> 8);
}
inline void put32(std::uint8_t* to, std::uint32_t value) {
  put16(to, value);
  put16(to + 2, value >> 16);
}
inline std::uint16_t get16(const std::uint8_t* from) {
  return static_cast<std::uint16_t>(from[0] | static_cast<unsigned>(from[1]) << 8);
}
inline std::uint32_t get32(const std::uint8_t* from) {
  return get16(from) | static_cast<std::uint32_t>(get16(from + 2)) << 16;
}

}  // namespace detail

// Builds one frame after the other; holds the sender's sequence number and room for a frame in both forms.
class Encoder {
 public:
  // Where the payload of the next frame is to be written: kPayloadCapacity bytes, valid until encode()
  // returns.
  std::uint8_t* payload() { return frame_ + kHeaderSize; }

  struct Encoded {
    const std::uint8_t* bytes;  // valid until the next encode()
    std::size_t size;           // 0: the payload was larger than a frame holds, and nothing was sent
  };

  // About 7 instructions a byte, half of them for the CRC; 20 where every other byte is zero.
  Encoded encode(std::uint8_t type, std::size_t payload_size) {
    if (payload_size > kPayloadCapacity) return {encoded_, 0};
    frame_[0] = kVersion;
    frame_[1] = type;
    detail::put16(frame_ + 2, sequence_++);
    detail::put16(frame_ + 4, static_cast<std::uint32_t>(payload_size));
    const std::size_t size = kHeaderSize + payload_size;
    detail::put32(frame_ + size, detail::crc32(frame_, size));
    const std::size_t encoded = cobs_encode(frame_, size + 4, encoded_);
    encoded_[encoded] = 0;
    return {encoded_, encoded + 1};
  }

 private:
  std::uint8_t frame_[kFrameCapacity];
  std::uint8_t encoded_[kEncodedCapacity];
  std::uint16_t sequence_ = 0;
};

// What happened to everything that ever came in. Each delimited piece of input is counted exactly once, in
// `good` or in one of the errors; `lost` counts frames that never came.
struct DecoderCounters {
  std::uint32_t good = 0;
  std::uint32_t truncated = 0;  // shorter than any frame, or cut inside a COBS piece
  std::uint32_t oversized = 0;  // longer than any frame
  std::uint32_t bad_crc = 0;
  std::uint32_t bad_version = 0;  // whole, but of another protocol version
  std::uint32_t bad_length = 0;   // whole, but the stated length is not the length
  std::uint32_t repeated = 0;  // the sequence number was not ahead of the last one: replayed or out of order
  std::uint32_t lost = 0;      // sequence numbers that were jumped over
  std::uint8_t other_version = 0;  // of the last one that was of another protocol version

  std::uint32_t bad() const { return truncated + oversized + bad_crc + bad_version + bad_length + repeated; }
};

class Decoder {
 public:
  // A frame of the type `restart` begins a new sequence: a sender that has just come says it first. -1: no
  // such type.
  explicit Decoder(int restart = -1) : restart_(restart) {}

  struct Frame {
    std::uint8_t type;
    std::uint16_t sequence;
    const std::uint8_t* payload;  // valid until the next byte is taken
    std::size_t size;
  };

  struct Taken {
    std::size_t bytes;
    bool good;  // the last of them completed a good frame
  };

  // Takes bytes up to a delimiter, this one with them, or all there are; a good frame that it ends is then in
  // `frame`. About 8 instructions a byte, half of them at the delimiter: the CRC over the frame.
  Taken take(const std::uint8_t* from, std::size_t size, Frame& frame) {
    for (std::size_t at = 0; at < size;) {
      if (from[at] == 0) return {at + 1, end(frame)};
      empty_so_far_ = false;
      if (too_long_) {  // nothing of it counts any more
        ++at;
        continue;
      }
      const CobsDecoder::Part part = cobs_.take(from + at, size - at, frame_ + size_, kFrameCapacity - size_);
      at += part.taken;
      size_ += part.written;
      too_long_ = part.over;
    }
    return {size, false};
  }
  bool take(std::uint8_t byte, Frame& frame) { return take(&byte, 1, frame).good; }

  const DecoderCounters& counters() const { return counters_; }

 private:
  bool end(Frame& frame) {
    const bool good = finish(frame);
    cobs_.restart();
    size_ = 0;
    too_long_ = false;
    empty_so_far_ = true;
    return good;
  }

  bool finish(Frame& frame) {
    if (empty_so_far_) return false;  // two delimiters in a row say nothing: a sender may start with one
    if (too_long_) return ++counters_.oversized, false;
    if (!cobs_.whole() || size_ < kFrameOverhead) return ++counters_.truncated, false;
    const std::size_t covered = size_ - 4;
    if (detail::crc32(frame_, covered) != detail::get32(frame_ + covered)) return ++counters_.bad_crc, false;
    if (frame_[0] != kVersion) {
      counters_.other_version = frame_[0];
      return ++counters_.bad_version, false;
    }
    if (detail::get16(frame_ + 4) != covered - kHeaderSize) return ++counters_.bad_length, false;
    const std::uint16_t sequence = detail::get16(frame_ + 2);
    const std::uint16_t ahead = static_cast<std::uint16_t>(sequence - last_);
    if (!any_sequence_ && frame_[1] != restart_) {
      if (ahead == 0 || ahead >= 0x8000) return ++counters_.repeated, false;
      counters_.lost += ahead - 1u;
    }
    any_sequence_ = false;
    last_ = sequence;
    ++counters_.good;
    frame = {frame_[1], sequence, frame_ + kHeaderSize, covered - kHeaderSize};
    return true;
  }

  CobsDecoder cobs_;
  std::uint8_t frame_[kFrameCapacity];
  std::size_t size_ = 0;
  bool too_long_ = false, empty_so_far_ = true, any_sequence_ = true;
  std::uint16_t last_ = 0;
  int restart_;
  DecoderCounters counters_;
};

}  // namespace tactus::wire
