// The STM32F405 and F446: clock tree, pins, reset cause (ST RM0090 and RM0390).
#include "boards/armv7m/core.hpp"
#include "boards/armv7m/semihosting.hpp"
#include "boards/board.hpp"
#include "boards/stm32/chip.hpp"
#include "clock.hpp"

namespace {

using armv7m::read;
using armv7m::replace_bits;
using armv7m::set_bits;
using armv7m::wait_for;
using armv7m::write;
using board::Clock;
using board::Uart;

constexpr std::uintptr_t kRcc = 0x40023800;
constexpr std::uintptr_t kRccControl = kRcc, kRccPll = kRcc + 0x04, kRccConfiguration = kRcc + 0x08,
                         kRccAhb1 = kRcc + 0x30, kRccApb1 = kRcc + 0x40, kRccApb2 = kRcc + 0x44,
                         kRccStatus = kRcc + 0x74;
constexpr std::uintptr_t kFlashAccess = 0x40023C00;
constexpr std::uintptr_t kPortA = 0x40020000;

bool emulator = false;
std::uint32_t reset_flags = 0;

// On failure the chip stays on its 16 MHz internal oscillator, and the wrong baud rate and cost tell.
bool start_clock() {
  set_bits(kRccControl, 1u << 16 | (Clock::kOscillatorBypass ? 1u << 18 : 0u));
  if (!wait_for(kRccControl, 1u << 17, 1u << 17)) return false;
  write(kRccPll, Clock::kPllM | Clock::kPllN << 6 | (Clock::kPllP / 2 - 1) << 16 | 1u << 22 |
                     Clock::kPllQ << 24 | 2u << 28);
  set_bits(kRccControl, 1u << 24);
  if (!wait_for(kRccControl, 1u << 25, 1u << 25)) return false;
  write(kFlashAccess, Clock::kFlashWaitStates | 7u << 8);  // prefetch and both caches
  if (!wait_for(kFlashAccess, 0xF, Clock::kFlashWaitStates)) return false;
  static_assert(Clock::kApb1Divider == 4 && Clock::kApb2Divider == 2);
  replace_bits(kRccConfiguration, 0xFCF3u, 5u << 10 | 4u << 13 | 2u);
  return wait_for(kRccConfiguration, 0xC, 0x8);
}

}  // namespace

extern "C" {
extern const stm32::Vectors<97> interrupt_vectors;
[[gnu::section(".vectors.interrupts"), gnu::used]] constinit const stm32::Vectors<97> interrupt_vectors =
    stm32::make_vectors<97>(Uart::kInterrupt);
}

namespace armv7m {

void read_reset_cause() {
  // Registers that are all zero here are not an STM32's: the internal oscillator's bits are set whenever the
  // core runs.
  emulator = board::kEmulatable && read(kRccControl) == 0;
  reset_flags = read(kRccStatus);
  set_bits(kRccStatus, 1u << 24);  // clears the flags for the next time
}
bool board_cold_start() {
  return (reset_flags & (1u << 27)) != 0;
}
bool board_watchdog_reset() {
  return (reset_flags & (1u << 29)) != 0;
}

void board_start() {
  set_bits(kRccApb1, 1u << 28);  // power control: voltage scale 1 is its reset value
  set_bits(kRccAhb1, 1u << 0);
  set_bits(kRccApb1, 1u << 0 | 1u << 3);
  set_bits(Uart::kOnApb2 ? kRccApb2 : kRccApb1, 1u << Uart::kEnableBit);
  if (!emulator) start_clock();
  stm32::start_counter();
  stm32::use_pin(kPortA, Uart::kPinOut, 7);
  stm32::use_pin(kPortA, Uart::kPinIn, 7);
  stm32::start_uart();
  if (emulator) semihosting::open_link();
}

std::uint32_t beat_clock() {
  return Clock::kCoreHertz;
}

}  // namespace armv7m

namespace stm32 {

bool emulated() {
  return emulator;
}

}  // namespace stm32
