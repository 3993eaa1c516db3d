#include "tests/hil/counted_board.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "boards/board.hpp"
#include "firmware/loop.hpp"

namespace tactus::hil {
namespace {

struct {
  const std::vector<Bytes>* comes = nullptr;
  std::size_t next = 0, taken = 0;  // of the bytes that come, and of the first of them
  std::uint32_t now = 0, end = 0, beat_start = 0, fed = 0;
  bool beating = false;
  CountedTime clock;
  Run run;
} world;

std::uint32_t counts(double beats) {
  return static_cast<std::uint32_t>(beats * kCountsPerBeat);
}
double beats_of(std::uint32_t time) {
  return static_cast<double>(time) / kCountsPerBeat;
}

}  // namespace

Run run_firmware(const std::vector<Bytes>& comes, double beats, const CountedTime& clock) {
  world = {};
  world.clock = clock;
  world.comes = &comes;
  world.end = counts(beats);
  std::make_unique<firmware::Loop>()->run();
  return world.run;
}

}  // namespace tactus::hil

namespace board {

using namespace tactus::hil;

Description describe() {
  return {"counted", "counts", kCountsPerBeat * tactus::firmware::kBeatHertz, true};
}
const std::uint8_t* build_id() {
  static const std::uint8_t id[kBuildIdSize] = {};
  return id;
}

std::uint32_t counter() {
  return world.now += world.clock.look;
}
std::uint32_t counts_since(std::uint32_t earlier) {
  return counter() - earlier;
}
bool counter_runs() {
  return world.clock.runs;
}

void start_beat(std::uint32_t) {
  world.beating = true;
  world.beat_start = world.now;
}
void stop_beat() {
  world.beating = false;
}
std::uint32_t beats() {
  return world.beating ? (world.now - world.beat_start) / kCountsPerBeat : 0;
}
void sleep(std::uint32_t seen) {
  if (beats() != seen) return;
  std::uint32_t wake = world.beat_start + (seen + 1) * kCountsPerBeat;
  if (world.next < world.comes->size()) wake = std::min(wake, counts((*world.comes)[world.next].when));
  world.now = std::max(world.now, wake);
}

Link link() {
  return Link::uart;
}
bool link_closed() {
  return world.now >= world.end;
}
std::size_t receive(std::uint8_t* to, std::size_t capacity) {
  if (world.next == world.comes->size()) return 0;
  const Bytes& from = (*world.comes)[world.next];
  if (counts(from.when) > world.now) return 0;
  const std::size_t n = std::min(capacity, from.bytes.size() - world.taken);
  std::memcpy(to, from.bytes.data() + world.taken, n);
  world.taken += n;
  if (world.taken == from.bytes.size()) {
    ++world.next;
    world.taken = 0;
  }
  return n;
}
bool send(const std::uint8_t* from, std::size_t size) {
  world.run.sent.push_back({beats_of(world.now), {from, from + size}});
  return true;
}
std::uint32_t receive_overruns() {
  return 0;
}

void start_watchdog(std::uint32_t) {
  world.fed = world.now;
}
void feed_watchdog() {
  world.run.longest_unfed = std::max(world.run.longest_unfed, beats_of(world.now - world.fed));
  world.fed = world.now;
}

FaultRecord last_fault() {
  return {};
}
void clear_last_fault() {}
std::uint32_t boots() {
  return 1;
}
void fail(std::uint32_t) {
  std::abort();
}
StackUse thread_stack() {
  return {};
}
StackUse handler_stack() {
  return {};
}

}  // namespace board
