// The firmware's own loop on the host, on a board whose time is counted: it stands still but for looks at the
// counter, which cost one count each or as many as a test says, and for sleep, which ends with the next beat
// or the next byte. What no emulator can promise, such as three frames within one beat, happens here exactly
// when a test says; and since the counter is looked at before each linear system, these cost what it says.
#pragma once

#include <cstdint>
#include <vector>

namespace tactus::hil {

inline constexpr std::uint32_t kCountsPerBeat = 100'000;

struct Bytes {
  double when;  // in beats since the board came up
  std::vector<std::uint8_t> bytes;
};

struct CountedTime {
  std::uint32_t look = 1;  // counts
  bool runs = true;        // else the firmware is told that the counter does not
};

// Runs the firmware for so many beats on the bytes that come; the answer is what it sends. `longest_unfed`
// beats went by between two feedings of the watchdog.
struct Run {
  std::vector<Bytes> sent;
  double longest_unfed = 0;
};
Run run_firmware(const std::vector<Bytes>& comes, double beats, const CountedTime& clock = {});

}  // namespace tactus::hil
