#include "host_sim/link/link.hpp"

#include <algorithm>

#include "host_sim/link/stream.hpp"

namespace tactus::host::link {
namespace {

constexpr std::chrono::milliseconds kHelloTimeout{2'000};  // of whatever hangs on a serial port

std::chrono::nanoseconds until(std::chrono::steady_clock::time_point end) {
  return std::max(end - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0));
}

}  // namespace

Board::Board(std::unique_ptr<Stream> stream, std::chrono::milliseconds timeout)
    : stream_(std::move(stream)),
      encoder_(std::make_unique<wire::Encoder>()),
      decoder_(std::make_unique<wire::Decoder>(wire::HELLO)),
      timeout_(timeout) {}
Board::Board(Board&&) noexcept = default;
Board& Board::operator=(Board&&) noexcept = default;
Board::~Board() = default;

Board Board::boot(const BootOptions& options) {
  Board board(Stream::emulator(options), options.timeout);
  board.hello_ = board.wait_for<wire::Hello>(wire::HELLO);  // it speaks first
  return board;
}

Board Board::open(const std::string& device, int baud) {
  Board board(Stream::serial(device, baud), kHelloTimeout);
  const std::uint8_t delimiter = 0;  // ends whatever the board may have heard before
  board.send_bytes(&delimiter, 1);
  board.hello_ = board.say_hello();
  board.timeout_ = BootOptions{}.timeout;  // it is a board: what has piled up on a slow link may take long
  return board;
}

wire::Hello Board::say_hello() {
  *encoder_ = wire::Encoder();
  send_payload(wire::HELLO_REQUEST, "");
  return wait_for<wire::Hello>(wire::HELLO);
}

wire::Configured Board::configure(const wire::Configure& scene) {
  send(wire::CONFIGURE, scene);
  return wait_for<wire::Configured>(wire::CONFIGURED);
}

wire::Prediction Board::step(const wire::State& state) {
  send(wire::STATE, state);
  return wait_for<wire::Prediction>(wire::PREDICTION);
}

wire::Instant Board::instant(const wire::State& state) {
  if (hello_.instant_contacts() == 0)
    throw LinkError("The image of " + hello_.board() + " tells no instant.");
  send(wire::INSTANT_REQUEST, state);
  return wait_for<wire::Instant>(wire::INSTANT);
}

wire::Health Board::health() {
  send_payload(wire::HEALTH_REQUEST, "");
  return wait_for<wire::Health>(wire::HEALTH);
}

wire::Fault Board::fault() {
  send_payload(wire::FAULT_REQUEST, "");
  return wait_for<wire::Fault>(wire::FAULT);
}

wire::Health Board::drill(wire::DrillKind kind) {
  wire::Drill drill;
  drill.set_kind(kind);
  send(wire::DRILL, drill);
  return wait_for<wire::Health>(wire::HEALTH);
}

Board::Bytes Board::frame(wire::Type type, const std::string& payload) {
  if (payload.size() > wire::kPayloadCapacity)
    throw LinkError("A message of " + std::to_string(payload.size()) + " bytes is larger than a frame.");
  std::copy(payload.begin(), payload.end(), encoder_->payload());
  const auto encoded = encoder_->encode(static_cast<std::uint8_t>(type), payload.size());
  return {encoded.bytes, encoded.bytes + encoded.size};
}

void Board::send_bytes(const std::uint8_t* bytes, std::size_t size) {
  stream_->write(bytes, size, timeout_, in_);
}

void Board::send_payload(wire::Type type, const std::string& payload) {
  const Bytes bytes = frame(type, payload);
  send_bytes(bytes.data(), bytes.size());
}

std::optional<Board::Received> Board::receive(std::chrono::nanoseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (const auto bytes = receive_bytes(until(end))) {
    if (auto received = decode(*bytes)) return received;
  }
  return std::nullopt;
}

std::optional<Board::Bytes> Board::receive_bytes(std::chrono::nanoseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (std::size_t looked = 0;;) {
    const auto delimiter = std::find(in_.begin() + static_cast<std::ptrdiff_t>(looked), in_.end(), 0);
    // What never ends is handed on in pieces: the decoder counts it as one frame that is too long.
    if (delimiter != in_.end() || in_.size() > 2 * wire::kEncodedCapacity) {
      const auto stop = delimiter != in_.end() ? delimiter + 1 : delimiter;
      Bytes bytes(in_.begin(), stop);
      in_.erase(in_.begin(), stop);
      return bytes;
    }
    looked = in_.size();
    if (!stream_->read(in_, until(end))) return std::nullopt;
  }
}

std::optional<Board::Received> Board::decode(const Bytes& bytes) {
  std::optional<Received> received;
  wire::Decoder::Frame frame;
  for (const std::uint8_t byte : bytes) {
    if (decoder_->take(byte, frame)) {
      received = Received{static_cast<wire::Type>(frame.type),
                          std::string(reinterpret_cast<const char*>(frame.payload), frame.size)};
    }
  }
  const wire::DecoderCounters& seen = decoder_->counters();
  if (seen.bad_version > 0)
    throw LinkError("The board speaks version " + std::to_string(seen.other_version) +
                    " of the protocol and this program version " + std::to_string(wire::kVersion) +
                    ": make both from the same tree.");
  return received;
}

bool Board::alive() {
  return stream_->alive();
}

// Skips what was not asked for: a board that has just been reset says hello unasked.
template <class Message>
Message Board::wait_for(wire::Type type) {
  const auto end = std::chrono::steady_clock::now() + timeout_;
  for (;;) {
    const auto received = receive(until(end));
    if (!received)
      throw LinkError("The board did not answer with " + wire::Type_Name(type) + " within " +
                      std::to_string(timeout_.count()) + " ms.");
    if (received->type != type) continue;
    Message message;
    if (!message.ParseFromString(received->payload))
      throw LinkError("An answer of the board cannot be read.");
    return message;
  }
}

std::filesystem::path image_of(const std::filesystem::path& build_folder, const std::string& preset,
                               const std::string& name) {
  const std::filesystem::path image = build_folder / preset / name;
  if (!std::filesystem::exists(image))
    throw LinkError("The image " + image.string() + " is missing; to make it: cmake --preset " + preset +
                    " && cmake --build --preset " + preset + " --target " + image.stem().string());
  return image;
}

std::string output_of(const BootOptions& options) {
  return Stream::output(options);
}

}  // namespace tactus::host::link
