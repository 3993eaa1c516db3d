// Failures on demand, so that the defences can be tested. Only images built with TACTUS_DRILLS have them; in
// the others this is empty and the message is of an unknown type.
#pragma once

#include <messages.pb.h>

#include "boards/board.hpp"

namespace tactus::firmware {

#ifdef TACTUS_DRILLS

class Drill {
 public:
  static constexpr bool kPresent = true;

  void arm(tactus_wire_DrillKind kind) { kind_ = kind; }

  // Called inside a tick.
  void happen(std::uint32_t counts_per_beat) {
    const tactus_wire_DrillKind kind = kind_;
    kind_ = tactus_wire_DrillKind_DRILL_NONE;
    switch (kind) {
      case tactus_wire_DrillKind_DRILL_STALL:
        for (;;) sink_ = sink_ + 1;
      case tactus_wire_DrillKind_DRILL_STACK_OVERFLOW:
        sink_ = descend(0);
        break;
      case tactus_wire_DrillKind_DRILL_BUS_FAULT:
        *reinterpret_cast<volatile int*>(0xB0000000) = 1;
        break;
      case tactus_wire_DrillKind_DRILL_ASSERTION:
        board::fail(4711);
      case tactus_wire_DrillKind_DRILL_SLOW_TICK: {
        const std::uint32_t start = board::counter();
        while (board::counts_since(start) <= counts_per_beat) {
        }
        break;
      }
      default:
        break;
    }
  }

 private:
  [[gnu::noinline]] int descend(int depth) {
    volatile char frame[64];
    frame[0] = static_cast<char>(depth);
    if (depth == bottom_) return 0;
    const int below = descend(depth + 1);
    return below + frame[0];
  }

  tactus_wire_DrillKind kind_ = tactus_wire_DrillKind_DRILL_NONE;
  volatile int sink_ = 0;
  volatile int bottom_ = 1'000'000;
};

#else

class Drill {
 public:
  static constexpr bool kPresent = false;
  void arm(tactus_wire_DrillKind) {}
  void happen(std::uint32_t) {}
};

#endif

}  // namespace tactus::firmware
