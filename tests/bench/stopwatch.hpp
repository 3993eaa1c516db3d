// What a piece of work costs: counts of the board's counter (instructions in an emulator, cycles on a real
// board), or nanoseconds on the host; and a table of it.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "tactus/clock.hpp"

#if defined(TACTUS_ON_BOARD)
#include "boards/board.hpp"
#else
#include <chrono>
#include <cstdio>
#endif

namespace bench {

#if defined(TACTUS_ON_BOARD)

inline const char* unit() {
  return board::describe().count_unit;
}
inline void print(const char* text) {
  board::print(text);
}
template <class Work>
std::uint32_t cost(Work&& work) {
  const std::uint32_t start = board::counter();
  work();
  return board::counts_since(start);
}

#else

inline const char* unit() {
  return "ns";
}
inline void print(const char* text) {
  std::fputs(text, stdout);
}
template <class Work>
std::uint32_t cost(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count());
}

#endif

struct Tally {
  std::uint64_t sum = 0;
  std::uint32_t worst = 0, count = 0;
  void add(std::uint32_t x) {
    sum += x;
    ++count;
    worst = x > worst ? x : worst;
  }
  std::uint32_t mean() const { return count == 0 ? 0 : static_cast<std::uint32_t>(sum / count); }
};

// A clock that always goes on: what is left is what asking it costs.
struct Watch {
  std::uint32_t questions = 0;
  [[gnu::noinline]] bool go_on(tactus::Piece, int, int) {
    ++questions;
    bool yes = true;
    asm volatile("" : "+r"(yes));  // so that no caller knows the answer
    return yes;
  }
};

// Right-aligned decimal in a field; no printf on a board.
inline void print_number(std::uint32_t value, int width) {
  char text[12];
  int at = 11;
  text[at] = 0;
  do text[--at] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  while (at > 0 && 11 - at < width) text[--at] = ' ';
  print(text + at);
}

struct Column {
  std::uint32_t value;
  int width;
};
inline void print_row(std::initializer_list<Column> row) {
  for (const auto& [value, width] : row) print_number(value, width);
  print("\n");
}

}  // namespace bench
