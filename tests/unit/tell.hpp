// Figures that a test prints beside its verdict, on a board too.
#pragma once

#include <cstdint>

#include "unity.h"

#ifdef __arm__
#include "boards/board.hpp"
#endif

namespace tell {

inline std::uint32_t now() {
#ifdef __arm__
  return board::counter();
#else
  return 0;
#endif
}

// Instructions on an emulated board; elsewhere nothing is counted.
inline std::uint32_t since(std::uint32_t start) {
#ifdef __arm__
  return board::counts_since(start);
#else
  return start;
#endif
}

inline void figure(const char* what, std::uint32_t value) {
  char text[100], digits[12];
  int n = 0, d = 0;
  for (; what[n] != 0 && n < 85; ++n) text[n] = what[n];
  do {
    digits[d++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value > 0);
  text[n++] = ' ';
  while (d > 0) text[n++] = digits[--d];
  text[n] = 0;
  TEST_MESSAGE(text);
}

}  // namespace tell
