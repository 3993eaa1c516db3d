// What the shared ARMv7-M start-up asks of a board's own file.
#pragma once

#include <cstdint>

#include "boards/board.hpp"

namespace armv7m {

using Handler = void (*)();

void read_reset_cause();      // first of all, and once
void open_retained();         // what the last run left; before board_start()
void board_start();           // clocks, counter, UART; runs after .data and .bss are there, before main()
bool board_cold_start();      // the chip says that it had no power: retained memory holds nothing, and is not
                              // read
std::uint32_t beat_clock();   // SysTick counts per second of the board's time
bool board_watchdog_reset();  // the chip says that its hardware watchdog caused this reset

void keep_fault(const board::FaultRecord& record);
[[noreturn]] void reset_now();

extern "C" void fault_entry();       // vector of every fault: never returns, records, resets
extern "C" void watchdog_expired();  // vector of a watchdog's early warning: the same, cause watchdog
extern "C" void stray_interrupt();   // vector of every interrupt nobody wants

}  // namespace armv7m
