// A board whose image is of another version of the protocol is named as that, not as one that is silent.
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>
#include <unity.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "host_sim/link/link.hpp"
#include "tactus/wire/frame.hpp"

using namespace tactus;

namespace {

// An empty HELLO of that version, as its encoder would have made it.
std::vector<std::uint8_t> hello_of(std::uint8_t version) {
  std::uint8_t raw[wire::kFrameOverhead] = {version, wire::HELLO};
  wire::detail::put32(raw + wire::kHeaderSize, wire::detail::crc32(raw, wire::kHeaderSize));
  std::vector<std::uint8_t> bytes(wire::cobs_capacity(sizeof raw) + 1);
  bytes.resize(wire::cobs_encode(raw, sizeof raw, bytes.data()) + 1);
  bytes.back() = 0;
  return bytes;
}

// What is said of a board at the other end of a terminal that has said this.
std::string complaint_of(std::uint8_t version) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  TEST_ASSERT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  const std::string device = ptsname(terminal);
  const int held = open(device.c_str(), O_RDWR | O_NOCTTY);  // so that the terminal keeps what is written
  termios settings;
  TEST_ASSERT_EQUAL_INT(0, tcgetattr(held, &settings));
  cfmakeraw(&settings);
  TEST_ASSERT_EQUAL_INT(0, tcsetattr(held, TCSANOW, &settings));
  // It is asked, and answers: what it said before is dropped when the terminal is opened.
  std::thread board([terminal, bytes = hello_of(version)] {
    std::uint8_t asked = 0;
    for (int i = 0; i < static_cast<int>(wire::kFrameOverhead);) i += read(terminal, &asked, 1) == 1 ? 1 : 0;
    if (write(terminal, bytes.data(), bytes.size()) < 0) std::abort();
  });
  std::string complaint;
  try {
    host::link::Board::open(device, 115200);
  } catch (const host::link::LinkError& error) {
    complaint = error.what();
  }
  board.join();
  close(held);
  close(terminal);
  return complaint;
}

void the_version_is_named() {
  const std::string mine = std::to_string(wire::kVersion), other = std::to_string(wire::kVersion + 1);
  TEST_ASSERT_EQUAL_STRING(
      ("The board speaks version " + other + " of the protocol and this program version " + mine +
       ": make both from the same tree.")
          .c_str(),
      complaint_of(wire::kVersion + 1).c_str());
  TEST_ASSERT_EQUAL_STRING("", complaint_of(wire::kVersion).c_str());
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_version_is_named);
  return UNITY_END();
}
