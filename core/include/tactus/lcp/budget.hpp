// So many linear systems, as long as the clock lets them begin; and loops over rows, a few at a time.
#pragma once

#include <type_traits>

#include "tactus/bound.hpp"
#include "tactus/clock.hpp"

namespace tactus::lcp {

// Calls row(i) for i < n as long as it returns true, and asks the clock before every few, once at least. Four
// rows of a certificate take 3,000 instructions at n = 48.
// False if the clock has said no. In bounds they are `rows`, and `few` where kFew is not 4.
template <int kFew = 4, Clock Time, class F>
[[gnu::always_inline]] inline bool for_rows(int n, Time& clock, F&& row) {
  if constexpr (std::is_same_v<Time, const NoClock>) {
    TACTUS_BOUND("rows");
    for (int i = 0; i < n; ++i)
      if (!row(i)) break;
  } else {
    int first = 0;
    TACTUS_BOUND("max(1, (rows + few - 1) / few)");
    do {
      if (!clock.go_on(Piece::pivot, n, 0)) return false;
      const int end = n - first < kFew ? n : first + kFew;
      TACTUS_BOUND("few");
      for (int i = first; i < end; ++i)
        if (!row(i)) return true;
      first = end;
    } while (first < n);
  }
  return true;
}

template <Clock Time>
class Budget {
 public:
  Budget(int most, Time& clock) : clock_(clock), most_(most) {}
  // Whether another may begin; it is then counted.
  bool begin(Piece piece, int n, int k) {
    if (used_ >= most_ || !clock_.go_on(piece, n, k)) {
      most_ = used_;
      return false;
    }
    ++used_;
    return true;
  }
  // For work between two of them.
  bool has_time(Piece piece, int n, int k) {
    const bool yes = clock_.go_on(piece, n, k);
    if (!yes) most_ = used_;
    return yes;
  }
  Time& clock() { return clock_; }
  bool ended() const { return used_ >= most_; }
  int used() const { return used_; }

 private:
  Time& clock_;
  int most_, used_ = 0;
};

}  // namespace tactus::lcp
