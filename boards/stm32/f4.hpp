// The clock tree that the STM32F405 and F446 boards share: an oscillator, the PLL, and bus dividers of 1, 4
// and
// 2. A board gives oscillator, M and N; what the chips do not allow does not compile.
//
// Ranges: ST's device headers stm32f405xx.h and stm32f446xx.h (RCC_MAX_FREQUENCY_*, RCC_PLLVCO_*,
// RCC_PLLN_*_VALUE, FLASH_SCALE1_LATENCY*_FREQ), stm32f4xx_ll_utils.c (oscillator, M, P), and for voltage
// scale 1 without over-drive, which is how both chips come out of reset, stm32f4xx_hal_pwr_ex.h and RM0090,
// RM0390.
#pragma once

#include <cstdint>

namespace stm32 {

template <std::uint32_t oscillator_hertz, bool bypass, std::uint32_t m, std::uint32_t n>
struct ClockF4 {
  static constexpr std::uint32_t kOscillatorHertz = oscillator_hertz;
  static constexpr bool kOscillatorBypass = bypass;
  static constexpr std::uint32_t kPllM = m, kPllN = n, kPllP = 2, kPllQ = 7;
  static constexpr std::uint32_t kCoreHertz = kOscillatorHertz / kPllM * kPllN / kPllP;
  static constexpr std::uint32_t kApb1Divider = 4, kApb2Divider = 2;
  static constexpr std::uint32_t kTimerHertz =
      2 * kCoreHertz / kApb1Divider;                    // timers run at twice a divided bus
  static constexpr std::uint32_t kFlashWaitStates = 5;  // 2.7 V to 3.6 V
  static constexpr std::uintptr_t kIndependentWatchdog = 0x40003000;

 private:
  static constexpr std::uint32_t kPllInput = kOscillatorHertz / kPllM, kPllOutput = kPllInput * kPllN;
  static_assert(kOscillatorHertz >= 4'000'000 && kOscillatorHertz <= 26'000'000 && m >= 2 && m <= 63);
  static_assert(kPllInput >= 950'000 && kPllInput <= 2'100'000 && kOscillatorHertz % kPllM == 0);
  static_assert(n >= 50 && n <= 432 && kPllOutput >= 100'000'000 && kPllOutput <= 432'000'000);
  static_assert(kPllOutput / kPllQ <= 48'000'000, "the clock of USB and random numbers");
  static_assert(kCoreHertz <= 168'000'000, "more needs the F446's over-drive");
  static_assert(kCoreHertz / kApb1Divider <= 42'000'000 && kCoreHertz / kApb2Divider <= 84'000'000);
  static_assert(kFlashWaitStates == (kCoreHertz - 1) / 30'000'000, "a wait state for each 30 MHz");
};

}  // namespace stm32
