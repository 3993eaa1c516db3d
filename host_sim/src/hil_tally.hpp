// What is counted over a run with a board, and how it is told: the closing table, the one JSON line, the
// verdict.
#pragma once

#include <messages.pb.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "report.hpp"

namespace tactus::host {

// Board and host compute the same bits, so nothing but equality is good.
inline constexpr double kDifferenceBound = 0;

struct HilTally {
  long ticks = 0, unanswered = 0, compared = 0;
  long deadline_misses = 0, certificate_failures = 0;
  long dropped = 0, corrupted = 0;  // on purpose
  long frame_errors = 0;            // everything else that went wrong on the link, in either direction
  double difference = 0;        // largest relative difference of a number of an answer to the host's own core
  std::array<long, 3> modes{};  // ticks with a contact in that mode, as the board says
  std::vector<std::uint32_t> counts;  // one for each answer that was computed
  int most_pivots = 0;
  double worst_position = 0, worst_angle = 0;  // prediction at the horizon against what happened, m and rad
  long latched_at = 0;                         // the tick at which the board's safe state latched; 0: never
  bool real_time = false;
  std::vector<double> latency,
      host_jitter;  // real time, s: state sent to answer read; this host's own lateness
  wire::Hello hello;
  wire::Health health;

  std::uint32_t most() const;
  std::uint32_t p999() const;
  // Counts in one beat of the board's clock.
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
