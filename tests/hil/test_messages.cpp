// The firmware's own encoder of PREDICTION and decoder of STATE, against nanopb's: the same bytes of random
// messages, and the same verdict and message of random payloads, sound and damaged.
#include <pb_decode.h>
#include <unity.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "drawn_messages.hpp"
#include "firmware/decode.hpp"
#include "firmware/encode.hpp"

namespace {

using namespace tactus::firmware;
using drawn::below, drawn::bits, drawn::by_nanopb, drawn::Bytes, drawn::number, drawn::real;

// Bytes equal, and none written behind them.
void compare(const tactus_wire_Prediction& m) {
  const Bytes theirs = by_nanopb(tactus_wire_Prediction_fields, m);
  Bytes ours(tactus_wire_Prediction_size + 1, 0xA5);
  ours.resize(encode(m, ours.data()) + 1);
  TEST_ASSERT_EQUAL_size_t(theirs.size(), ours.size() - 1);
  if (!theirs.empty()) TEST_ASSERT_EQUAL_MEMORY(theirs.data(), ours.data(), theirs.size());
  TEST_ASSERT_EQUAL_HEX8(0xA5, theirs.empty() ? 0xA5 : ours.back());
}

void predictions_are_nanopbs_bytes() {
  for (int i = 0; i < 50'000; ++i) compare(drawn::message<tactus_wire_Prediction>());
}

void the_least_and_the_largest() {
  tactus_wire_Prediction m = tactus_wire_Prediction_init_zero;
  compare(m);
  TEST_ASSERT_EQUAL_size_t(0, by_nanopb(tactus_wire_Prediction_fields, m).size());
  std::memset(&m, 0x01, sizeof m);  // every number of four bytes; then counts as they must be
#define FULL_SINGULAR(m, name)
#define FULL_REPEATED(m, name) m.name##_count = static_cast<pb_size_t>(std::size(m.name));
#define FULL(m, allocation, rule, type, name, number) FULL_##rule(m, name)
  tactus_wire_Prediction_FIELDLIST(FULL, m);
  for (auto& contact : m.contacts) {
    contact.force_count = 3;
    contact.mode = contact.next_mode = contact.change_step = contact.slips = contact.changes = ~0U;
    contact.event = tactus_wire_Event_SLIPS;
  }
  m.tick = m.counts = m.pivots = m.steps = m.systems = m.horizon_systems = ~0U;
  m.members = m.members_failed = m.struck = m.resisted = m.moved = ~0U;
  m.verdict = tactus_wire_Verdict_LAST_GOOD;
  m.reason = tactus_wire_Reason_IMPACTS;
  m.seen = tactus_wire_Seen_SEEN_UNCERTIFIED;
  compare(m);
  // Keys of one byte up to number 15: five numbers of 6 bytes, two enums and two bools of 2, a float of 5;
  // from 16 on six numbers of 7 bytes, an enum and three bools of 3, a float of 6. Lists of 84 and 72 bytes
  // behind 2, of 28 behind 3; contacts of 65 behind 2.
  constexpr std::size_t kLargest =
      5 * 6 + 4 * 2 + 5 + 6 * 7 + 4 * 3 + 6 + 2 * (86 + 74) + 4 * (3 + 28) + 4 * (2 + 65);
  static_assert(kLargest <= tactus_wire_Prediction_size);  // where lists are told number by number
  TEST_ASSERT_EQUAL_size_t(kLargest, by_nanopb(tactus_wire_Prediction_fields, m).size());
}

void refused(const tactus_wire_Prediction& m) {
  std::uint8_t bytes[tactus_wire_Prediction_size];
  TEST_ASSERT_EQUAL_size_t(0, by_nanopb(tactus_wire_Prediction_fields, m).size());
  TEST_ASSERT_EQUAL_size_t(0, encode(m, bytes));
}

// What no engine makes: nanopb refuses it, and so does this.
void a_count_beyond_its_list_is_refused() {
#define BEYOND_SINGULAR(name)
#define BEYOND_REPEATED(name)                                                  \
  for (const std::size_t more : {std::size(m.name) + 1, std::size_t{65535}}) { \
    m = drawn::message<tactus_wire_Prediction>();                              \
    m.name##_count = static_cast<pb_size_t>(more);                             \
    refused(m);                                                                \
  }
#define BEYOND(m, allocation, rule, type, name, number) BEYOND_##rule(name)
  tactus_wire_Prediction m;
  tactus_wire_Prediction_FIELDLIST(BEYOND, m);
  m = drawn::message<tactus_wire_Prediction>();
  m.contacts_count = 4;
  m.contacts[3].force_count = 4;
  refused(m);
}

// Protobuf that need not be as nanopb writes it.
void put(Bytes& to, std::uint64_t value, unsigned padding = 0) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::uint8_t>(value | 0x80));
  to.push_back(static_cast<std::uint8_t>(value));
  for (; padding > 0; --padding) {
    to.back() |= 0x80;
    to.push_back(0);
  }
}
void put_floats(Bytes& to, std::uint32_t count) {
  for (; count > 0; --count) {
    const float value = real();
    std::uint8_t bytes[4];
    std::memcpy(bytes, &value, 4);
    to.insert(to.end(), bytes, bytes + 4);
  }
}
void put_foreign(Bytes& to) {
  const std::uint32_t type =
      below(12) == 0 ? 3 + below(5) : std::initializer_list<std::uint32_t>{0, 1, 2, 5}.begin()[below(4)];
  put(to, (10 + below(below(4) == 0 ? 500'000'000 : 30)) << 3 | type);
  const std::uint32_t size = below(20);
  if (type == 0) return put(to, std::uint64_t{bits()} << below(33), below(3) == 0 ? below(8) : 0);
  if (type == 2) put(to, size);
  const std::uint32_t bytes = type == 1 ? 8 : type == 5 ? 4 : size;
  for (std::uint32_t i = 0; i < bytes; ++i) to.push_back(static_cast<std::uint8_t>(bits()));
}

// Up to 20 fields, in any order, lists in parts or number by number, now and then one too many or of another
// type.
Bytes payload() {
  Bytes bytes;
  for (std::uint32_t left = below(20); left > 0; --left) {
    const std::uint32_t field = 1 + below(9), count = below(8), padding = below(5) == 0 ? below(6) : 0;
    switch (below(5)) {
      case 0:
        put(bytes, 1 << 3);
        put(bytes, below(9) == 0 ? std::uint64_t{bits()} << 4 : number(), padding);
        break;
      case 1:
        put_foreign(bytes);
        break;
      case 2:
        put(bytes, field << 3 | 5, padding);
        put_floats(bytes, 1);
        break;
      default:
        put(bytes, field << 3 | 2, padding);
        put(bytes, 4 * count + (below(40) == 0 ? below(4) : 0), padding);
        put_floats(bytes, count);
    }
  }
  return bytes;
}

bool same(const float* a, const float* b, std::size_t count) {
  return std::memcmp(a, b, 4 * count) == 0;
}
#define SAME_SINGULAR(name) a.name == b.name
#define SAME_REPEATED(name) (a.name##_count == b.name##_count && same(a.name, b.name, a.name##_count))
#define SAME(m, allocation, rule, type, name, number) SAME_##rule(name)&&
bool equal(const tactus_wire_State& a, const tactus_wire_State& b) {
  return tactus_wire_State_FIELDLIST(SAME, ) true;
}

// What is refused here alone, and is no protobuf: a varint of more than ten bytes in a field that is passed
// over, and a key whose fifth byte says more than its four bits, where nanopb takes three ones for the sign.
bool has_odd_varint(const Bytes& bytes) {
  int run = 0;
  for (const std::uint8_t byte : bytes) {
    if (run >= 4 && (byte & 0x70) == 0x70) return true;
    run = byte >= 0x80 ? run + 1 : 0;
    if (run == 10) return true;
  }
  return false;
}

struct Tally {
  int read = 0, refused = 0, alone = 0;
};

void compare(const Bytes& bytes, Tally& tally) {
  // Each in a buffer of its own size, so that a sanitizer sees the byte behind; and onto what was there
  // before.
  tactus_wire_State ours = drawn::message<tactus_wire_State>(), theirs = drawn::message<tactus_wire_State>();
  pb_istream_t stream = pb_istream_from_buffer(bytes.data(), bytes.size());
  const bool them = pb_decode(&stream, tactus_wire_State_fields, &theirs);
  const bool us = decode(bytes.data(), bytes.size(), ours);
  ++(us ? tally.read : tally.refused);
  if (us != them) {
    ++tally.alone;
    TEST_ASSERT_TRUE_MESSAGE(them, "taken where nanopb refuses");
    TEST_ASSERT_TRUE_MESSAGE(has_odd_varint(bytes), "refused where nanopb does not");
    TEST_ASSERT_FALSE(may_be_read<tactus_wire_State>(bytes.data(), bytes.size()));
  } else if (us) {
    TEST_ASSERT_TRUE_MESSAGE(equal(ours, theirs), "another message than nanopb's");
  }
}

void states_are_read_as_nanopb_reads_them() {
  Tally tally;
  for (int i = 0; i < 20'000; ++i) {
    const Bytes bytes = by_nanopb(tactus_wire_State_fields, drawn::message<tactus_wire_State>());
    compare(bytes, tally);
    TEST_ASSERT_TRUE(may_be_read<tactus_wire_State>(bytes.data(), bytes.size()));
  }
  TEST_ASSERT_EQUAL_INT(20'000, tally.read);
  for (int i = 0; i < 100'000; ++i) compare(payload(), tally);
  TEST_ASSERT_GREATER_THAN(50'000, tally.read);
  TEST_ASSERT_GREATER_THAN(10'000, tally.refused);
}

void damaged_ones_as_well() {
  Tally tally;
  for (int i = 0; i < 200'000; ++i) {
    Bytes bytes = payload();
    for (std::uint32_t n = 1 + below(3); n > 0 && !bytes.empty(); --n) {
      const auto at = bytes.begin() + below(bytes.size());
      switch (below(4)) {
        case 0:
          bytes.erase(at, bytes.end());
          break;
        case 1:
          *at = static_cast<std::uint8_t>(bits());
          break;
        case 2:
          bytes.insert(at, 1 + below(12), 0x80);
          break;
        default:
          bytes.erase(at);
      }
    }
    compare(bytes, tally);
  }
  TEST_ASSERT_GREATER_THAN(20'000, tally.read);
  TEST_ASSERT_GREATER_THAN(100'000, tally.refused);
  TEST_ASSERT_GREATER_THAN(0, tally.alone);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(predictions_are_nanopbs_bytes);
  RUN_TEST(the_least_and_the_largest);
  RUN_TEST(a_count_beyond_its_list_is_refused);
  RUN_TEST(states_are_read_as_nanopb_reads_them);
  RUN_TEST(damaged_ones_as_well);
  return UNITY_END();
}
