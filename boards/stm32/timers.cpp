// Counter and watchdog of the STM32 boards.
//
// Counter: the core's cycle counter where it runs, else TIM2. In QEMU it does not run, and TIM2 at 1 GHz
// counts virtual nanoseconds, a whole number to an instruction.
//
// Watchdog: TIM5 fires at the highest priority one period after the last feed, records where the loop
// stalled, and resets. Should even that fail, because interrupts are off or memory is overwritten, the
// independent watchdog resets the chip after twice the period.
#include "boards/armv7m/core.hpp"
#include "boards/armv7m/hooks.hpp"
#include "boards/board.hpp"
#include "boards/stm32/chip.hpp"
#include "clock.hpp"

namespace {

using armv7m::read;
using armv7m::write;
using board::Clock;

constexpr std::uintptr_t kTimer2 = 0x40000000, kTimer5 = 0x40000C00;
constexpr std::uintptr_t kControl = 0x00, kInterruptOn = 0x0C, kStatus = 0x10, kEvent = 0x14, kCount = 0x24,
                         kPrescaler = 0x28, kReload = 0x2C;

// The independent watchdog, by its keys: start, let prescaler and reload be written, reload.
constexpr std::uintptr_t kKey = Clock::kIndependentWatchdog, kWatchdogPrescaler = kKey + 0x04,
                         kWatchdogReload = kKey + 0x08;
constexpr std::uint32_t kStart = 0xCCCC, kUnlock = 0x5555, kFeed = 0xAAAA;

// Counts of its 32 kHz clock by 128.
constexpr std::uint32_t watchdog_counts(std::uint32_t milliseconds) {
  return milliseconds > 16'000 ? 4095 : milliseconds * 4095 / 16'384 + 1;
}

enum class Source { none, core_cycles, timer2 } source = Source::none;

}  // namespace

namespace stm32 {

void start_counter() {
  if (armv7m::start_cycle_counter()) {
    source = Source::core_cycles;
    return;
  }
  write(kTimer2 + kPrescaler, 0);
  write(kTimer2 + kReload, 0xFFFFFFFF);
  write(kTimer2 + kEvent, 1);
  write(kTimer2 + kControl, 1);
  const std::uint32_t before = read(kTimer2 + kCount);
  for (int i = 0; i < 16; ++i) __asm volatile("nop");
  if (read(kTimer2 + kCount) != before) source = Source::timer2;
}

}  // namespace stm32

namespace board {

bool counter_runs() {
  return source != Source::none;
}

std::uint32_t counter() {
  if (source == Source::core_cycles) return read(armv7m::kDwtCycles);
  return source == Source::timer2 ? read(kTimer2 + kCount) : 0;
}

std::uint32_t counts_since(std::uint32_t earlier) {
  const std::uint32_t counts = counter() - earlier;
  if (source == Source::core_cycles) return counts;
  if (stm32::emulated()) return counts / kVirtualNanosecondsPerInstruction;
  return counts * (Clock::kCoreHertz / Clock::kTimerHertz);  // in cycles, to the timer's grain
}

void start_watchdog(std::uint32_t milliseconds) {
  const std::uint64_t counts =
      std::uint64_t{stm32::emulated() ? kEmulatedTimerHertz : Clock::kTimerHertz} * milliseconds / 1000;
  write(kTimer5 + kPrescaler, 0);
  write(kTimer5 + kReload, counts > 0xFFFFFFFFu ? 0xFFFFFFFFu : static_cast<std::uint32_t>(counts));
  write(kTimer5 + kEvent, 1);
  write(kTimer5 + kStatus, 0);
  write(kTimer5 + kInterruptOn, 1);
  armv7m::enable_interrupt(stm32::kTimer5Number, 0x00);
  write(kTimer5 + kControl, 1);
  write(kKey, kStart);
  write(kKey, kUnlock);
  write(kWatchdogPrescaler, 5);  // by 128
  write(kWatchdogReload, watchdog_counts(2 * milliseconds));
  write(kKey, kFeed);
}

void feed_watchdog() {
  write(kTimer5 + kCount, 0);
  write(kKey, kFeed);
}

}  // namespace board
