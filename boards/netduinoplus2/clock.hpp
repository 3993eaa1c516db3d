// STM32F405RG with a 25 MHz crystal, as on the Netduino Plus 2: 168 MHz core, 42 MHz APB1, 84 MHz APB2.
#pragma once

#include <cstdint>

#include "boards/stm32/chip.hpp"

namespace board {

inline constexpr char kName[] = "netduinoplus2";

struct Clock {
  static constexpr std::uint32_t kOscillatorHertz = 25'000'000;
  static constexpr bool kOscillatorBypass = false;  // a crystal
  static constexpr std::uint32_t kPllM = 25, kPllN = 336, kPllP = 2, kPllQ = 7;
  static constexpr std::uint32_t kCoreHertz = kOscillatorHertz / kPllM * kPllN / kPllP;
  static constexpr std::uint32_t kApb1Divider = 4, kApb2Divider = 2;
  static constexpr std::uint32_t kTimerHertz =
      2 * kCoreHertz / kApb1Divider;                    // timers run at twice a divided bus
  static constexpr std::uint32_t kFlashWaitStates = 5;  // 2.7 V to 3.6 V
};
static_assert(Clock::kCoreHertz == 168'000'000 && Clock::kCoreHertz / Clock::kApb1Divider <= 42'000'000);

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
