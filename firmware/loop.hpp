// The loop: a state in, a prediction out, the watchdog fed, and everything that goes wrong counted.
//
// A tick has the time of a beat, or of as many as CONFIGURE says.
//
// Lockstep: each STATE is a tick. The wait for it belongs to the host, so the watchdog is fed meanwhile; once
// a tick has begun only its end feeds it. Real time: each beat begins a tick, with the latest valid state
// that came since the last one; for up to `stale_after` ticks without one it goes on from its own prediction,
// and before the first one, which leaves nothing to go on from, the answer is NO_STATE for as long.
//
// A tick fails when its state is bad or stale, or its first step is not certified. It then answers with the
// last good prediction, marked LAST_GOOD and with the reason. After `failures_to_latch` failed ticks in a row
// the safe state latches: from then on nothing is predicted until a new CONFIGURE. Lack of time is no such
// failure: the answer is the best that the first step has come to, DEGRADED and OUT_OF_TIME with its
// residual, and the next tick goes on from what was tried. Waiting for the first state is not yet a failure
// in a row; so a silent link latches after stale_after + failures_to_latch ticks, whether it falls silent or
// was so from the start.
#pragma once

#include <messages.pb.h>

#include <cstdint>

#include "boards/board.hpp"
#include "firmware/beat.hpp"
#include "firmware/clock.hpp"
#include "firmware/drill.hpp"
#include "firmware/engines.hpp"
#include "firmware/messenger.hpp"

namespace tactus::firmware {

inline constexpr std::uint32_t kWatchdogMilliseconds = 50;
inline constexpr std::uint32_t kDefaultFailuresToLatch = 10;
inline constexpr std::uint32_t kDefaultStaleAfter = 5;                   // ticks
inline constexpr std::uint32_t kDefaultPercent = 50, kMostPercent = 75;  // of a tick for the horizon
inline constexpr std::uint32_t kInstantMilliseconds = 30;                // of the watchdog's time
inline constexpr int kTrialSteps = 4;  // of the implicit law: one alone may be cheap by chance
inline constexpr std::uint32_t kMostBeats = kBeatHertz * kWatchdogMilliseconds / 2000;  // in a tick
inline constexpr std::uint32_t kRequestsOfATick = 1;
// A UART of 921,600 baud brings 92 bytes a beat of 1 ms, each an interrupt of 38 instructions.
inline constexpr std::uint32_t kInterruptsOfABeat = 92 * 38 * 1000 / kBeatHertz;
inline constexpr std::uint32_t kLateStart = 8;  // at most this share of a beat (worst_jitter_counts)
// A real board counts cycles: of pieces of the solver at most 3.8 an instruction, from flash with five wait
// states and no cache (by the Cortex-M4's tables, not measured on a chip).
inline constexpr std::uint32_t kCyclesPerInstruction = 4;
static_assert(kMostBeats > 0 && kWatchdogMilliseconds == 50, "what a refusal says of it");

struct BoardCounter {
  std::uint32_t operator()() const { return board::counter(); }
  std::uint32_t since(std::uint32_t earlier) const { return board::counts_since(earlier); }
};

class Loop {
 public:
  // Serves the host until it closes the link; on a board that has no such end, for ever.
  void run();

 private:
  void serve_lockstep();
  void serve_real_time();
  bool next_in_real_time();
  void handle_held();
  void handle(const Messenger::Frame& frame);
  void take_state(const Messenger::Frame& frame);
  void begin_tick(std::uint32_t gathered);
  std::uint32_t spent() const { return board::counts_since(started_) + gathered_; }  // of the tick
  void tick(tactus_wire_Reason refused);
  void begin_prediction(std::uint32_t percent);
  void fail(tactus_wire_Reason reason);
  void note_cost(std::uint32_t counts);
  std::uint32_t counts_per_tick() const { return counts_per_beat_ * beats_per_tick_; }
  void configure(const Messenger::Frame& frame);
  Error check_time();
  std::uint32_t counts_per_instruction() const;
  std::uint32_t waiting_counts() const;
  void say_hello();
  void say_health();
  void say_instant(const Messenger::Frame& frame);
  void say_fault();

  Messenger messenger_;
  Engines engines_;
  TickClock<TimeLimits<BoardCounter>> clock_;
  Drill drill_;
  bool real_time_ = false;
  std::uint32_t failures_to_latch_ = kDefaultFailuresToLatch;
  std::uint32_t stale_after_ = kDefaultStaleAfter;
  std::uint32_t started_ = 0, gathered_ = 0;  // of this tick
  std::uint32_t message_ = 0, best_ = 0;      // what its answer takes, and the best of a step that is ended
  bool was_late_ = false;                     // the tick before
  std::uint32_t counts_per_beat_ = 0, beats_per_tick_ = 1, horizon_percent_ = kDefaultPercent;

  tactus_wire_Configure configure_ = tactus_wire_Configure_init_zero;
  tactus_wire_State state_ = tactus_wire_State_init_zero;
  bool has_state_ = false;       // a valid one has come since CONFIGURE
  bool state_is_new_ = false;    // a valid one has come since the last tick
  bool has_tick_ = false;        // one that could be read has come since CONFIGURE
  std::uint32_t last_tick_ = 0;  // its number
  tactus_wire_Reason refused_ =
      tactus_wire_Reason_REASON_NONE;  // why the next tick has no state to go on from
  std::uint32_t ticks_without_ = 0;
  std::uint32_t scenes_ = 0;          // how many CONFIGUREs were read
  Messenger::Frame frame_{};          // in real time
  bool holds_ = false;                // it waits to be handled
  std::uint32_t requests_ = 0;        // handled since the last tick
  std::uint32_t seen_ = 0;            // beats that have had their tick, or were missed
  std::uint32_t previous_start_ = 0;  // of a tick in real time
  tactus_wire_Prediction now_ = tactus_wire_Prediction_init_zero;
  tactus_wire_Prediction last_good_ = tactus_wire_Prediction_init_zero;
  std::uint32_t failures_in_row_ = 0;
  tactus_wire_Health health_ = tactus_wire_Health_init_zero;
};

}  // namespace tactus::firmware
