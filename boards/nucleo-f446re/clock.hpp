// NUCLEO-F446RE: an STM32F446RE clocked by the 8 MHz of its ST-LINK: 168 MHz core, 42 MHz APB1, 84 MHz APB2.
// (180 MHz would need the over-drive sequence.)
#pragma once

#include <cstdint>

#include "boards/stm32/chip.hpp"
#include "boards/stm32/f4.hpp"

namespace board {

inline constexpr char kName[] = "nucleo-f446re";

using Clock = stm32::ClockF4<8'000'000, true, 4, 168>;  // a clock, not a crystal
static_assert(Clock::kCoreHertz == 168'000'000);

// USART 2 on PA2 (out) and PA3 (in), alternate function 7: the virtual COM port of the ST-LINK.
struct Uart {
  using Layout = stm32::UsartF4;
  static constexpr std::uintptr_t kBase = 0x40004400;
  static constexpr unsigned kInterrupt = 38;
  static constexpr bool kOnApb2 = false;
  static constexpr std::uint32_t kEnableBit = 17;
  static constexpr unsigned kPinOut = 2, kPinIn = 3;  // of port A
  static constexpr std::uint32_t kBaud = 921'600;
  static constexpr std::uint32_t kBusHertz = Clock::kCoreHertz / Clock::kApb1Divider;
};

// No emulator has this board, and the two numbers below are not used.
inline constexpr bool kEmulatable = false;
inline constexpr std::uint32_t kVirtualNanosecondsPerInstruction = 1;
inline constexpr std::uint32_t kEmulatedTimerHertz = 1;

}  // namespace board
