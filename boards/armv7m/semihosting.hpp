// The emulator's services (Arm IHI 0101, "Semihosting for AArch32 and AArch64"): console, exit, and two files
// as a link. A semihosting call on a real board without a debugger is a HardFault, so only emulated boards
// come here. It also gives board::link() and link_closed(): the host closed its end, or a write failed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace semihosting {

// Opens tactus.in and tactus.out of the emulator's working directory if the emulator's command line has the
// word "fifo". The host has to have both open already, else this waits for it.
void open_link();
std::size_t receive(std::uint8_t* to, std::size_t capacity);  // blocks for the first byte
bool send(const std::uint8_t* from, std::size_t size);

void put(char c);  // line buffered
[[noreturn]] void exit(int status);

}  // namespace semihosting
