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
  static constexpr std::uint32_t kCoreHertz = kOscillatorHertz / kPllM * kPllN / kPllP;
  static constexpr std::uint32_t kBusDivider = 2, kApbDivider = 2;
  static constexpr std::uint32_t kApbHertz = kCoreHertz / kBusDivider / kApbDivider;
  static constexpr std::uint32_t kTimerHertz = 2 * kApbHertz;  // timers run at twice a divided bus
  static constexpr std::uint32_t kFlashWaitStates =
      4;  // two more than needed: the instruction cache hides them
};
static_assert(Clock::kCoreHertz == 400'000'000 && Clock::kApbHertz <= 120'000'000);

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
