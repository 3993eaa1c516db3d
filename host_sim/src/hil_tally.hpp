// What is counted over a run with a board, and how it is told: the closing table, the one JSON line, the
// verdict.
#pragma once

#include <messages.pb.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "mode_counts.hpp"
#include "report.hpp"
#include "tactus/wire/frame.hpp"

namespace tactus::host {

// Board and host compute the same bits, so nothing but equality is good.
inline constexpr double kDifferenceBound = 0;

// What was done to the frames of one direction on purpose.
struct Losses {
  long dropped = 0, corrupted = 0;
};

// What the receiving end saw of it.
struct LinkCounts {
  long lost = 0;     // numbers that never came in a frame that could be read
  long damaged = 0;  // frames that could not be read
  long other = 0;    // frames nobody knows, bytes and answers lost inside an end
};
LinkCounts operator-(const LinkCounts& a, const LinkCounts& b);
LinkCounts link_counts(const wire::Health& board);
LinkCounts link_counts(const wire::DecoderCounters& host);

inline constexpr double kNotCompared = std::numeric_limits<double>::quiet_NaN();

struct HilTally {
  long ticks = 0, unanswered = 0, compared = 0;
  long early = 0;            // answers from before the first state
  long deadline_misses = 0;  // as the board's Health says: the encoded answer included
  long latched = 0;          // answers in the board's safe state
  long certified = 0, certificate_failures = 0;
  bool uniqueness = false;           // the scene asks for these:
  long ambiguous = 0, impulses = 0;  // predictions that say so of their first step
  Losses to_board, from_board;
  LinkCounts board_saw, host_saw;
  double difference = 0;  // largest relative difference of a number of an answer to the host's own core
  ModeCounts modes;       // as the board says
  std::vector<std::uint32_t> counts;  // one for each answer that was computed
  int most_pivots = 0;
  int ensemble = 0;  // members of doubt in a tick; then of all ticks those certified and not, and ticks
                     // without time for all
  long members = 0, members_failed = 0, members_cut = 0;
  std::uint32_t fewest_steps = std::numeric_limits<std::uint32_t>::max();  // that an answer looks ahead
  double worst_position = kNotCompared,
         worst_angle = kNotCompared;  // prediction at the horizon against what happened, m and rad
  long latched_at = 0;                // the tick at which the board's safe state latched; 0: never
  bool real_time = false;
  std::vector<double> latency,
      host_jitter;  // real time, s: state sent to answer read; this host's own lateness
  wire::Hello hello;
  wire::Health health;

  long answers() const { return early + certified + certificate_failures; }
  std::uint32_t most() const;
  std::uint32_t p999() const;
  // All that went wrong on the link, in either direction, beyond what was done on purpose.
  long frame_errors() const;
  bool disturbed() const;
  double board_jitter() const;  // s, of the worst beat
  int beats = 1;                // of the board's clock in a tick
  // Counts in one tick by that clock.
  double budget() const;
  bool good() const;
  std::string json_line() const;
  std::string table() const;
  Verdict verdict() const;
};

// Largest |a - b| / max(1, |b|) over the numbers of two answers; infinite where they do not say the same in
// words.
double difference(const wire::Prediction& board, const wire::Prediction& host);

}  // namespace tactus::host
