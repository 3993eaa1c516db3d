// What board_only.cpp measures and prints. tests/image measures the same loop around nothing, so that what is
// left is the core's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "boards/board.hpp"
#include "firmware/beat.hpp"
#include "firmware/digits.hpp"

namespace tactus::firmware {

inline constexpr std::uint32_t kTicks = 2000;

struct Cost {
  std::uint32_t total = 0;  // 2000 ticks of up to two million counts fit
  std::uint32_t worst = 0;
  void note(std::uint32_t counts) {
    total += counts;
    if (counts > worst) worst = counts;
  }
  std::uint32_t mean() const { return total / kTicks; }
};

struct Figures {
  Cost step, tick;
  std::uint32_t missed = 0, uncertified = 0, changes_foreseen = 0;
};

inline void print(const char* label, std::uint32_t value, const char* unit = "") {
  board::print(label);
  board::print(Digits(value).text());
  board::print(unit);
  board::print("\n");
}

inline void print(const Figures& figures, std::size_t memory) {
  const board::Description who = board::describe();
  board::print(who.name);
  board::print(", costs in ");
  board::print(who.count_unit);
  board::print("\n");
  print("ticks ", kTicks);
  print("step, mean ", figures.step.mean());
  print("step, worst ", figures.step.worst);
  print("tick, mean ", figures.tick.mean());
  print("tick, worst ", figures.tick.worst);
  print("of a beat ", who.counts_per_second / kBeatHertz);
  print("changes foreseen in ", figures.changes_foreseen, " ticks");
  print("stack ", board::thread_stack().used, " bytes");
  print("memory of world, workspace and predictor ", memory, " bytes");
  print("missed beats ", figures.missed);
  print("uncertified ", figures.uncertified);
}

// Runs tick(figures) on kTicks beats; a tick notes its own costs.
template <class Tick>
void keep_beat(Figures& figures, Tick&& tick) {
  board::start_watchdog(50);
  board::start_beat(kBeatHertz);
  std::uint32_t seen = board::beats();
  for (std::uint32_t k = 0; k < kTicks; ++k) {
    while (board::beats() == seen) board::sleep(seen);
    figures.missed += board::beats() - seen - 1;
    seen = board::beats();
    tick();
    board::feed_watchdog();
  }
  board::stop_beat();
}

}  // namespace tactus::firmware
