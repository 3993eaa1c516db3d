// The UART of the STM32 boards, both directions by interrupt, and the choice between it and the emulator's
// FIFO link.
#include "boards/armv7m/core.hpp"
#include "boards/armv7m/ring.hpp"
#include "boards/armv7m/semihosting.hpp"
#include "boards/board.hpp"
#include "boards/stm32/chip.hpp"
#include "clock.hpp"

namespace {

using armv7m::read;
using armv7m::replace_bits;
using armv7m::write;
using board::Clock;
using board::Uart;
using Layout = Uart::Layout;

constexpr std::uintptr_t kStatus = Uart::kBase + Layout::kStatus, kReceive = Uart::kBase + Layout::kReceive,
                         kTransmit = Uart::kBase + Layout::kTransmit, kBaud = Uart::kBase + Layout::kBaud,
                         kControl = Uart::kBase + Layout::kControl;
constexpr std::uint32_t kOverrun = 1u << 3, kReceiveFull = 1u << 5,
                        kTransmitEmpty = 1u << 7;  // and their interrupts
constexpr std::uint32_t kReceiveOn = 1u << 2, kTransmitOn = 1u << 3;

armv7m::Ring<2048> received, to_send;
volatile std::uint32_t overruns = 0;

// Hands the transmitter what it takes now; its interrupt calls for the rest.
void pump() {
  while (!to_send.empty() && (read(kStatus) & kTransmitEmpty) != 0) {
    std::uint8_t byte = 0;
    to_send.pop(&byte, 1);
    write(kTransmit, byte);
  }
  replace_bits(kControl, kTransmitEmpty, to_send.empty() ? 0u : kTransmitEmpty);
}

}  // namespace

namespace stm32 {

void start_uart() {
  write(kBaud, (Uart::kBusHertz + Uart::kBaud / 2) / Uart::kBaud);
  write(kControl, Layout::kEnable | kTransmitOn | kReceiveOn | kReceiveFull);
  armv7m::enable_interrupt(Uart::kInterrupt, 0x20);
}

extern "C" void uart_interrupt() {
  const std::uint32_t status = read(kStatus);
  if ((status & (kReceiveFull | kOverrun)) != 0) received.push(static_cast<std::uint8_t>(read(kReceive)));
  if ((status & kOverrun) != 0) {
    overruns = overruns + 1;
    if constexpr (Layout::kClear != 0) write(Uart::kBase + Layout::kClear, kOverrun);
  }
  pump();
}

void use_pin(std::uintptr_t port, unsigned pin, std::uint32_t function) {
  replace_bits(port + 0x00, 3u << (2 * pin), 2u << (2 * pin));  // alternate function
  replace_bits(port + 0x08, 3u << (2 * pin), 2u << (2 * pin));  // fast
  replace_bits(port + 0x0C, 3u << (2 * pin), 1u << (2 * pin));  // pulled up
  replace_bits(port + (pin < 8 ? 0x20 : 0x24), 15u << (4 * (pin % 8)), function << (4 * (pin % 8)));
}

}  // namespace stm32

namespace board {

Description describe() {
  if (stm32::emulated())
    return {kName, "instructions", 1'000'000'000 / kVirtualNanosecondsPerInstruction, true};
  return {kName, "cycles", Clock::kCoreHertz, false};
}

std::size_t receive(std::uint8_t* to, std::size_t capacity) {
  if (link() == Link::fifo) return semihosting::receive(to, capacity);
  return received.pop(to, capacity);
}

bool send(const std::uint8_t* from, std::size_t size) {
  if (link() == Link::fifo) return semihosting::send(from, size);
  if (to_send.room() < size) return false;  // a frame goes whole or not at all
  for (std::size_t i = 0; i < size; ++i) to_send.push(from[i]);
  const armv7m::Quiet quiet;
  pump();  // all of it at once in an emulator, whose transmitter is always empty and has no interrupt
  return true;
}

std::uint32_t receive_overruns() {
  return received.lost() + overruns;
}

void put(char c) {
  if (stm32::emulated()) {
    semihosting::put(c);
    return;
  }
  const auto byte = static_cast<std::uint8_t>(c);
  while (!send(&byte, 1)) {
  }
}

void exit(int status) {
  if (stm32::emulated()) semihosting::exit(status);
  for (;;) sleep(beats());
}

}  // namespace board
