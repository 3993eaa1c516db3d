// The host's end of the link: boot an emulated board or open a real one, and talk to it in messages.
//
//     auto board = link::Board::boot({.image = "build/mps2-an500/firmware.elf"});
//     wire::Configured answer = board.configure(scene);              // accepted, or refused with a reason
//     wire::Prediction p = board.step(state);                        // lockstep: one state, one prediction
//     wire::Health health = board.health();
//
// Every call that waits has a timeout and throws LinkError with a sentence. Frames that come in damaged are
// counted in counters() and otherwise ignored, as on the board.
#pragma once

#include <messages.pb.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tactus/wire/frame.hpp"

namespace tactus::host::link {

struct LinkError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Transport {
  fifo,  // thousands of frames a second, and virtual time stands still while the board waits: for lockstep
  uart   // the real thing, emulated: hundreds of frames a second
};

struct BootOptions {
  std::filesystem::path
      image;  // of an emulated board; its build folder holds `emulator`, the command that runs it
  Transport transport = Transport::fifo;
  std::chrono::milliseconds timeout{20'000};  // of every answer
};

// A byte stream to a board; poll-able, non-blocking. An emulator behind it ends when the stream is closed.
class Stream;

class Board {
 public:
  static Board boot(const BootOptions& options);
  // Waits two seconds for a board to say hello.
  static Board open(const std::string& device, int baud = 921'600);
  Board(Board&&) noexcept;
  Board& operator=(Board&&) noexcept;
  ~Board();

  const wire::Hello& hello() const { return hello_; }  // what the board said when it came up
  wire::Hello say_hello();                             // asks again; the board's sequence starts anew
  wire::Configured configure(const wire::Configure& scene);
  wire::Prediction step(const wire::State& state);
  wire::Instant instant(const wire::State& state);  // the forces of this very instant; no tick
  wire::Health health();
  wire::Fault fault();  // the last run's; the board forgets it
  wire::Health drill(wire::DrillKind kind);

  // The same in two parts, for real time and for links that lose frames.
  template <class Message>
  void send(wire::Type type, const Message& message) {
    send_payload(type, message.SerializeAsString());
  }
  struct Received {
    wire::Type type;
    std::string payload;
  };
  std::optional<Received> receive(std::chrono::nanoseconds timeout);

  // For a link that is made to lose and damage frames: a frame's bytes without sending them, any bytes at
  // all; and receive() in its two halves, the bytes of the next frame with its delimiter as they came, and
  // what they say.
  using Bytes = std::vector<std::uint8_t>;
  Bytes frame(wire::Type type, const std::string& payload);
  void send_bytes(const std::uint8_t* bytes, std::size_t size);
  std::optional<Bytes> receive_bytes(std::chrono::nanoseconds timeout);
  std::optional<Received> decode(const Bytes& bytes);

  const wire::DecoderCounters& counters() const { return decoder_->counters(); }
  bool alive();  // the emulator runs; always true for a real board

 private:
  Board(std::unique_ptr<Stream> stream, std::chrono::milliseconds timeout);
  void send_payload(wire::Type type, const std::string& payload);
  template <class Message>
  Message wait_for(wire::Type type);

  std::unique_ptr<Stream> stream_;
  std::unique_ptr<wire::Encoder> encoder_;
  std::unique_ptr<wire::Decoder> decoder_;
  std::chrono::milliseconds timeout_;
  wire::Hello hello_;
  Bytes in_;  // what has come and is not yet handed on
};

// The image of a preset, build/<preset>/firmware.elf below the top of the tree; throws LinkError naming the
// command that builds it where it is missing.
std::filesystem::path image_of(const std::filesystem::path& build_folder, const std::string& preset,
                               const std::string& name = "firmware.elf");

// What another program of an emulated board prints until it ends.
std::string output_of(const BootOptions& options);

}  // namespace tactus::host::link
