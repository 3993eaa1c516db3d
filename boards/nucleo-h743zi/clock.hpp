// NUCLEO-H743ZI: an STM32H743ZI clocked by the 8 MHz of its ST-LINK: 400 MHz core, 200 MHz bus, 100 MHz
// peripherals. Every revision of the chip runs at this speed.
#pragma once

#include <cstdint>

#include "boards/stm32/chip.hpp"

namespace board {

inline constexpr char kName[] = "nucleo-h743zi";

struct Clock {
  static constexpr std::uint32_t kOscillatorHertz = 8'000'000;
  static constexpr bool kOscillatorBypass = true;  // a clock, not a crystal
  static constexpr std::uint32_t kPllM = 4, kPllN = 400, kPllP = 2;
  static constexpr std::uint32_t kPllInput = kOscillatorHertz / kPllM, kPllOutput = kPllInput * kPllN;
  static constexpr std::uint32_t kCoreHertz = kPllOutput / kPllP;
  static constexpr std::uint32_t kBusDivider = 2, kApbDivider = 2;
  static constexpr std::uint32_t kBusHertz = kCoreHertz / kBusDivider, kApbHertz = kBusHertz / kApbDivider;
  static constexpr std::uint32_t kTimerHertz = 2 * kApbHertz;  // timers run at twice a divided bus
  static constexpr std::uint32_t kFlashWaitStates =
      4;  // two more than needed: the instruction cache hides them
  static constexpr std::uintptr_t kIndependentWatchdog = 0x58004800;
};
// What the chip allows at voltage scale 1: RM0433, tables of maximum frequencies and of wait states; the PLL,
// the oscillator and the wait states also in ST's stm32h7xx_ll_utils.c (UTILS_PLLVCO_*, UTILS_HSE_*,
// UTILS_SCALE1_LATENCY*_FREQ). Scale 0, which would allow 480 MHz, is for revision V only.
static_assert(Clock::kOscillatorHertz >= 4'000'000 && Clock::kOscillatorHertz <= 48'000'000);
static_assert(Clock::kPllM >= 1 && Clock::kPllM <= 63 && Clock::kOscillatorHertz % Clock::kPllM == 0);
static_assert(Clock::kPllInput >= 2'000'000 && Clock::kPllInput <= 4'000'000, "the range that h7.cpp sets");
static_assert(Clock::kPllN >= 4 && Clock::kPllN <= 512 && Clock::kPllOutput >= 192'000'000 &&
                  Clock::kPllOutput <= 836'000'000,
              "the wide range that h7.cpp sets");
static_assert(Clock::kCoreHertz == 400'000'000 && Clock::kBusHertz <= 200'000'000);
static_assert(Clock::kApbHertz <= 100'000'000);
static_assert(Clock::kFlashWaitStates >= (Clock::kBusHertz - 1) / 70'000'000, "a wait state for each 70 MHz");

// USART 3 on PD8 (out) and PD9 (in), alternate function 7: the virtual COM port of the ST-LINK.
struct Uart {
  using Layout = stm32::UsartH7;
  static constexpr std::uintptr_t kBase = 0x40004800;
  static constexpr unsigned kInterrupt = 39;
  static constexpr std::uint32_t kEnableBit = 18;
  static constexpr unsigned kPinOut = 8, kPinIn = 9;  // of port D
  static constexpr std::uint32_t kBaud = 921'600;
  static constexpr std::uint32_t kBusHertz = Clock::kApbHertz;
};

// No emulator has this board, and the two numbers below are not used.
inline constexpr bool kEmulatable = false;
inline constexpr std::uint32_t kVirtualNanosecondsPerInstruction = 1;
inline constexpr std::uint32_t kEmulatedTimerHertz = 1;

}  // namespace board
