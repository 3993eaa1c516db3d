#include "hil_tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

namespace tactus::host {
namespace {

template <class List>
double lists(const List& a, const List& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (int i = 0; i < a.size(); ++i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    const double d = std::fabs(x - y) / std::max(1.0, std::fabs(y));
    if (!(d <= worst)) worst = d;
  }
  return worst;
}

// The smallest value that at least this share of all do not exceed.
template <class T>
T quantile(std::vector<T> values, double share) {
  if (values.empty()) return T{};
  const auto rank = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(values.size()))) - 1;
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

// A dropped frame is a number that never came; a damaged one is that, too, and a bad frame.
long unexplained(const Losses& planned, const LinkCounts& seen) {
  return std::labs(seen.lost - planned.dropped - planned.corrupted) +
         std::labs(seen.damaged - planned.corrupted) + seen.other;
}

// Why ticks failed, as a person would put it.
const char* sentence(wire::Reason reason) {
  switch (reason) {
    case wire::PIVOT_LIMIT:
      return "the budget of pivots ended before an answer";
    case wire::JAM:
      return "the contact problem has no solution";
    case wire::ROOM:
      return "more touches at once than the board has room for";
    case wire::NOT_CONFIGURED:
      return "it has no scene";
    case wire::BAD_STATE:
      return "the state was not finite or of the wrong length";
    case wire::TOO_FAST:
      return "a body spins too fast for the step";
    case wire::STALE:
      return "no new state came for too long";
    case wire::OUT_OF_TIME:
      return "a step was ended, since the tick had no more time for it";
    default:
      return "no reason was given";
  }
}

std::string direction(const char* name, const Losses& planned, const LinkCounts& seen) {
  return fmt::format(R"(, "{}": {{"dropped": {}, "corrupted": {}, "seen_lost": {}, "seen_damaged": {}}})",
                     name, planned.dropped, planned.corrupted, seen.lost, seen.damaged);
}

}  // namespace

LinkCounts operator-(const LinkCounts& a, const LinkCounts& b) {
  return {a.lost - b.lost, a.damaged - b.damaged, a.other - b.other};
}

LinkCounts link_counts(const wire::Health& board) {
  return {static_cast<long>(board.frames_lost()),
          static_cast<long>(board.frames_truncated()) + board.frames_oversized() + board.frames_bad_crc() +
              board.frames_bad_version() + board.frames_bad_length() + board.frames_repeated(),
          static_cast<long>(board.frames_unknown_type()) + board.frames_unreadable() + board.bytes_overrun() +
              board.answers_unsent()};
}

LinkCounts link_counts(const wire::DecoderCounters& host) {
  return {static_cast<long>(host.lost), static_cast<long>(host.bad()), 0};
}

long HilTally::frame_errors() const {
  return unexplained(to_board, board_saw) + unexplained(from_board, host_saw);
}

double HilTally::board_jitter() const {
  return static_cast<double>(health.worst_jitter_counts()) / hello.counts_per_second();
}

bool HilTally::disturbed() const {
  return to_board.dropped + to_board.corrupted + from_board.dropped + from_board.corrupted > 0;
}

double difference(const wire::Prediction& board, const wire::Prediction& host) {
  const bool same_words =
      board.verdict() == host.verdict() && board.reason() == host.reason() && board.steps() == host.steps() &&
      board.pivots() == host.pivots() && board.systems() == host.systems() &&
      board.contacts_size() == host.contacts_size() && board.members() == host.members() &&
      board.members_failed() == host.members_failed() && board.members_cut() == host.members_cut() &&
      board.seen() == host.seen() && board.ambiguous() == host.ambiguous() &&
      board.impulse() == host.impulse() && board.struck() == host.struck() &&
      board.resisted() == host.resisted() && board.moved() == host.moved();
  if (!same_words) return std::numeric_limits<double>::infinity();
  double worst = std::max({lists(board.pose(), host.pose()), lists(board.velocity(), host.velocity()),
                           lists(board.last_pose(), host.last_pose()),
                           lists(board.last_velocity(), host.last_velocity()), lists(board.q(), host.q()),
                           lists(board.qd(), host.qd()), lists(board.last_q(), host.last_q()),
                           lists(board.last_qd(), host.last_qd()),
                           static_cast<double>(std::fabs(board.residual() - host.residual())),
                           static_cast<double>(std::fabs(board.noise() - host.noise()))});
  for (int i = 0; i < board.contacts_size(); ++i) {
    const auto& a = board.contacts(i);
    const auto& b = host.contacts(i);
    if (a.mode() != b.mode() || a.next_mode() != b.next_mode() || a.change_step() != b.change_step() ||
        a.slips() != b.slips() || a.changes() != b.changes() || a.friction_off() != b.friction_off() ||
        a.held() != b.held() || a.event() != b.event()) {
      return std::numeric_limits<double>::infinity();
    }
    worst = std::max({worst, lists(a.force(), b.force()), static_cast<double>(std::fabs(a.gap() - b.gap()))});
  }
  return worst;
}

std::uint32_t HilTally::most() const {
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

std::uint32_t HilTally::p999() const {
  return quantile(counts, 0.999);
}

double HilTally::budget() const {
  return hello.beat_hertz() == 0
             ? 0
             : static_cast<double>(hello.counts_per_second()) * beats / hello.beat_hertz();
}

bool HilTally::good() const {
  return frame_errors() == 0 && certificate_failures == 0 && (real_time || unanswered == 0) &&
         deadline_misses == 0 && latched_at == 0 && difference <= kDifferenceBound;
}

std::string HilTally::json_line() const {
  const auto number = [](double x) { return std::isfinite(x) ? fmt::format("{}", x) : std::string("null"); };
  std::string line = fmt::format(
      R"({{"board": {}, "ticks": {}, "deadline_misses": {}, "frame_errors": {}, "certificate_failures": {}, "unit": {}, )"
      R"("step_max": {}, "step_p99.9": {}, "largest_difference": {}, "difference_bound": {})",
      nlohmann::json(hello.board()).dump(), ticks, deadline_misses, frame_errors(), certificate_failures,
      nlohmann::json(hello.count_unit()).dump(), most(), p999(), compared > 0 ? number(difference) : "null",
      number(kDifferenceBound));
  line += fmt::format(R"(, "late": {}, "uncertified": {}, "latched": {})", deadline_misses,
                      certificate_failures, latched);
  if (uniqueness) line += fmt::format(R"(, "ambiguous": {}, "impulses": {})", ambiguous, impulses);
  if (real_time) {
    line += fmt::format(
        R"(, "realtime": true, "unanswered": {}, "board_ticks": {}, "answers": {}, "latency_us_median": {:.0f}, "latency_us_p99": {:.0f}, "host_jitter_us_p99": {:.0f}, "board_jitter_us_max": {})",
        unanswered, health.ticks(), answers(), 1e6 * quantile(latency, 0.5), 1e6 * quantile(latency, 0.99),
        1e6 * quantile(host_jitter, 0.99),
        hello.counts_per_second() > 0 ? fmt::format("{:.0f}", 1e6 * board_jitter()) : "null");
  }
  line += fmt::format(R"(, "gate_events": {})", health.gate_events());
  if (ensemble > 0)
    line += fmt::format(R"(, "ensemble": {}, "members": {}, "members_failed": {}, "members_cut": {})",
                        ensemble, members, members_failed, members_cut);
  if (disturbed()) {
    line += fmt::format(R"(, "dropped": {}, "corrupted": {})", to_board.dropped + from_board.dropped,
                        to_board.corrupted + from_board.corrupted) +
            direction("to_board", to_board, board_saw) + direction("from_board", from_board, host_saw);
  }
  return line + "}";
}

std::string HilTally::table() const {
  const auto& unit = hello.count_unit();
  std::string text;
  const auto row = [&](const char* what, const std::string& value) {
    text += fmt::format("  {:<41} {}\n", what, value);
  };
  row("ticks", disturbed() ? fmt::format("{}, {} of them answered", ticks, certified + certificate_failures)
                           : fmt::format("{}", ticks));
  row("contact modes seen (contact ticks)", modes.words());
  row("worst tick", hello.counter_runs() ? fmt::format("{} {}, a tick has {:.0f}", most(), unit, budget())
                                         : "this board's counter does not run");
  row("99.9 % of the ticks", hello.counter_runs() ? fmt::format("{} {} or less", p999(), unit) : "-");
  row("deadline misses", fmt::format("{}", deadline_misses));
  if (ensemble > 0)
    row("members of doubt", fmt::format("{} certified, {} not; {} ticks had no time for all", members,
                                        members_failed, members_cut));
  row("uncertified answers", fmt::format("{}", certificate_failures));
  if (latched_at > 0)
    row("the board's safe state latched",
        fmt::format("at tick {}: {}", latched_at, sentence(health.latch_reason())));
  row("frame errors", fmt::format("{}", frame_errors()));
  const auto spoilt = [&](const char* what, const Losses& planned, const LinkCounts& seen) {
    row(what, fmt::format("{}, {}; the receiver missed {} frames, and could not read {}", planned.dropped,
                          planned.corrupted, seen.lost, seen.damaged));
  };
  if (disturbed()) {
    spoilt("dropped, damaged on the way to the board", to_board, board_saw);
    spoilt("dropped, damaged on the way to the host", from_board, host_saw);
  }
  row("largest difference to the host's core", compared == 0     ? "not compared"
                                               : difference == 0 ? "none, every bit is the same"
                                                                 : fmt::format("{:.3g}", difference));
  row("prediction against plant, worst",
      std::isnan(worst_position) ? "not compared"
                                 : fmt::format("{:.3g} m, {:.3g} rad", worst_position, worst_angle));
  if (real_time) {
    const auto us = [](double x) { return fmt::format("{:.0f} us", 1e6 * x); };
    row("the board's ticks, answers that came", fmt::format("{}, {}", health.ticks(), answers()));
    row("states without an answer of their own", fmt::format("{}", unanswered));
    row("state sent to answer read",
        fmt::format("{} median, {} in 99 %", us(quantile(latency, 0.5)), us(quantile(latency, 0.99))));
    row("this host's own lateness", fmt::format("{} median, {} in 99 %", us(quantile(host_jitter, 0.5)),
                                                us(quantile(host_jitter, 0.99))));
    if (hello.counts_per_second() > 0) {
      row("the board's worst jitter of a beat", us(board_jitter()));
    }
    if (hello.emulated()) row("mind", "an emulated board keeps no real time: these tell of the emulator");
  }
  return text;
}

Verdict HilTally::verdict() const {
  std::string wrong;
  const auto add = [&](bool bad, const std::string& text) {
    if (bad) wrong += (wrong.empty() ? "" : "; ") + text;
  };
  add(certificate_failures > 0, fmt::format("{} answers are not certified", certificate_failures));
  add(latched_at > 0, fmt::format("the board's safe state latched at tick {}: {}", latched_at,
                                  sentence(health.latch_reason())));
  add(frame_errors() > 0, fmt::format("{} frame errors", frame_errors()));
  add(unanswered > 0 && !real_time, fmt::format("{} states got no answer", unanswered));
  add(!(difference <= kDifferenceBound),
      fmt::format("the board and the host's own core differ by {:.3g} (is the image built from the same "
                  "sources as this command?)",
                  difference));
  if (!wrong.empty()) return {Verdict::State::bad, wrong + "."};
  const std::string told = fmt::format("All {} answers are certified{}", counts.size(),
                                       compared > 0 ? " and equal to the host's own core in every bit" : "");
  if (real_time && unanswered > 0) {
    return {Verdict::State::look, fmt::format("{}; {} of {} states came too late for a beat of their own.",
                                              told, unanswered, ticks)};
  }
  if (deadline_misses > 0) {
    return {Verdict::State::look, fmt::format("{}; {} took longer than a tick may.", told, deadline_misses)};
  }
  return {Verdict::State::good, told + "; none came late."};
}

}  // namespace tactus::host
