// The beat is the core's own SysTick: the same 24-bit timer on every Cortex-M.
#include "boards/armv7m/core.hpp"
#include "boards/armv7m/hooks.hpp"
#include "boards/board.hpp"

namespace {
volatile std::uint32_t beat_count = 0;
}

extern "C" void beat_interrupt() {
  beat_count = beat_count + 1;
}

namespace board {

void start_beat(std::uint32_t hertz) {
  using namespace armv7m;
  constexpr std::uint32_t kLargestReload = (1u << 24) - 1;
  const std::uint32_t counts = hertz == 0 ? kLargestReload : beat_clock() / hertz;
  write(kSysTickControl, 0);
  write(kSysTickReload, counts > kLargestReload ? kLargestReload : counts - 1);
  write(kSysTickValue, 0);
  beat_count = 0;
  set_bits(kSystemPriority3, 0x40u << 24);  // below the links' interrupts
  write(kSysTickControl, 7);                // core clock, with interrupt, on
}

void stop_beat() {
  armv7m::write(armv7m::kSysTickControl, 0);
}

std::uint32_t beats() {
  return beat_count;
}

// An emulator's clock takes the host's time while its core sleeps, and may jump over beats; so it stays
// awake.
void sleep(std::uint32_t seen) {
  if (describe().emulated) return;
  const armv7m::Quiet quiet;  // a pending interrupt ends the wait even while it is held off
  if (beat_count == seen) __asm volatile("wfi" ::: "memory");
}

}  // namespace board
