// The STM32H743: supply, clock tree, pins, reset cause (ST RM0433).
//
// All data lies in the tightly coupled memory, which runs at the core's speed and needs no cache; the
// instruction cache hides the flash.
#include "boards/armv7m/core.hpp"
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

constexpr std::uintptr_t kRcc = 0x58024400;
constexpr std::uintptr_t kRccControl = kRcc, kRccConfiguration = kRcc + 0x10, kRccDomain1 = kRcc + 0x18,
                         kRccDomain2 = kRcc + 0x1C, kRccDomain3 = kRcc + 0x20, kRccPllSource = kRcc + 0x28,
                         kRccPllConfiguration = kRcc + 0x2C, kRccPll1 = kRcc + 0x30, kRccReset = kRcc + 0xD0,
                         kRccAhb4 = kRcc + 0xE0, kRccApb1 = kRcc + 0xE8;
constexpr std::uintptr_t kPower = 0x58024800;
constexpr std::uintptr_t kPowerStatus = kPower + 0x04, kPowerSupply = kPower + 0x0C,
                         kPowerScale = kPower + 0x18;
constexpr std::uintptr_t kFlashAccess = 0x52002000;
constexpr std::uintptr_t kPortD = 0x58020C00;
constexpr std::uintptr_t kInvalidateInstructions = 0xE000EF50;

std::uint32_t reset_flags = 0;

// On failure the chip stays on its 64 MHz internal oscillator, and the wrong baud rate and cost tell.
bool start_clock() {
  constexpr std::uint32_t kReady = 1u << 13;
  replace_bits(kPowerSupply, 7u, 2u);  // the linear regulator, as the board is wired; settable once
  if (!wait_for(kPowerStatus, kReady, kReady)) return false;
  replace_bits(kPowerScale, 3u << 14, 3u << 14);  // voltage scale 1: up to 400 MHz
  if (!wait_for(kPowerScale, kReady, kReady)) return false;
  set_bits(kRccControl, 1u << 16 | (Clock::kOscillatorBypass ? 1u << 18 : 0u));
  if (!wait_for(kRccControl, 1u << 17, 1u << 17)) return false;
  replace_bits(kRccPllSource, 0x3F3u, Clock::kPllM << 4 | 2u);
  replace_bits(kRccPllConfiguration, 7u << 16 | 0xFu,
               1u << 16 | 1u << 2);  // output P; input 2-4 MHz, wide VCO
  write(kRccPll1, (Clock::kPllN - 1) | (Clock::kPllP - 1) << 9 | 1u << 16 | 1u << 24);
  set_bits(kRccControl, 1u << 24);
  if (!wait_for(kRccControl, 1u << 25, 1u << 25)) return false;
  write(kFlashAccess, Clock::kFlashWaitStates | 3u << 4);
  if (!wait_for(kFlashAccess, 0xF, Clock::kFlashWaitStates)) return false;
  static_assert(Clock::kBusDivider == 2 && Clock::kApbDivider == 2);
  write(kRccDomain1, 8u | 4u << 4);
  write(kRccDomain2, 4u << 4 | 4u << 8);
  write(kRccDomain3, 4u << 4);
  replace_bits(kRccConfiguration, 7u, 3u);
  return wait_for(kRccConfiguration, 7u << 3, 3u << 3);
}

void start_instruction_cache() {
  write(kInvalidateInstructions, 0);
  armv7m::barrier();
  set_bits(armv7m::kConfiguration, 1u << 17);
  armv7m::barrier();
}

}  // namespace

extern "C" {
extern const stm32::Vectors<150> interrupt_vectors;
[[gnu::section(".vectors.interrupts"), gnu::used]] constinit const stm32::Vectors<150> interrupt_vectors =
    stm32::make_vectors<150>(Uart::kInterrupt);
}

namespace armv7m {

void read_reset_cause() {
  reset_flags = read(kRccReset);
  set_bits(kRccReset, 1u << 16);  // clears the flags for the next time
}
bool board_cold_start() {
  return (reset_flags & (1u << 23)) != 0;
}
bool board_watchdog_reset() {
  return (reset_flags & (1u << 26)) != 0;
}

void board_start() {
  start_instruction_cache();
  start_clock();
  set_bits(kRccAhb4, 1u << 3);
  set_bits(kRccApb1, 1u << 0 | 1u << 3 | 1u << Uart::kEnableBit);
  stm32::start_counter();
  stm32::use_pin(kPortD, Uart::kPinOut, 7);
  stm32::use_pin(kPortD, Uart::kPinIn, 7);
  stm32::start_uart();
}

std::uint32_t beat_clock() {
  return Clock::kCoreHertz;
}

}  // namespace armv7m

namespace stm32 {

bool emulated() {
  return false;
}

}  // namespace stm32
