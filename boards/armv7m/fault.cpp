// A fault leaves a record in memory that no start-up touches, resets, and the next boot finds it.
//
// The entry first moves to the fault's own stack: after a stack overflow the old one is the problem. Then it
// finds out which stack the interrupted code ran on, and reads its frame only if that frame lies in RAM: a
// fault whose own stacking failed has none.
#include <cstdint>
#include <cstring>

#include "boards/armv7m/core.hpp"
#include "boards/armv7m/hooks.hpp"
#include "boards/board.hpp"

extern "C" {
extern const std::uint32_t __ram_start, __ram_end, __thread_guard, __thread_stack_limit, __handler_guard,
    __handler_stack_limit;
extern const std::uint8_t __build_id[];
[[noreturn, gnu::used]] void record_fault(std::uint32_t frame, std::uint32_t exception,
                                          std::uint32_t expired);
}

__asm(R"(
    .syntax unified
    .thumb
    .section .text.fault_entry, "ax", %progbits
    .global watchdog_expired
    .type watchdog_expired, %function
    .thumb_func
watchdog_expired:
    movs r2, #1
    b    1f
    .global fault_entry
    .type fault_entry, %function
    .thumb_func
    .global stray_interrupt
    .type stray_interrupt, %function
    .thumb_func
stray_interrupt:
fault_entry:
    movs r2, #0
1:  cpsid i
    tst  lr, #4
    ite  eq
    mrseq r0, msp
    mrsne r0, psp
    mrs  r1, ipsr
    ldr  r3, =__fault_stack_top
    msr  msp, r3
    b    record_fault
    .ltorg
    .size fault_entry, . - fault_entry
    .text
)");

namespace {

struct Retained {
  std::uint32_t magic;
  std::uint32_t boots;
  std::uint32_t fault_magic;
  board::FaultRecord fault;
  std::uint32_t check;
};

constexpr std::uint32_t kMagic = 0x7AC7005Eu;

[[gnu::section(".retained")]] Retained retained;

board::FaultRecord previous;

// FNV-1a over the record: what an unpowered RAM holds must not be taken for a fault.
std::uint32_t check_of(const board::FaultRecord& record) {
  std::uint8_t bytes[sizeof record];
  std::memcpy(bytes, &record, sizeof record);
  std::uint32_t hash = 2166136261u;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 16777619u;
  return hash;
}

std::uint32_t address_of(const std::uint32_t& symbol) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&symbol));
}

bool in(std::uint32_t address, const std::uint32_t& from, const std::uint32_t& to) {
  return address >= address_of(from) && address < address_of(to);
}

board::Cause cause_of(std::uint32_t exception, std::uint32_t cfsr, std::uint32_t sp, std::uint32_t address) {
  using board::Cause;
  constexpr std::uint32_t kStacking = 1u << 4 | 1u << 12, kLazyFpu = 1u << 5 | 1u << 13,
                          kAddressValid = 1u << 7;
  const auto guarded = [](std::uint32_t a) {
    return in(a, __thread_guard, __thread_stack_limit) || in(a, __handler_guard, __handler_stack_limit);
  };
  const bool pushed_too_far = (cfsr & (kStacking | kLazyFpu)) != 0;
  if (pushed_too_far || ((cfsr & kAddressValid) != 0 && guarded(address)) || guarded(sp))
    return Cause::stack_overflow;
  if ((cfsr & 0xFFFF0000u) != 0) return Cause::usage_fault;
  if ((cfsr & 0x0000FF00u) != 0) return Cause::bus_fault;
  if ((cfsr & 0x000000FFu) != 0) return Cause::memory_fault;
  return exception == 3 ? Cause::hard_fault : Cause::stray_interrupt;
}

}  // namespace

void record_fault(std::uint32_t frame, std::uint32_t exception, std::uint32_t expired) {
  using namespace armv7m;
  board::FaultRecord record;
  record.sp = frame;
  record.cfsr = read(kFaultStatus);
  record.hfsr = read(kHardFaultStatus);
  if ((record.cfsr & (1u << 7)) != 0) record.address = read(kMemoryFaultAddress);
  if ((record.cfsr & (1u << 15)) != 0) record.address = read(kBusFaultAddress);
  record.cause =
      expired != 0 ? board::Cause::watchdog : cause_of(exception, record.cfsr, frame, record.address);
  const bool stacked = (record.cfsr & (1u << 4 | 1u << 12)) == 0;
  if (stacked && (frame & 3u) == 0 && in(frame, __ram_start, __ram_end) &&
      in(frame + 28, __ram_start, __ram_end)) {
    record.lr = read(frame + 20);
    record.pc = read(frame + 24);
    record.psr = read(frame + 28);
  }
  record.note = exception;
  keep_fault(record);
  reset_now();
}

namespace armv7m {

void keep_fault(const board::FaultRecord& record) {
  retained.fault = record;
  std::memcpy(retained.fault.build_id, __build_id, board::kBuildIdSize);
  retained.check = check_of(retained.fault);
  retained.fault_magic = kMagic;
  barrier();
}

void reset_now() {
  barrier();
  write(kResetControl, 0x05FA0004u);
  barrier();
  for (;;) {
  }
}

void open_retained() {
  if (board_cold_start() || retained.magic != kMagic) {
    retained.magic = kMagic;
    retained.boots = 0;
    retained.fault_magic = 0;
  }
  ++retained.boots;
  previous = {};
  if (retained.fault_magic == kMagic && retained.check == check_of(retained.fault)) {
    previous = retained.fault;
  } else if (board_watchdog_reset()) {
    previous.cause = board::Cause::silent_watchdog;
    std::memcpy(previous.build_id, __build_id, board::kBuildIdSize);
  }
}

}  // namespace armv7m

namespace board {

FaultRecord last_fault() {
  return previous;
}

void clear_last_fault() {
  retained.fault_magic = 0;
  previous = {};
}

std::uint32_t boots() {
  return retained.boots;
}

const std::uint8_t* build_id() {
  return __build_id;
}

void fail(std::uint32_t note) {
  FaultRecord record;
  record.cause = Cause::assertion;
  record.note = note;
  record.pc = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  record.sp = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  armv7m::keep_fault(record);
  armv7m::reset_now();
}

void reset() {
  armv7m::reset_now();
}

}  // namespace board
