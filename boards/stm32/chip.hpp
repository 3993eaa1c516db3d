// What the files of the STM32 boards share: each board takes timers.cpp, uart.cpp and the file of its chip's
// family.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "boards/armv7m/hooks.hpp"

namespace stm32 {

// The family's file gives this: QEMU's chip instead of silicon.
bool emulated();

// timers.cpp and uart.cpp give these.
void start_counter();
void start_uart();  // after its clock and pins
extern "C" void uart_interrupt();

inline constexpr std::size_t kTimer5Number = 50;

// Handlers by interrupt number; the compiler fills the table.
template <std::size_t N>
struct Vectors {
  armv7m::Handler handler[N];
};
template <std::size_t N>
constexpr Vectors<N> make_vectors(std::size_t uart_number) {
  Vectors<N> vectors{};
  for (armv7m::Handler& handler : vectors.handler) handler = armv7m::stray_interrupt;
  vectors.handler[uart_number] = uart_interrupt;
  vectors.handler[kTimer5Number] = armv7m::watchdog_expired;
  return vectors;
}

// Where the registers of a USART lie: two generations, the same bits.
struct UsartF4 {
  static constexpr std::uintptr_t kStatus = 0x00, kReceive = 0x04, kTransmit = 0x04, kBaud = 0x08,
                                  kControl = 0x0C;
  static constexpr std::uintptr_t kClear = 0;  // reading status and data clears an overrun
  static constexpr std::uint32_t kEnable = 1u << 13;
};
struct UsartH7 {
  static constexpr std::uintptr_t kStatus = 0x1C, kReceive = 0x24, kTransmit = 0x28, kBaud = 0x0C,
                                  kControl = 0x00;
  static constexpr std::uintptr_t kClear = 0x20;
  static constexpr std::uint32_t kEnable = 1u << 0;
};

// A pin of a GPIO port as alternate function `function`, pulled up: an open line is idle.
void use_pin(std::uintptr_t port, unsigned pin, std::uint32_t function);

}  // namespace stm32
