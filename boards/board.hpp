// What a board is to the firmware and to the tests: a beat, a counter, two links, a watchdog, a reset cause
// and memory that survives a reset. This header is the whole interface; no chip header is needed above it.
//
// Every function is non-blocking unless it says otherwise, none allocates, and all but put() and the
// interrupt handlers are meant for the one thread of the firmware.
//
// Time. A board counts either core cycles (real boards) or instructions (emulated boards). An emulator has no
// cycles, so an emulated board states in its clock.hpp how many instructions per second it stands for, and
// its beat comes after exactly that many instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace board {

// Who it is.

struct Description {
  const char* name;        // the name of its folder and of its preset
  const char* count_unit;  // "instructions" or "cycles"
  std::uint32_t counts_per_second;
  bool emulated;  // it can exit() and it has the FIFO link
};
Description describe();

inline constexpr std::size_t kBuildIdSize = 20;
const std::uint8_t* build_id();  // kBuildIdSize bytes: the linker's hash of this very image

// Time.

// The counter wraps; counts_since() is right for spans below a quarter of its range (over 20 s on every
// board). counter_runs() is false where no counter moved when it was tried at start-up: then costs are
// unknown, not zero.
std::uint32_t counter();
std::uint32_t counts_since(std::uint32_t earlier);
bool counter_runs();

void start_beat(std::uint32_t hertz);  // from now on beats() grows by one each 1/hertz second, by interrupt
void stop_beat();
std::uint32_t beats();
// Until any interrupt; not at all where beats() is no longer `seen`. Asked and slept in one, so that a beat
// which comes between the caller's look and the sleep is not slept through.
void sleep(std::uint32_t seen);

// Links: bytes in and out, never frames.

enum class Link : std::uint8_t {
  uart,  // interrupt driven, never blocks on receive
  fifo   // semihosting on two files of the emulator's working directory, tactus.in and tactus.out; receive()
         // blocks until at least one byte is there, and virtual time stands still meanwhile
};
Link link();         // chosen at boot: fifo where the emulator's command line says so, else uart
bool link_closed();  // fifo only: the host has closed its end
std::size_t receive(std::uint8_t* to, std::size_t capacity);  // bytes read, 0 = nothing there
bool send(const std::uint8_t* from, std::size_t size);  // false: not all of it could be queued or written
std::uint32_t receive_overruns();                       // bytes lost because nobody took them

// Watchdog.

// Once started it must be fed within the period, else it records the stalled program counter and resets the
// board.
void start_watchdog(std::uint32_t milliseconds);
void feed_watchdog();

// Faults, and memory that survives a reset.

enum class Cause : std::uint8_t {
  none,
  hard_fault,
  memory_fault,
  bus_fault,
  usage_fault,
  stack_overflow,   // the guard under a stack was touched
  watchdog,         // the loop stalled
  assertion,        // fail() was called
  stray_interrupt,  // an interrupt without a handler
  silent_watchdog   // the hardware watchdog had to reset a core that could not even record
};

struct FaultRecord {
  Cause cause = Cause::none;
  std::uint32_t pc = 0, lr = 0, psr = 0, sp = 0;  // of the interrupted code; 0 where they could not be read
  std::uint32_t cfsr = 0, hfsr = 0, address = 0;  // the core's fault status and the address it names
  std::uint32_t note = 0;                         // fail()'s argument
  std::uint8_t build_id[kBuildIdSize] = {};       // of the image that failed
};

// The record the previous run left; cause none if it left none. Reading does not clear it.
FaultRecord last_fault();
void clear_last_fault();
std::uint32_t boots();  // resets since power on, this one included

[[noreturn]] void fail(std::uint32_t note);  // records an assertion with its caller's address, then resets
[[noreturn]] void reset();                   // resets without a record

// Stacks.

struct StackUse {
  std::uint32_t size, used;  // bytes; used is the deepest touch of the paint since boot
};
StackUse thread_stack();
StackUse handler_stack();

// Console and end of a run.

void put(char c);  // the emulator's console, or the UART of a real board
void print(const char* text);
[[noreturn]] void exit(
    int status);  // ends the emulator with min(status, 125); stops for ever on a real board

}  // namespace board

// For C code that wants a character sink (Unity's UNITY_OUTPUT_CHAR).
extern "C" void board_put_char(int c);
