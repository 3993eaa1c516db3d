// What the shared STM32 timer code asks of a chip's own file.
#pragma once

#include <cstdint>

namespace stm32 {

bool emulated();              // QEMU's chip instead of silicon
std::uint32_t timer_hertz();  // of TIM2 and TIM5
void start_counter();
void start_independent_watchdog(std::uint32_t milliseconds);
void feed_independent_watchdog();
extern "C" void timer5_interrupt();
inline constexpr unsigned kTimer5Number = 50;

}  // namespace stm32
