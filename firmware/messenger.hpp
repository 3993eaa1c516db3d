// Messages over the board's link: frames in, frames out, and what could not be read or sent.
#pragma once

#include <messages.pb.h>
#include <pb_decode.h>
#include <pb_encode.h>

#include <cstddef>
#include <cstdint>

#include "boards/board.hpp"
#include "firmware/decode.hpp"
#include "firmware/encode.hpp"
#include "firmware/payload.hpp"
#include "tactus/wire/frame.hpp"

namespace tactus::firmware {

class Messenger {
 public:
  using Frame = wire::Decoder::Frame;

  // The next whole frame, if the link has one; over the FIFO link it waits for it.
  bool poll(Frame& frame) {
    for (std::uint32_t started = board::counter();; started = board::counter()) {
      while (next_ < filled_) {
        const wire::Decoder::Taken taken = decoder_.take(chunk_ + next_, filled_ - next_, frame);
        next_ += taken.bytes;
        if (chunk_[next_ - 1] != 0) continue;
        frame_counts_ = gathering_ + board::counts_since(started);
        gathering_ = 0;
        if (taken.good) return true;
        started = board::counter();  // a damaged one is none of the next one's time
      }
      if (filled_ > 0) gathering_ += board::counts_since(started);
      next_ = 0;
      filled_ = board::receive(chunk_, sizeof chunk_);
      if (filled_ == 0) return false;
    }
  }
  // What it took to gather the last frame, without the wait for its bytes.
  std::uint32_t frame_counts() const { return frame_counts_; }

  template <class Message>
  bool read(const Frame& frame, const pb_msgdesc_t* fields, Message& message) {
    if (!may_be_read<Message>(frame.payload, frame.size)) {
      ++refused_;
      ++unreadable_;
      return false;
    }
    if (decode(frame, fields, message)) return true;
    ++unreadable_;
    return false;
  }

  // Makes the frame; deliver() sends it. In two parts, so that a tick's cost does not depend on the link.
  template <class Message>
  void prepare(tactus_wire_Type type, const pb_msgdesc_t* fields, const Message& message) {
    prepared_ = encoder_.encode(static_cast<std::uint8_t>(type), encode(fields, message));
  }
  void deliver() {
    if (prepared_.size == 0 || !board::send(prepared_.bytes, prepared_.size)) ++unsent_;
  }
  template <class Message>
  void send(tactus_wire_Type type, const pb_msgdesc_t* fields, const Message& message) {
    prepare(type, fields, message);
    deliver();
  }

  void unknown_type() { ++unknown_; }

  void report(tactus_wire_Health& health) const {
    const wire::DecoderCounters& c = decoder_.counters();
    health.frames_good = c.good;
    health.frames_truncated = c.truncated;
    health.frames_oversized = c.oversized;
    health.frames_bad_crc = c.bad_crc;
    health.frames_bad_version = c.bad_version;
    health.frames_bad_length = c.bad_length;
    health.frames_repeated = c.repeated;
    health.frames_lost = c.lost;
    health.frames_unknown_type = unknown_;
    health.frames_unreadable = unreadable_;
    health.payloads_refused = refused_;
    health.bytes_overrun = board::receive_overruns();
    health.answers_unsent = unsent_;
  }

 private:
  // nanopb's, but for the two messages of a tick.
  template <class Message>
  static bool decode(const Frame& frame, const pb_msgdesc_t* fields, Message& message) {
    pb_istream_t stream = pb_istream_from_buffer(frame.payload, frame.size);
    return pb_decode(&stream, fields, &message);
  }
  static bool decode(const Frame& frame, const pb_msgdesc_t*, tactus_wire_State& message) {
    return firmware::decode(frame.payload, frame.size, message);
  }
  // Into the next frame; 0 bytes where the message has more than it can.
  template <class Message>
  std::size_t encode(const pb_msgdesc_t* fields, const Message& message) {
    pb_ostream_t stream = pb_ostream_from_buffer(encoder_.payload(), wire::kPayloadCapacity);
    return pb_encode(&stream, fields, &message) ? stream.bytes_written : 0;
  }
  std::size_t encode(const pb_msgdesc_t*, const tactus_wire_Prediction& message) {
    static_assert(tactus_wire_Prediction_size <= wire::kPayloadCapacity);
    return firmware::encode(message, encoder_.payload());
  }

  wire::Decoder decoder_{tactus_wire_Type_HELLO_REQUEST};
  wire::Encoder encoder_;
  wire::Encoder::Encoded prepared_{nullptr, 0};
  std::uint8_t chunk_[256];
  std::size_t next_ = 0, filled_ = 0;
  std::uint32_t unknown_ = 0, unreadable_ = 0, refused_ = 0, unsent_ = 0;
  std::uint32_t gathering_ = 0, frame_counts_ = 0;  // of the frame that comes, of the last one
};

}  // namespace tactus::firmware
