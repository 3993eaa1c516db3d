// The MPS2 boards of QEMU: CMSDK UART 0, timer 0 as instruction counter, watchdog with an early NMI.
// Arm DAI 0386 and 0400 (memory map), Arm DDI 0479 (the CMSDK peripherals).
#include "boards/board.hpp"

#include <cstdint>

#include "boards/armv7m/core.hpp"
#include "boards/armv7m/hooks.hpp"
#include "boards/armv7m/ring.hpp"
#include "boards/armv7m/semihosting.hpp"
#include "clock.hpp"

namespace {

using armv7m::read;
using armv7m::write;

constexpr std::uintptr_t kTimer = 0x40000000;
constexpr std::uintptr_t kTimerControl = kTimer, kTimerValue = kTimer + 4, kTimerReload = kTimer + 8;

constexpr std::uintptr_t kUart = 0x40004000;
constexpr std::uintptr_t kUartData = kUart, kUartState = kUart + 4, kUartControl = kUart + 8,
                         kUartInterruptClear = kUart + 12, kUartDivider = kUart + 16;
constexpr std::uint32_t kTransmitFull = 1, kReceiveFull = 2, kTransmitOn = 1, kReceiveOn = 2,
                        kReceiveInterrupt = 8;
constexpr unsigned kUartReceiveNumber = 0;

constexpr std::uintptr_t kWatchdog = 0x40008000;
constexpr std::uintptr_t kWatchdogLoad = kWatchdog, kWatchdogControl = kWatchdog + 8,
                         kWatchdogClear = kWatchdog + 12, kWatchdogLock = kWatchdog + 0xC00;

// ticks = floor(8/5 instructions) since the timer started, so instructions = ceil(5/8 ticks), exactly. The
// timer wraps after 2^32 ticks, which is a whole number of instructions.
constexpr std::uint64_t kTicksTimes = 1'000'000'000ull / board::kPeripheralHertz;  // nanoseconds a tick
constexpr std::uint32_t kCounterRange =
    static_cast<std::uint32_t>((kTicksTimes << 32) / board::kVirtualNanosecondsPerInstruction);

constexpr std::uint32_t kTicksPerBoardSecond = static_cast<std::uint32_t>(
    std::uint64_t{board::kInstructionsPerSecond} * board::kVirtualNanosecondsPerInstruction / kTicksTimes);

armv7m::Ring<2048> received, to_send;
bool runs = false;

// Hands the transmitter what it takes now, which is what the emulator's host has read: it has no pace of its
// own. By interrupt a backlog would burst into a tick, so it goes between ticks, and no more at once than
// keeps the next beat waiting for some 2,000 instructions.
void pump() {
  for (int n = 0; n < 64 && !to_send.empty() && (read(kUartState) & kTransmitFull) == 0; ++n) {
    std::uint8_t byte = 0;
    to_send.pop(&byte, 1);
    write(kUartData, byte);
  }
}

}  // namespace

extern "C" {

static void uart_receive_interrupt() {
  write(kUartInterruptClear, 2);  // before the data is read: the other order loses the next byte's interrupt
  while ((read(kUartState) & kReceiveFull) != 0) received.push(static_cast<std::uint8_t>(read(kUartData)));
}

[[gnu::section(".vectors.interrupts"), gnu::used]] const armv7m::Handler interrupt_vectors[32] = {
    uart_receive_interrupt,  armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt,
    armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt,
    armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt,
    armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt,
    armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt,
    armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt,
    armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt,
    armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt, armv7m::stray_interrupt};

}  // extern "C"

namespace armv7m {

void board_start() {
  write(kTimerReload, 0xFFFFFFFF);
  write(kTimerValue, 0xFFFFFFFF);
  write(kTimerControl, 1);
  const std::uint32_t before = board::counter();
  for (int i = 0; i < 64; ++i) __asm volatile("nop");
  runs = board::counter() != before;

  write(kUartDivider, 16);
  write(kUartControl, kTransmitOn | kReceiveOn | kReceiveInterrupt);
  enable_interrupt(kUartReceiveNumber, 0x20);
  semihosting::open_link();
}

std::uint32_t beat_clock() {
  return kTicksPerBoardSecond;
}

// QEMU does not tell why it was reset; the watchdog's early NMI has recorded it.
void read_reset_cause() {}
bool board_cold_start() {
  return false;
}
bool board_watchdog_reset() {
  return false;
}

}  // namespace armv7m

namespace board {

Description describe() {
  return {kName, "instructions", kInstructionsPerSecond, true};
}

std::uint32_t counter() {
  const std::uint64_t ticks = 0xFFFFFFFFu - read(kTimerValue);
  constexpr std::uint64_t kDivisor = kVirtualNanosecondsPerInstruction;
  return static_cast<std::uint32_t>((ticks * kTicksTimes + kDivisor - 1) / kDivisor);
}

std::uint32_t counts_since(std::uint32_t earlier) {
  const std::uint32_t now = counter();
  return now >= earlier ? now - earlier : now + (kCounterRange - earlier);
}

bool counter_runs() {
  return runs;
}

std::size_t receive(std::uint8_t* to, std::size_t capacity) {
  if (link() == Link::fifo) return semihosting::receive(to, capacity);
  pump();
  return received.pop(to, capacity);
}

bool send(const std::uint8_t* from, std::size_t size) {
  if (link() == Link::fifo) return semihosting::send(from, size);
  if (to_send.room() < size) return false;  // a frame goes whole or not at all
  for (std::size_t i = 0; i < size; ++i) to_send.push(from[i]);
  pump();
  return true;
}

std::uint32_t receive_overruns() {
  return received.lost();
}

void start_watchdog(std::uint32_t milliseconds) {
  const std::uint64_t ticks = std::uint64_t{kTicksPerBoardSecond} * milliseconds / 1000;
  write(kWatchdogLock, 0x1ACCE551);
  write(kWatchdogLoad, ticks > 0xFFFFFFFFu ? 0xFFFFFFFFu : static_cast<std::uint32_t>(ticks));
  write(kWatchdogControl, 3);  // NMI at the first expiry, reset at the second
}

void feed_watchdog() {
  write(kWatchdogClear, 1);
}

void put(char c) {
  semihosting::put(c);
}
void exit(int status) {
  semihosting::exit(status);
}

}  // namespace board
