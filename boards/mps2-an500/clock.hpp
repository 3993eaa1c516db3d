// Arm's MPS2 board with FPGA image AN500, as QEMU has it: a Cortex-M7 whose peripherals run at 25 MHz.
#pragma once

#include <cstdint>

namespace board {

inline constexpr char kName[] = "mps2-an500";
inline constexpr std::uint32_t kPeripheralHertz = 25'000'000;
// QEMU runs with -icount shift=6: one instruction every 64 ns of virtual time, 8/5 of a peripheral tick.
inline constexpr std::uint32_t kVirtualNanosecondsPerInstruction = 64;
// What the board stands for: a 400 MHz Cortex-M7 at two cycles an instruction. One second of this board
// is 12.8 s of QEMU's virtual time; beat and watchdog are stretched alike.
inline constexpr std::uint32_t kInstructionsPerSecond = 200'000'000;

}  // namespace board
