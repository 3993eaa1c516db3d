// STATE from its bytes: the message that each tick reads. As in encode.hpp, the list that nanopb's generator
// makes of messages.proto becomes straight code: a switch over the keys.
//
// Says what nanopb says of the same bytes (tests/hil/test_messages.cpp): lists packed or number by number, in
// any order and in parts, fields that are not STATE's passed over; and refuses what nanopb refuses: what is
// cut, a field of another wire type, more numbers than a list holds, a tick beyond 32 bits. It refuses two
// things more that are no protobuf: a key beyond 32 bits, and, in a field that is passed over, a varint of
// more than ten bytes. What it knows are singular numbers and repeated floats; any other field fails to
// compile.
//
// Bytes that repeat a field make it long: may_be_read() of payload.hpp goes before. Cost: 90 instructions a
// field, 5 for two numbers. Memory: the message's. Failure: false, and the message is of no use.
#pragma once

#include <messages.pb.h>

#include <cstddef>
#include <cstdint>

#include "firmware/payload.hpp"

namespace tactus::firmware {

namespace detail {

// Numbers behind those that the list has.
template <class Count, std::size_t kCapacity>
bool take_floats(const std::uint8_t*& at, std::size_t bytes, const std::uint8_t* end,
                 float (&list)[kCapacity], Count& count) {
  if (bytes > static_cast<std::size_t>(end - at) || bytes % 4 != 0 || bytes / 4 > kCapacity - count)
    return false;
  copy_floats(at, bytes / 4, list + count);
  at += bytes;
  count = static_cast<Count>(count + bytes / 4);
  return true;
}

template <class Count, std::size_t kCapacity>
bool take_packed(const std::uint8_t*& at, const std::uint8_t* end, float (&list)[kCapacity], Count& count) {
  std::uint32_t bytes = 0;
  return take_varint(at, end, bytes) && take_floats(at, bytes, end, list, count);
}

#define TACTUS_CLEAR_SINGULAR(name) message.name = 0;
#define TACTUS_CLEAR_REPEATED(name) message.name##_count = 0;
#define TACTUS_CLEAR(message, allocation, rule, type, name, number) TACTUS_CLEAR_##rule(name)
#define TACTUS_SINGULAR_UINT32(name, number)               \
  case number << 3:                                        \
    if (!take_varint(at, end, message.name)) return false; \
    break;
#define TACTUS_REPEATED_FLOAT(name, number)                                         \
  case number << 3 | 2:                                                             \
    if (!take_packed(at, end, message.name, message.name##_count)) return false;    \
    break;                                                                          \
  case number << 3 | 5:                                                             \
    if (!take_floats(at, 4, end, message.name, message.name##_count)) return false; \
    break;
#define TACTUS_TAKE(message, allocation, rule, type, name, number) TACTUS_##rule##_##type(name, number)
#define TACTUS_NUMBER(message, allocation, rule, type, name, number) case number:

// Whether a key that is none of STATE's is another field's: one of its own has another wire type.
constexpr bool is_foreign(std::uint32_t key) {
  switch (key >> 3) {
    tactus_wire_State_FIELDLIST(TACTUS_NUMBER, ) case 0 : return false;
    default:
      return true;
  }
}

}  // namespace detail

inline bool decode(const std::uint8_t* at, std::size_t size, tactus_wire_State& message) {
  using namespace detail;
  tactus_wire_State_FIELDLIST(TACTUS_CLEAR, message);
  for (const std::uint8_t* const end = at + size; at != end;) {
    std::uint32_t key = 0;
    if (!take_varint(at, end, key)) return false;
    switch (key) {
      tactus_wire_State_FIELDLIST(TACTUS_TAKE, message);
      default:
        if (!is_foreign(key) || !pass_over(key & 7, at, end)) return false;
    }
  }
  return true;
}

#undef TACTUS_NUMBER
#undef TACTUS_TAKE
#undef TACTUS_REPEATED_FLOAT
#undef TACTUS_SINGULAR_UINT32
#undef TACTUS_CLEAR
#undef TACTUS_CLEAR_REPEATED
#undef TACTUS_CLEAR_SINGULAR

}  // namespace tactus::firmware
