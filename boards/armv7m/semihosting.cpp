#include "boards/armv7m/semihosting.hpp"

#include <cstring>

#include "boards/board.hpp"

namespace {

enum Operation : std::uint32_t {
  kOpen = 0x01,
  kWrite = 0x05,
  kRead = 0x06,
  kWriteText = 0x04,
  kCommandLine = 0x15,
  kExitExtended = 0x20
};

std::uint32_t call(Operation operation, const void* argument) {
  register std::uint32_t r0 __asm("r0") = operation;
  register const void* r1 __asm("r1") = argument;
  __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

std::uint32_t word(const void* p) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(p));
}

constexpr std::uint32_t kNone = 0xFFFFFFFF;
std::uint32_t in = kNone, out = kNone;
bool closed = false;

char line[128];
std::size_t line_size = 0;

void flush() {
  line[line_size] = '\0';
  call(kWriteText, line);
  line_size = 0;
}

std::uint32_t open(const char* name, std::uint32_t mode) {
  const std::uint32_t block[3] = {word(name), mode, static_cast<std::uint32_t>(std::strlen(name))};
  return call(kOpen, block);
}

bool command_line_is(const char* wanted) {
  static char text[256];
  const std::uint32_t block[2] = {word(text), sizeof text};
  return call(kCommandLine, block) == 0 && std::strcmp(text, wanted) == 0;
}

}  // namespace

namespace semihosting {

void open_link() {
  if (!command_line_is("fifo")) return;
  constexpr std::uint32_t kReadBinary = 1, kWriteBinary = 5;
  in = open("tactus.in", kReadBinary);
  out = open("tactus.out", kWriteBinary);
}

std::size_t receive(std::uint8_t* to, std::size_t capacity) {
  const std::uint32_t block[3] = {in, word(to), static_cast<std::uint32_t>(capacity)};
  const std::uint32_t left = call(kRead, block);  // the bytes that were not read
  if (left >= capacity) {
    closed = true;
    return 0;
  }
  return capacity - left;
}

bool send(const std::uint8_t* from, std::size_t size) {
  while (size > 0) {
    const std::uint32_t block[3] = {out, word(from), static_cast<std::uint32_t>(size)};
    const std::uint32_t left = call(kWrite, block);
    if (left >= size) {
      closed = true;
      return false;
    }
    from += size - left;
    size = left;
  }
  return true;
}

void put(char c) {
  line[line_size++] = c;
  if (c == '\n' || line_size == sizeof line - 1) flush();
}

void exit(int status) {
  if (line_size > 0) flush();
  constexpr std::uint32_t kApplicationExit = 0x20026;
  const int clamped = status < 0 || status > 125 ? 125 : status;
  const std::uint32_t block[2] = {kApplicationExit, static_cast<std::uint32_t>(clamped)};
  for (;;) call(kExitExtended, block);
}

}  // namespace semihosting

namespace board {

Link link() {
  return in != kNone && out != kNone ? Link::fifo : Link::uart;
}
bool link_closed() {
  return closed;
}

}  // namespace board
