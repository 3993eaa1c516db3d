// From reset to main(): stacks, .data and .bss, FPU, guards, vectors.
//
// The thread runs on the process stack, interrupts on the main stack, a fault on a third small one, so that a
// fault can always be told. Below the thread's and the handlers' stacks lie MPU regions that nobody may
// touch.
#include <cstdint>

#include "boards/armv7m/core.hpp"
#include "boards/armv7m/hooks.hpp"
#include "boards/board.hpp"

extern "C" {
extern std::uint32_t __data_load, __data_start, __data_end, __bss_start, __bss_end;
extern std::uint32_t __thread_guard, __thread_stack_limit, __thread_stack_top;
extern std::uint32_t __handler_guard, __handler_stack_limit, __handler_stack_top;
using Constructor = void (*)();
extern Constructor __init_array_start[], __init_array_end[];
extern const std::uint32_t __vectors;
int main();
void reset_entry();
void beat_interrupt();
[[noreturn, gnu::used]] void start();

[[gnu::section(".vectors.core"), gnu::used]] const void* const core_vectors[16] = {
    &__handler_stack_top,
    reinterpret_cast<const void*>(reset_entry),
    reinterpret_cast<const void*>(
        armv7m::watchdog_expired),                       // NMI: where a board has one, it is its watchdog's
    reinterpret_cast<const void*>(armv7m::fault_entry),  // HardFault
    reinterpret_cast<const void*>(armv7m::fault_entry),  // MemManage
    reinterpret_cast<const void*>(armv7m::fault_entry),  // BusFault
    reinterpret_cast<const void*>(armv7m::fault_entry),  // UsageFault
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    reinterpret_cast<const void*>(armv7m::stray_interrupt),  // SVCall
    reinterpret_cast<const void*>(armv7m::stray_interrupt),  // DebugMonitor
    nullptr,
    reinterpret_cast<const void*>(armv7m::stray_interrupt),  // PendSV
    reinterpret_cast<const void*>(beat_interrupt)};
}

// The FPU is on and the thread has its stack before the first instruction that a compiler wrote.
__asm(R"(
    .syntax unified
    .thumb
    .section .text.reset_entry, "ax", %progbits
    .global reset_entry
    .type reset_entry, %function
    .thumb_func
reset_entry:
    ldr  r0, =0xE000ED88
    ldr  r1, [r0]
    orr  r1, r1, #(0xF << 20)
    str  r1, [r0]
    dsb
    ldr  r0, =__thread_stack_top
    msr  psp, r0
    movs r0, #2
    msr  control, r0
    isb
    b    start
    .ltorg
    .size reset_entry, . - reset_entry
    .text
)");

namespace {

constexpr std::uint32_t kPaint = 0xC0DEFACE;
constexpr std::uint32_t kGuardSize =
    256;  // a power of two, and larger than the largest single step of our frames

void guard(std::uint32_t region, const std::uint32_t* base) {
  using namespace armv7m;
  constexpr std::uint32_t kSizeField = 7;  // 2^(7 + 1) = kGuardSize bytes
  static_assert(1u << (kSizeField + 1) == kGuardSize);
  write(kMpuBase, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(base)) | (1u << 4) | region);
  write(kMpuAttributes, (1u << 28) | (kSizeField << 1) | 1u);  // no access at all, not executable
}

void paint(std::uint32_t* from, const std::uint32_t* to) {
  for (volatile std::uint32_t* p = from; p < to; p = p + 1) *p = kPaint;
}

board::StackUse use(const std::uint32_t& limit, const std::uint32_t& top) {
  const std::uint32_t* p = &limit;
  while (p < &top && *p == kPaint) ++p;
  const auto bytes = [](const std::uint32_t* a, const std::uint32_t* b) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(b) -
                                      reinterpret_cast<std::uintptr_t>(a));
  };
  return {bytes(&limit, &top), bytes(p, &top)};
}

}  // namespace

void start() {
  using namespace armv7m;
  paint(&__thread_stack_limit, static_cast<const std::uint32_t*>(__builtin_frame_address(0)) - 16);
  paint(&__handler_stack_limit, &__handler_stack_top);

  volatile std::uint32_t* to = &__data_start;
  for (const std::uint32_t* from = &__data_load; to < &__data_end; to = to + 1) *to = *from++;
  for (volatile std::uint32_t* p = &__bss_start; p < &__bss_end; p = p + 1) *p = 0;

  write(kVectorTable, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&__vectors)));
  write(kFaultEnable, read(kFaultEnable) | (7u << 16));  // memory, bus and usage faults by their own names
  set_bits(kConfiguration, 1u << 4);                     // a division by zero is a fault, not a zero
  guard(0, &__thread_guard);
  guard(1, &__handler_guard);
  write(kMpuControl, 5);  // on; elsewhere the default map; off inside HardFault and NMI
  barrier();

  read_reset_cause();
  open_retained();
  board_start();
  for (Constructor* constructor = __init_array_start; constructor < __init_array_end; ++constructor)
    (*constructor)();
  board::exit(main());
}

namespace board {

StackUse thread_stack() {
  return use(__thread_stack_limit, __thread_stack_top);
}
StackUse handler_stack() {
  return use(__handler_stack_limit, __handler_stack_top);
}

void print(const char* text) {
  while (*text != '\0') put(*text++);
}

}  // namespace board

extern "C" void board_put_char(int c) {
  board::put(static_cast<char>(c));
}
