#include "firmware/loop.hpp"

#include <cstring>

namespace tactus::firmware {

static_assert(tactus_wire_Configure_size <= wire::kPayloadCapacity &&
                  tactus_wire_Prediction_size <= wire::kPayloadCapacity,
              "the largest messages must fit into a frame");

namespace {

template <int Dim>
tactus_wire_Capacities capacities() {
  constexpr stepper::Capacity c = capacity<Dim>();
  return {c.bodies, c.contacts, c.active, kHorizon, c.joints, c.arm_joints};
}

// Not of a tick, so where memory is slow but there is more of it.
[[gnu::section(".bss.more")]] InstantRoom instant_room;

}  // namespace

// `percent` of the tick are the horizon's; steps may take what is left of it but for the answer's message. On
// a board whose counter does not run there is no end.
void Loop::begin_prediction(std::uint32_t percent) {
  const std::uint32_t tick = counts_per_tick(), gone = spent() + message_;
  const std::uint32_t left = !board::counter_runs() ? ~0U / 2 : tick > gone ? tick - gone : 0;
  clock_.limits.begin(tick / 100 * percent, left, best_, counts_per_instruction());
}

std::uint32_t Loop::counts_per_instruction() const {
  return board::describe().emulated ? 1 : kCyclesPerInstruction;
}

void Loop::run() {
  counts_per_beat_ = board::describe().counts_per_second / kBeatHertz;
  board::start_watchdog(kWatchdogMilliseconds);
  // A board that comes up speaks first: a host that waits sees it, and a UART is known to be ready.
  say_hello();
  if (board::link() == board::Link::uart) board::start_beat(kBeatHertz);
  while (!board::link_closed()) {
    if (real_time_) {
      serve_real_time();
    } else {
      serve_lockstep();
    }
  }
}

void Loop::serve_lockstep() {
  Messenger::Frame frame;
  const std::uint32_t beat = board::beats();
  if (messenger_.poll(frame)) {
    board::stop_beat();  // so that a tick's cost is its own
    if (frame.type != tactus_wire_Type_STATE) board::feed_watchdog();
    handle(frame);
    if (!real_time_ && board::link() == board::Link::uart) board::start_beat(kBeatHertz);
  } else {
    board::feed_watchdog();
    board::sleep(beat);  // the beat or a byte ends it
  }
}

// The frame at hand or the next one, if it may be handled: states always, but one request a tick. The others
// wait on the link, so that no flood of them takes the time of ticks.
bool Loop::next_in_real_time() {
  if (!holds_) holds_ = messenger_.poll(frame_);
  if (!holds_) return false;
  const bool request = frame_.type != tactus_wire_Type_STATE;
  return !request || requests_ < kRequestsOfATick;
}

void Loop::handle_held() {
  holds_ = false;
  if (frame_.type != tactus_wire_Type_STATE) ++requests_;
  handle(frame_);
}

// One look at link and beat; run() comes back for the next.
void Loop::serve_real_time() {
  const std::uint32_t beat = board::beats();
  if (beat - seen_ < beats_per_tick_) {
    const bool may = next_in_real_time();
    if (board::beats() - seen_ < beats_per_tick_) {
      may ? handle_held() : board::sleep(beat);
      return;
    }
  }  // a beat that came while a frame was gathered does not wait for it to be read
  begin_tick(0);
  const std::uint32_t between = board::counts_since(previous_start_);
  previous_start_ = started_;
  const std::uint32_t passed = (board::beats() - seen_) / beats_per_tick_;
  seen_ += passed * beats_per_tick_;
  health_.missed_deadlines += passed - 1;  // ticks that came and went inside the last one
  if (health_.ticks > 0 && passed == 1) {
    const std::uint32_t jitter =
        between > counts_per_tick() ? between - counts_per_tick() : counts_per_tick() - between;
    if (jitter > health_.worst_jitter_counts) health_.worst_jitter_counts = jitter;
  }
  const std::uint32_t scenes = scenes_;
  while (next_in_real_time()) {
    handle_held();
    if (scenes_ != scenes) return;  // this tick was the last scene's
  }
  requests_ = 0;
  if (state_is_new_) {
    ticks_without_ = 0;
    refused_ = tactus_wire_Reason_REASON_NONE;  // a valid state outweighs a bad one of the same beat
  } else if (ticks_without_++ >= stale_after_ && refused_ == tactus_wire_Reason_REASON_NONE) {
    refused_ = tactus_wire_Reason_STALE;
  } else if (!has_state_ && refused_ == tactus_wire_Reason_REASON_NONE) {
    refused_ = tactus_wire_Reason_NO_STATE;
  }
  tick(refused_);
}

void Loop::handle(const Messenger::Frame& frame) {
  switch (frame.type) {
    case tactus_wire_Type_HELLO_REQUEST:
      return say_hello();
    case tactus_wire_Type_CONFIGURE:
      return configure(frame);
    case tactus_wire_Type_STATE:
      return take_state(frame);
    case tactus_wire_Type_HEALTH_REQUEST:
      return say_health();
    case tactus_wire_Type_FAULT_REQUEST:
      return say_fault();
    case tactus_wire_Type_INSTANT_REQUEST:
      if constexpr (kHasInstants) return say_instant(frame);
      messenger_.unknown_type();
      return say_health();
    case tactus_wire_Type_DRILL:
      if constexpr (Drill::kPresent) {
        tactus_wire_Drill drill = tactus_wire_Drill_init_zero;
        if (messenger_.read(frame, tactus_wire_Drill_fields, drill)) drill_.arm(drill.kind);
        return say_health();
      }
      [[fallthrough]];
    default:
      messenger_.unknown_type();
      return say_health();
  }
}

// A valid state moves the world at once, so that nothing that comes behind it within the beat can spoil it.
void Loop::take_state(const Messenger::Frame& frame) {
  if (!real_time_) begin_tick(messenger_.frame_counts());
  const bool readable = messenger_.read(frame, tactus_wire_State_fields, state_);
  // A number that is not ahead of the last one is old news, whatever it says.
  const bool late = readable && has_tick_ && static_cast<std::int32_t>(state_.tick - last_tick_) <= 0;
  if (late) {
    ++health_.late_states;
    if (!real_time_) refused_ = tactus_wire_Reason_STALE;
  } else {
    if (readable) {
      has_tick_ = true;
      last_tick_ = state_.tick;
    }
    const bool valid = readable && (!engines_.configured() || engines_.take(state_));
    if (readable && !valid) ++health_.bad_states;
    if (valid) {
      has_state_ = state_is_new_ = true;
    } else {
      refused_ = tactus_wire_Reason_BAD_STATE;
    }
  }
  if (!real_time_) tick(refused_);
}

// No tick, and nothing of one changes. The watchdog was fed when the frame came.
void Loop::say_instant(const Messenger::Frame& frame) {
  tactus_wire_Instant answer = tactus_wire_Instant_init_zero;
  const std::uint32_t started = board::counter();
  Error error;
  if (!messenger_.read(frame, tactus_wire_State_fields, state_)) {
    error = What::unreadable;
  } else if (real_time_) {
    error = What::instant_mode;
  } else {
    answer.tick = state_.tick;
    const std::uint32_t most = counts_per_beat_ * kBeatHertz / 1000 * kInstantMilliseconds;
    TickClock<TimeLimits<BoardCounter>> clock;  // its own: its pieces are none of the ticks' table
    clock.limits.begin(0, board::counter_runs() ? most : ~0U / 2, 0, counts_per_instruction());
    error = engines_.instant(state_, has_tick_ && state_.tick == last_tick_ + 1, instant_room, answer, clock);
  }
  detail::write(error, answer);
  answer.counts = board::counts_since(started);
  messenger_.send(tactus_wire_Type_INSTANT, tactus_wire_Instant_fields, answer);
}

// Before it the frame that it answers was gathered.
void Loop::begin_tick(std::uint32_t gathered) {
  started_ = board::counter();
  gathered_ = gathered;
}

void Loop::tick(tactus_wire_Reason refused) {
  state_is_new_ = false;
  refused_ = tactus_wire_Reason_REASON_NONE;
  ++health_.ticks;
  if (refused == tactus_wire_Reason_STALE) ++health_.stale_ticks;
  now_ = tactus_wire_Prediction_init_zero;
  tactus_wire_Reason reason = refused;
  std::uint32_t predicting = 0;
  if (!engines_.configured()) {
    reason = tactus_wire_Reason_NOT_CONFIGURED;
  } else if (!health_.latched && reason == tactus_wire_Reason_REASON_NONE) {
    begin_prediction(horizon_percent_);
    engines_.predict(now_, clock_);
    predicting = clock_.limits.spent();
    drill_.happen(counts_per_tick());
    if (now_.verdict == tactus_wire_Verdict_NO_PREDICTION) reason = now_.reason;
  }
  const std::uint32_t pivots = now_.pivots, systems = now_.systems, horizon = now_.horizon_systems;
  const bool good = reason == tactus_wire_Reason_REASON_NONE && !health_.latched && engines_.configured();
  if (good) {
    ++(now_.verdict == tactus_wire_Verdict_CERTIFIED ? health_.certified : health_.degraded);
    health_.members_failed += now_.members_failed;
    if (now_.seen == tactus_wire_Seen_SEEN_UNCERTIFIED) ++health_.uncompared;
    bool contradicted = now_.moved != 0;
    for (std::size_t c = 0; c < now_.contacts_count; ++c)
      contradicted = contradicted || now_.contacts[c].event != tactus_wire_Event_EVENT_NONE;
    if (contradicted) ++health_.gate_events;
    if (now_.reason != tactus_wire_Reason_OUT_OF_TIME) {  // of what was ended nothing is known
      failures_in_row_ = 0;
      last_good_ = now_;
    }
  } else {
    fail(reason);
    now_ = last_good_;
    now_.verdict = last_good_.verdict == tactus_wire_Verdict_NO_PREDICTION ? tactus_wire_Verdict_NO_PREDICTION
                                                                           : tactus_wire_Verdict_LAST_GOOD;
    now_.reason = health_.latched ? health_.latch_reason : reason;
  }
  now_.tick = last_tick_;
  now_.latched = health_.latched;
  now_.missed_deadline = was_late_;
  now_.counts = predicting;
  now_.pivots = pivots;
  now_.systems = systems;
  now_.horizon_systems = horizon;
  messenger_.prepare(tactus_wire_Type_PREDICTION, tactus_wire_Prediction_fields, now_);
  const std::uint32_t cost = spent();
  was_late_ = cost > counts_per_tick() || (real_time_ && board::beats() - seen_ >= beats_per_tick_);
  if (was_late_) ++health_.missed_deadlines;
  note_cost(cost);
  messenger_.deliver();
  board::feed_watchdog();
}

void Loop::fail(tactus_wire_Reason reason) {
  ++health_.failed;
  const bool fault = reason != tactus_wire_Reason_NO_STATE && reason != tactus_wire_Reason_OUT_OF_TIME;
  if (health_.latched || !engines_.configured() || !fault) return;
  if (++failures_in_row_ < failures_to_latch_) return;
  health_.latched = true;
  health_.latch_reason = reason;
}

void Loop::note_cost(std::uint32_t counts) {
  if (counts > health_.worst_counts) health_.worst_counts = counts;
  health_.total_counts += counts;
  constexpr std::uint32_t kFirst = 8;  // the first bin ends at 2^(8 + 1)
  constexpr std::uint32_t kBins = sizeof health_.histogram / sizeof health_.histogram[0];
  std::uint32_t bin = 0;
  while (bin + 1 < kBins && counts >> (bin + kFirst + 1) != 0) ++bin;
  ++health_.histogram[bin];
}

// Each part of it takes a fraction of the watchdog's time, and feeds it when it ends.
void Loop::configure(const Messenger::Frame& frame) {
  board::feed_watchdog();
  tactus_wire_Configured answer = tactus_wire_Configured_init_zero;
  Error error;
  const bool readable = messenger_.read(frame, tactus_wire_Configure_fields, configure_);
  if (!readable) {
    error = What::unreadable;
  } else if (configure_.mode == tactus_wire_Mode_REAL_TIME && board::link() == board::Link::fifo) {
    error = What::real_time;
  } else if (configure_.mode != tactus_wire_Mode_REAL_TIME && configure_.mode != tactus_wire_Mode_LOCKSTEP) {
    error = {What::mode, -1, 0, static_cast<int>(configure_.mode)};
  } else if (configure_.beats_per_tick > kMostBeats) {
    error = {What::beats, -1, kMostBeats, configure_.beats_per_tick};
  } else if (configure_.horizon_percent > kMostPercent) {
    error = {What::horizon_share, -1, kMostPercent, configure_.horizon_percent};
  } else {
    error = engines_.configure(configure_, clock_);
  }
  if (readable) beats_per_tick_ = error || configure_.beats_per_tick == 0 ? 1 : configure_.beats_per_tick;
  if (!error && board::counter_runs()) {
    error = check_time();
    if (error) engines_.clear();
  }
  detail::write(error, answer);

  if (readable) {
    failures_to_latch_ =
        configure_.failures_to_latch == 0 ? kDefaultFailuresToLatch : configure_.failures_to_latch;
    stale_after_ = configure_.stale_after == 0 ? kDefaultStaleAfter : configure_.stale_after;
    horizon_percent_ = configure_.horizon_percent == 0 ? kDefaultPercent : configure_.horizon_percent;
    real_time_ = answer.accepted && configure_.mode == tactus_wire_Mode_REAL_TIME;
    health_ = tactus_wire_Health_init_zero;
    failures_in_row_ = 0;
    has_tick_ = has_state_ = state_is_new_ = was_late_ = false;
    refused_ = tactus_wire_Reason_REASON_NONE;
    last_tick_ = 0;
    ticks_without_ = 0;
    last_good_ = tactus_wire_Prediction_init_zero;
    ++scenes_;
    if (real_time_) board::start_beat(kBeatHertz);
    seen_ = board::beats();
    previous_start_ = board::counter();
  }
  messenger_.send(tactus_wire_Type_CONFIGURED, tactus_wire_Configured_fields, answer);
}

// Whether a tick has the time for an answer of its own, from the state that CONFIGURE brings. Of the implicit
// law a step that is ended has none, so a few are tried. The watchdog is fed before each.
Error Loop::check_time() {
  const Sizes sizes = engines_.sizes();
  const std::uint32_t unit = counts_per_instruction();
  message_ = unit * answer_counts(sizes) + waiting_counts();
  best_ = unit * best_counts(sizes);
  const auto begin = [&] {
    board::feed_watchdog();
    begin_tick(unit * state_counts(sizes));
    begin_prediction(kMostPercent);
  };
  begin();
  if (!engines_.try_first(clock_)) {
    const std::uint32_t gone = counts_per_tick() - clock_.limits.steps();
    return {What::tick_too_short, -1, gone + clock_.limits.needed(), counts_per_tick()};
  }
  board::feed_watchdog();
  if (sizes.has_rows) return {};
  const bool good = engines_.try_steps(
      kTrialSteps, begin, [this] { return clock_.limits.spent() <= clock_.limits.steps(); }, clock_);
  board::feed_watchdog();
  if (!good) return {What::step_too_long, -1, counts_per_tick(), clock_.limits.steps()};
  return {};
}

// What a tick does not have for itself: bytes that come meanwhile over a UART, and in real time what may keep
// it from its beat.
std::uint32_t Loop::waiting_counts() const {
  if (board::link() != board::Link::uart) return 0;
  const bool real_time = configure_.mode == tactus_wire_Mode_REAL_TIME;
  return counts_per_instruction() * beats_per_tick_ * kInterruptsOfABeat +
         (real_time ? counts_per_beat_ / kLateStart : 0);
}

void Loop::say_hello() {
  tactus_wire_Hello hello = tactus_wire_Hello_init_zero;
  const board::Description description = board::describe();
  std::memcpy(hello.build_id, board::build_id(), board::kBuildIdSize);
  detail::copy_text(hello.board, description.name);
  detail::copy_text(hello.count_unit, description.count_unit);
  hello.counts_per_second = description.counts_per_second;
  hello.emulated = description.emulated;
  hello.counter_runs = board::counter_runs();
  hello.beat_hertz = kBeatHertz;
  hello.boots = board::boots();
  hello.fault_waits = board::last_fault().cause != board::Cause::none;
  hello.has_plane = hello.has_space = true;
  hello.plane = capacities<2>();
  hello.space = capacities<3>();
  hello.instant_contacts = kHasInstants ? kInstantContacts : 0;
  for (const tactus_wire_Law law : {tactus_wire_Law_BY_CONTACT, tactus_wire_Law_RELAXED_CONE,
                                    tactus_wire_Law_CONE, tactus_wire_Law_IMPLICIT})
    if (has_law(law)) hello.laws[hello.laws_count++] = law;
  messenger_.send(tactus_wire_Type_HELLO, tactus_wire_Hello_fields, hello);
}

void Loop::say_health() {
  messenger_.report(health_);
  health_.pieces_over = clock_.limits.over();
  const board::StackUse thread = board::thread_stack(), handler = board::handler_stack();
  health_.thread_stack_size = thread.size;
  health_.thread_stack_used = thread.used;
  health_.handler_stack_size = handler.size;
  health_.handler_stack_used = handler.used;
  health_.histogram_count = sizeof health_.histogram / sizeof health_.histogram[0];
  messenger_.send(tactus_wire_Type_HEALTH, tactus_wire_Health_fields, health_);
}

void Loop::say_fault() {
  const board::FaultRecord record = board::last_fault();
  tactus_wire_Fault fault = tactus_wire_Fault_init_zero;
  fault.cause = static_cast<tactus_wire_Cause>(record.cause);
  fault.pc = record.pc;
  fault.lr = record.lr;
  fault.psr = record.psr;
  fault.sp = record.sp;
  fault.cfsr = record.cfsr;
  fault.hfsr = record.hfsr;
  fault.address = record.address;
  fault.note = record.note;
  std::memcpy(fault.build_id, record.build_id, board::kBuildIdSize);
  board::clear_last_fault();
  messenger_.send(tactus_wire_Type_FAULT, tactus_wire_Fault_fields, fault);
}

}  // namespace tactus::firmware
