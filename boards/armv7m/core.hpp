// The registers of an ARMv7-M core that the boards use, in words (ARM DDI 0403, B3).
#pragma once

#include <cstdint>

namespace armv7m {

inline std::uint32_t read(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}
inline void write(std::uintptr_t address, std::uint32_t value) {
  *reinterpret_cast<volatile std::uint32_t*>(address) = value;
}
inline void set_bits(std::uintptr_t address, std::uint32_t bits) {
  write(address, read(address) | bits);
}
inline void clear_bits(std::uintptr_t address, std::uint32_t bits) {
  write(address, read(address) & ~bits);
}
inline void replace_bits(std::uintptr_t address, std::uint32_t mask, std::uint32_t bits) {
  write(address, (read(address) & ~mask) | bits);
}

// A real chip raises its ready flags within microseconds; a chip that never does must not hang the boot.
inline bool wait_for(std::uintptr_t address, std::uint32_t mask, std::uint32_t value) {
  for (int tries = 0; tries < 1'000'000; ++tries) {
    if ((read(address) & mask) == value) return true;
  }
  return false;
}

inline constexpr std::uintptr_t kSysTickControl = 0xE000E010;
inline constexpr std::uintptr_t kSysTickReload = 0xE000E014;
inline constexpr std::uintptr_t kSysTickValue = 0xE000E018;
inline constexpr std::uintptr_t kInterruptEnable = 0xE000E100;    // one bit each
inline constexpr std::uintptr_t kInterruptPriority = 0xE000E400;  // one byte each
inline constexpr std::uintptr_t kVectorTable = 0xE000ED08;
inline constexpr std::uintptr_t kResetControl = 0xE000ED0C;
inline constexpr std::uintptr_t kConfiguration = 0xE000ED14;
inline constexpr std::uintptr_t kSystemPriority3 = 0xE000ED20;  // PendSV and SysTick
inline constexpr std::uintptr_t kFaultEnable = 0xE000ED24;
inline constexpr std::uintptr_t kFaultStatus = 0xE000ED28;
inline constexpr std::uintptr_t kHardFaultStatus = 0xE000ED2C;
inline constexpr std::uintptr_t kMemoryFaultAddress = 0xE000ED34;
inline constexpr std::uintptr_t kBusFaultAddress = 0xE000ED38;
inline constexpr std::uintptr_t kMpuControl = 0xE000ED94;
inline constexpr std::uintptr_t kMpuBase = 0xE000ED9C;
inline constexpr std::uintptr_t kMpuAttributes = 0xE000EDA0;
inline constexpr std::uintptr_t kDebugMonitor = 0xE000EDFC;  // bit 24 lets the cycle counter run
inline constexpr std::uintptr_t kDwtControl = 0xE0001000;
inline constexpr std::uintptr_t kDwtCycles = 0xE0001004;
inline constexpr std::uintptr_t kDwtUnlock = 0xE0001FB0;  // Cortex-M7 only

inline void barrier() {
  __asm volatile("dsb\n isb" ::: "memory");
}

inline void enable_interrupt(unsigned number, std::uint8_t priority) {
  *reinterpret_cast<volatile std::uint8_t*>(kInterruptPriority + number) = priority;
  write(kInterruptEnable + 4 * (number / 32), 1u << (number % 32));
}

// Holds interrupts off while it lives: for the few words that a handler and the thread share.
class Quiet {
 public:
  Quiet() { __asm volatile("mrs %0, primask\n cpsid i" : "=r"(before_)::"memory"); }
  ~Quiet() { __asm volatile("msr primask, %0" ::"r"(before_) : "memory"); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  std::uint32_t before_;
};

// The core's own cycle counter. Emulators leave it at zero without a fault, so it is tried before it is
// believed.
inline bool start_cycle_counter() {
  set_bits(kDebugMonitor, 1u << 24);
  write(kDwtUnlock, 0xC5ACCE55);
  write(kDwtCycles, 0);
  set_bits(kDwtControl, 1);
  const std::uint32_t before = read(kDwtCycles);
  for (int i = 0; i < 16; ++i) __asm volatile("nop");
  return read(kDwtCycles) != before;
}

}  // namespace armv7m
