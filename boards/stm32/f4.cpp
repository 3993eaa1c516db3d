// The STM32F405 and F446: clock tree, USART, reset cause (ST RM0090 and RM0390).
#include "boards/armv7m/core.hpp"
#include "boards/armv7m/hooks.hpp"
#include "boards/armv7m/ring.hpp"
#include "boards/armv7m/semihosting.hpp"
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

constexpr std::uintptr_t kRcc = 0x40023800;
constexpr std::uintptr_t kRccControl = kRcc, kRccPll = kRcc + 0x04, kRccConfiguration = kRcc + 0x08,
                         kRccAhb1 = kRcc + 0x30, kRccApb1 = kRcc + 0x40, kRccApb2 = kRcc + 0x44,
                         kRccStatus = kRcc + 0x74;
constexpr std::uintptr_t kFlashAccess = 0x40023C00;
constexpr std::uintptr_t kPortA = 0x40020000;
constexpr std::uintptr_t kIndependentWatchdog = 0x40003000;

constexpr std::uintptr_t kUartStatus = Uart::kBase, kUartData = Uart::kBase + 4, kUartBaud = Uart::kBase + 8,
                         kUartControl = Uart::kBase + 12;
constexpr std::uint32_t kReceiveFull = 1u << 5, kOverrun = 1u << 3, kTransmitEmpty = 1u << 7;
constexpr std::uint32_t kUartOn = 1u << 13, kTransmitOn = 1u << 3, kReceiveOn = 1u << 2;

armv7m::Ring<1024> received, to_send;
bool emulator = false, woken_by_watchdog = false;
std::uint32_t hardware_overruns = 0;

// Registers that are all zero here are not an STM32's: the internal oscillator's bits are set whenever the
// core runs.
void find_out_where_we_are() {
  emulator = board::kEmulatable && read(kRccControl) == 0;
  woken_by_watchdog = (read(kRccStatus) & (3u << 29)) != 0;
  set_bits(kRccStatus, 1u << 24);
}

// On failure the chip stays on its 16 MHz internal oscillator, and the wrong baud rate and cost tell.
bool start_clock() {
  const std::uint32_t oscillator = 1u << 16 | (Clock::kOscillatorBypass ? 1u << 18 : 0u);
  set_bits(kRccControl, oscillator);
  if (!wait_for(kRccControl, 1u << 17, 1u << 17)) return false;
  write(kRccPll, Clock::kPllM | Clock::kPllN << 6 | (Clock::kPllP / 2 - 1) << 16 | 1u << 22 |
                     Clock::kPllQ << 24 | 2u << 28);
  set_bits(kRccControl, 1u << 24);
  if (!wait_for(kRccControl, 1u << 25, 1u << 25)) return false;
  write(kFlashAccess, Clock::kFlashWaitStates | 7u << 8);  // prefetch and both caches
  if (!wait_for(kFlashAccess, 0xF, Clock::kFlashWaitStates)) return false;
  static_assert(Clock::kApb1Divider == 4 && Clock::kApb2Divider == 2);
  replace_bits(kRccConfiguration, 0xFCF3u, 5u << 10 | 4u << 13 | 2u);
  return wait_for(kRccConfiguration, 0xC, 0x8);
}

void alternate_function_7(unsigned pin) {
  replace_bits(kPortA + 0x00, 3u << (2 * pin), 2u << (2 * pin));
  replace_bits(kPortA + 0x08, 3u << (2 * pin), 2u << (2 * pin));
  replace_bits(kPortA + 0x0C, 3u << (2 * pin), 1u << (2 * pin));  // pulled up: an open line is idle
  replace_bits(kPortA + (pin < 8 ? 0x20 : 0x24), 15u << (4 * (pin % 8)), 7u << (4 * (pin % 8)));
}

void start_uart() {
  alternate_function_7(Uart::kPinOut);
  alternate_function_7(Uart::kPinIn);
  write(kUartBaud, (Uart::kBusHertz + Uart::kBaud / 2) / Uart::kBaud);
  write(kUartControl, kUartOn | kTransmitOn | kReceiveOn | kReceiveFull);
  armv7m::enable_interrupt(Uart::kInterrupt, 0x20);
}

// Hands the transmitter what it takes now; its interrupt calls for the rest.
void pump() {
  while (!to_send.empty() && (read(kUartStatus) & kTransmitEmpty) != 0) {
    std::uint8_t byte = 0;
    to_send.pop(&byte, 1);
    write(kUartData, byte);
  }
  replace_bits(kUartControl, kTransmitEmpty, to_send.empty() ? 0u : kTransmitEmpty);
}

}  // namespace

extern "C" {

static void uart_interrupt() {
  const std::uint32_t status = read(kUartStatus);
  if ((status & (kReceiveFull | kOverrun)) != 0) received.push(static_cast<std::uint8_t>(read(kUartData)));
  if ((status & kOverrun) != 0) hardware_overruns = hardware_overruns + 1;
  pump();
}

}  // extern "C"

namespace {

struct Vectors {
  armv7m::Handler handler[96];
};

// Filled by the compiler; a table of references to functions needs no run-time work.
constexpr Vectors make_vectors() {
  Vectors vectors{};
  for (armv7m::Handler& handler : vectors.handler) handler = armv7m::stray_interrupt;
  vectors.handler[Uart::kInterrupt] = uart_interrupt;
  vectors.handler[stm32::kTimer5Number] = armv7m::watchdog_expired;
  return vectors;
}

}  // namespace

extern "C" {
extern const Vectors interrupt_vectors;
[[gnu::section(".vectors.interrupts"), gnu::used]] constinit const Vectors interrupt_vectors = make_vectors();
}

namespace armv7m {

void board_start() {
  find_out_where_we_are();
  set_bits(kRccApb1, 1u << 28);  // power control: voltage scale 1 is its reset value
  set_bits(kRccAhb1, 1u << 0);
  set_bits(kRccApb1, 1u << 0 | 1u << 3);
  set_bits(Uart::kOnApb2 ? kRccApb2 : kRccApb1, 1u << Uart::kEnableBit);
  if (!emulator) start_clock();
  stm32::start_counter();
  start_uart();
  if (board::kEmulatable && emulator) semihosting::open_link();
}

std::uint32_t beat_clock() {
  return Clock::kCoreHertz;
}
bool board_watchdog_reset() {
  return woken_by_watchdog;
}

}  // namespace armv7m

namespace stm32 {

bool emulated() {
  return emulator;
}
std::uint32_t timer_hertz() {
  return emulator ? board::kEmulatedTimerHertz : Clock::kTimerHertz;
}

void start_independent_watchdog(std::uint32_t milliseconds) {
  const std::uint32_t counts =
      milliseconds > 16'000 ? 4095 : milliseconds * 4095 / 16'384 + 1;  // 32 kHz / 128
  write(kIndependentWatchdog, 0x5555);
  write(kIndependentWatchdog + 4, 5);
  write(kIndependentWatchdog + 8, counts);
  write(kIndependentWatchdog, 0xAAAA);
  write(kIndependentWatchdog, 0xCCCC);
}

void feed_independent_watchdog() {
  write(kIndependentWatchdog, 0xAAAA);
}

}  // namespace stm32

namespace board {

Description describe() {
  if (emulator) return {kName, "instructions", 1'000'000'000 / kVirtualNanosecondsPerInstruction, true};
  return {kName, "cycles", Clock::kCoreHertz, false};
}

Link link() {
  return semihosting::link_is_open() ? Link::fifo : Link::uart;
}
bool link_closed() {
  return semihosting::link_is_closed();
}

std::size_t receive(std::uint8_t* to, std::size_t capacity) {
  if (link() == Link::fifo) return semihosting::receive(to, capacity);
  return received.pop(to, capacity);
}

bool send(const std::uint8_t* from, std::size_t size) {
  if (link() == Link::fifo) return semihosting::send(from, size);
  if (to_send.room() < size) return false;  // a frame goes whole or not at all
  for (std::size_t i = 0; i < size; ++i) {
    to_send.push(from[i]);
    if (emulator) pump();  // the emulated transmitter is always empty and has no interrupt
  }
  const armv7m::Quiet quiet;
  pump();
  return true;
}

std::uint32_t receive_overruns() {
  return received.lost() + hardware_overruns;
}

void put(char c) {
  if (emulator) {
    semihosting::put(c);
    return;
  }
  const auto byte = static_cast<std::uint8_t>(c);
  while (!send(&byte, 1)) {
  }
}

void exit(int status) {
  if (emulator) semihosting::exit(status);
  for (;;) sleep();
}

}  // namespace board
