// STM32F405RG with a 25 MHz crystal, as on the Netduino Plus 2: 168 MHz core, 42 MHz APB1, 84 MHz APB2.
#pragma once

#include <cstdint>

#include "boards/stm32/chip.hpp"
#include "boards/stm32/f4.hpp"

namespace board {

inline constexpr char kName[] = "netduinoplus2";

using Clock = stm32::ClockF4<25'000'000, false, 25, 336>;  // a crystal
static_assert(Clock::kCoreHertz == 168'000'000);

// USART 1 on PA9 (out) and PA10 (in), alternate function 7.
struct Uart {
  using Layout = stm32::UsartF4;
  static constexpr std::uintptr_t kBase = 0x40011000;
  static constexpr unsigned kInterrupt = 37;
  static constexpr bool kOnApb2 = true;
  static constexpr std::uint32_t kEnableBit = 4;
  static constexpr unsigned kPinOut = 9, kPinIn = 10;  // of port A
  static constexpr std::uint32_t kBaud = 921'600;
  static constexpr std::uint32_t kBusHertz = Clock::kCoreHertz / Clock::kApb2Divider;
};

// QEMU runs with -icount shift=4: 16 ns an instruction, 62.5 million in a second. That is 168 MHz at 2.7
// cycles an instruction, so that the emulated board's second is about a real one. QEMU's timers run at 1 GHz.
inline constexpr bool kEmulatable = true;
inline constexpr std::uint32_t kVirtualNanosecondsPerInstruction = 16;
inline constexpr std::uint32_t kEmulatedTimerHertz = 1'000'000'000;

}  // namespace board
