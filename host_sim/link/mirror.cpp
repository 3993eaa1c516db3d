#include "host_sim/link/mirror.hpp"

#include <pb_decode.h>
#include <pb_encode.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "firmware/clock.hpp"
#include "firmware/engines.hpp"

namespace tactus::host::link {

namespace {

template <class Message>
bool decode(const std::string& bytes, const pb_msgdesc_t* fields, Message& message) {
  pb_istream_t stream =
      pb_istream_from_buffer(reinterpret_cast<const pb_byte_t*>(bytes.data()), bytes.size());
  return pb_decode(&stream, fields, &message);
}

template <class Message>
std::string encode(const pb_msgdesc_t* fields, const Message& message) {
  std::uint8_t bytes[2048];
  pb_ostream_t stream = pb_ostream_from_buffer(bytes, sizeof bytes);
  if (!pb_encode(&stream, fields, &message)) return {};
  return {reinterpret_cast<const char*>(bytes), stream.bytes_written};
}

// What the board has done of the tick at hand is what may be done of it here.
struct AsTheBoard {
  std::uint32_t steps = 0, horizon_systems = 0, systems = 0;

  // A step that the board has ended in time is not among its steps, but what was begun of it is counted.
  bool may_step(std::uint32_t taken, std::uint32_t begun) const {
    return taken < steps || begun < horizon_systems;
  }
  bool may_begin(std::uint32_t begun, Piece, int, int) const { return begun < systems; }
};

}  // namespace

struct Mirror::Engines : firmware::Engines {
  firmware::TickClock<AsTheBoard> clock;
  firmware::InstantRoom room;
};

Mirror::Mirror() : engines_(std::make_unique<Engines>()) {}
Mirror::~Mirror() = default;

std::string Mirror::configure(const std::string& message) {
  tactus_wire_Configure scene = tactus_wire_Configure_init_zero;
  if (!decode(message, tactus_wire_Configure_fields, scene)) return {};
  tactus_wire_Configured answer = tactus_wire_Configured_init_zero;
  firmware::detail::write(engines_->configure(scene, engines_->clock), answer);
  return encode(tactus_wire_Configured_fields, answer);
}

std::string Mirror::step(const std::string& message, const std::string& answer) {
  tactus_wire_Prediction board = tactus_wire_Prediction_init_zero;
  if (!decode(answer, tactus_wire_Prediction_fields, board)) return {};
  AsTheBoard& limits = engines_->clock.limits;
  limits = {board.steps, board.horizon_systems, board.systems};
  if (answer.empty()) limits = {1, 0, std::numeric_limits<std::uint32_t>::max()};
  tactus_wire_State state = tactus_wire_State_init_zero;
  if (!decode(message, tactus_wire_State_fields, state)) return {};
  tactus_wire_Prediction prediction = tactus_wire_Prediction_init_zero;
  if (engines_->take(state))
    engines_->predict(prediction, engines_->clock);
  else
    prediction.reason = tactus_wire_Reason_BAD_STATE;
  prediction.tick = state.tick;
  return encode(tactus_wire_Prediction_fields, prediction);
}

std::string Mirror::instant(const std::string& message, bool follows, const std::string& answer) {
  tactus_wire_Instant board = tactus_wire_Instant_init_zero, own = tactus_wire_Instant_init_zero;
  tactus_wire_State state = tactus_wire_State_init_zero;
  if (!decode(answer, tactus_wire_Instant_fields, board)) return {};
  if (!decode(message, tactus_wire_State_fields, state)) return {};
  engines_->clock.limits = {0, 0, answer.empty() ? std::numeric_limits<std::uint32_t>::max() : board.systems};
  own.tick = state.tick;
  firmware::detail::write(engines_->instant(state, follows, engines_->room, own, engines_->clock), own);
  return encode(tactus_wire_Instant_fields, own);
}

}  // namespace tactus::host::link
