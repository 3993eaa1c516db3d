// What messages cost on an emulated Cortex-M: instructions to encode and frame a PREDICTION, and to gather
// and read a STATE, of a few scenes, dearest of what their numbers can be. Prints them, and holds the largest
// to the bounds of firmware/README.md.
#include <cstring>
#include <initializer_list>

#include "../tell.hpp"
#include "firmware/messenger.hpp"

namespace {

using namespace tactus;

struct Scene {
  const char* name;
  int moving, joints, contacts;
  bool ahead;
};

constexpr Scene kBox = {"one box", 1, 0, 4, false}, kArm = {"arm, horizon", 0, 7, 4, true},
                kMost = {"all there can be", 3, 7, 4, true};

// The bits of a float: as they come; without a byte of zero; all zero; 1; every other byte zero, which breaks
// the frame into the shortest pieces.
enum class Fill { random, full, zero, one, sieve };
constexpr std::initializer_list<Fill> kFills = {Fill::random, Fill::full, Fill::zero, Fill::one, Fill::sieve};

std::uint32_t random_bits() {
  static std::uint32_t x = 0x7AC7;
  x ^= x << 13;
  x ^= x >> 17;
  return x ^= x << 5;
}

float number(Fill fill) {
  const std::uint32_t random = random_bits();
  const std::uint32_t bits = fill == Fill::random ? random
                             : fill == Fill::full ? random | 0x01010101
                             : fill == Fill::zero ? 0
                             : fill == Fill::one  ? 0x3F800000
                                                  : random & 0x00FF00FF;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <std::size_t N>
void fill(float (&to)[N], pb_size_t& count, int n, Fill with) {
  count = static_cast<pb_size_t>(n);
  for (int i = 0; i < n; ++i) to[i] = number(with);
}

tactus_wire_State state(const Scene& s, Fill with) {
  tactus_wire_State m = tactus_wire_State_init_zero;
  m.tick = 1'000'000;
  fill(m.pose, m.pose_count, 7 * s.moving, with);
  fill(m.velocity, m.velocity_count, 6 * s.moving, with);
  fill(m.force, m.force_count, 6 * s.moving, with);
  fill(m.force_change, m.force_change_count, 6 * s.moving, with);
  fill(m.q, m.q_count, s.joints, with);
  fill(m.qd, m.qd_count, s.joints, with);
  fill(m.drive, m.drive_count, 3 * s.joints, with);
  fill(m.drive_change, m.drive_change_count, 3 * s.joints, with);
  return m;
}

tactus_wire_ContactForecast forecast(Fill with) {
  tactus_wire_ContactForecast c = tactus_wire_ContactForecast_init_zero;
  c.mode = 2, c.next_mode = 1, c.change_step = 19, c.slips = 8, c.changes = 8;
  c.gap = number(with), c.torsion = number(with), c.mu = number(with);
  fill(c.force, c.force_count, 3, with);
  c.friction_off = c.held = true;
  c.event = tactus_wire_Event_SLIPS;
  return c;
}

tactus_wire_Prediction prediction(const Scene& s, Fill with) {
  tactus_wire_Prediction m = tactus_wire_Prediction_init_zero;
  m.tick = m.counts = ~0U;
  m.pivots = m.systems = m.horizon_systems = 5000;
  m.verdict = tactus_wire_Verdict_DEGRADED;
  m.reason = tactus_wire_Reason_OUT_OF_TIME;
  m.steps = 20;
  m.missed_deadline = m.latched = m.members_cut = m.ambiguous = m.impulse = true;
  m.members = m.members_failed = 8;
  m.seen = tactus_wire_Seen_SEEN_UNCERTIFIED;
  m.struck = m.resisted = m.moved = 127;
  m.residual = m.noise = 1e-6F;
  fill(m.pose, m.pose_count, 7 * s.moving, with);
  fill(m.velocity, m.velocity_count, 6 * s.moving, with);
  fill(m.q, m.q_count, s.joints, with);
  fill(m.qd, m.qd_count, s.joints, with);
  const int ahead = s.ahead ? 1 : 0;
  fill(m.last_pose, m.last_pose_count, 7 * s.moving * ahead, with);
  fill(m.last_velocity, m.last_velocity_count, 6 * s.moving * ahead, with);
  fill(m.last_q, m.last_q_count, s.joints * ahead, with);
  fill(m.last_qd, m.last_qd_count, s.joints * ahead, with);
  m.contacts_count = static_cast<pb_size_t>(s.contacts);
  for (int c = 0; c < s.contacts; ++c) m.contacts[c] = forecast(with);
  return m;
}

firmware::Messenger messenger;
wire::Encoder encoder;
wire::Decoder decoder;
tactus_wire_State read_state;

// As Messenger::poll() does, but for the link.
[[gnu::noinline]] bool gather(const wire::Encoder::Encoded& bytes, wire::Decoder::Frame& frame) {
  for (std::size_t at = 0; at < bytes.size;) {
    const std::size_t chunk = bytes.size - at < 256 ? bytes.size - at : 256;
    const wire::Decoder::Taken taken = decoder.take(bytes.bytes + at, chunk, frame);
    if (taken.good) return true;
    at += taken.bytes;
  }
  return false;
}

std::uint32_t reading(const Scene& s, Fill with) {
  const tactus_wire_State m = state(s, with);
  pb_ostream_t stream = pb_ostream_from_buffer(encoder.payload(), wire::kPayloadCapacity);
  TEST_ASSERT_TRUE(pb_encode(&stream, tactus_wire_State_fields, &m));
  const auto bytes = encoder.encode(tactus_wire_Type_STATE, stream.bytes_written);
  wire::Decoder::Frame frame;
  const std::uint32_t start = board::counter();
  const bool gathered = gather(bytes, frame);
  const bool good = gathered && messenger.read(frame, tactus_wire_State_fields, read_state);
  const std::uint32_t cost = board::counts_since(start);
  TEST_ASSERT_TRUE(good);
  TEST_ASSERT_EQUAL_INT(s.joints, read_state.qd_count);
  return cost;
}

std::uint32_t writing(const Scene& s, Fill with) {
  const tactus_wire_Prediction m = prediction(s, with);
  const std::uint32_t start = board::counter();
  messenger.prepare(tactus_wire_Type_PREDICTION, tactus_wire_Prediction_fields, m);
  return board::counts_since(start);
}

std::uint32_t most(std::uint32_t (*cost)(const Scene&, Fill), const Scene& s) {
  std::uint32_t most = 0;
  for (const Fill with : kFills) {
    const std::uint32_t one = cost(s, with);
    most = one > most ? one : most;
  }
  return most;
}

// A tenth above what was seen, in instructions: numbers as they come, and the worst of them.
struct Bounds {
  std::uint32_t reading, most_reading, writing, most_writing;
};

void figures(const Scene& s, const Bounds& bounds) {
  const Bounds seen = {reading(s, Fill::random), most(reading, s), writing(s, Fill::random),
                       most(writing, s)};
  TEST_MESSAGE(s.name);
  tell::figure("  gathered and read, numbers as they come", seen.reading);
  tell::figure("  gathered and read, at most", seen.most_reading);
  tell::figure("  encoded and framed, numbers as they come", seen.writing);
  tell::figure("  encoded and framed, at most", seen.most_writing);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(bounds.reading, seen.reading);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(bounds.most_reading, seen.most_reading);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(bounds.writing, seen.writing);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(bounds.most_writing, seen.most_writing);
}

void what_messages_cost() {
  figures(kBox, {2000, 3500, 3500, 7200});
  figures(kArm, {3000, 6100, 4100, 8800});
  figures(kMost, {6300, 13200, 6700, 17000});
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(what_messages_cost);
  return UNITY_END();
}
