// PREDICTION to its bytes, the very ones of nanopb (tests/hil/test_messages.cpp): the message that each tick
// writes. nanopb looks each field up as it goes, 20,000 instructions and more; here the list that its
// generator makes of messages.proto becomes straight code, field after field, with the keys as constants.
//
// What it knows are singular numbers, enums, bools and floats, left out where all their bits are 0 (so -0 is
// told), repeated floats, packed, and repeated messages of these; any other field fails to compile.
//
// Cost on a Cortex-M: 400 instructions, 3 for each number of a list, 160 a contact. Memory: none but the
// bytes it writes, at most tactus_wire_Prediction_size. Failure: 0 bytes where a count is beyond its list, as
// nanopb refuses it.
#pragma once

#include <messages.pb.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "firmware/payload.hpp"

namespace tactus::firmware {

namespace detail {

inline std::uint8_t* put_varint(std::uint8_t* at, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<std::uint8_t>(value | 0x80);
  *at++ = static_cast<std::uint8_t>(value);
  return at;
}

template <std::uint32_t kNumber, std::uint32_t kWireType>
std::uint8_t* put_key(std::uint8_t* at) {
  constexpr std::uint32_t key = kNumber << 3 | kWireType;
  static_assert(key < 1U << 14, "keys of one byte or two");
  if constexpr (key < 0x80) {
    *at++ = key;
  } else {
    *at++ = static_cast<std::uint8_t>(key | 0x80);
    *at++ = key >> 7;
  }
  return at;
}

template <std::uint32_t kNumber>
std::uint8_t* put_number(std::uint8_t* at, std::uint32_t value) {
  return value == 0 ? at : put_varint(put_key<kNumber, 0>(at), value);
}

template <std::uint32_t kNumber>
std::uint8_t* put_float(std::uint8_t* at, float value) {
  if (std::bit_cast<std::uint32_t>(value) == 0) return at;
  at = put_key<kNumber, 5>(at);
  std::memcpy(at, &value, 4);
  return at + 4;
}

template <std::uint32_t kNumber>
std::uint8_t* put_floats(std::uint8_t* at, const float* from, std::size_t count) {
  if (count == 0) return at;
  at = put_varint(put_key<kNumber, 2>(at), static_cast<std::uint32_t>(4 * count));
  copy_floats(from, count, at);
  return at + 4 * count;
}

inline std::uint8_t* put_fields(std::uint8_t* at, const tactus_wire_ContactForecast& m);

template <std::uint32_t kNumber>
std::uint8_t* put_messages(std::uint8_t* at, const tactus_wire_ContactForecast* from, std::size_t count) {
  static_assert(tactus_wire_ContactForecast_size < 0x80, "its length is one byte");
  for (const auto* const end = from + count; from != end; ++from) {
    std::uint8_t* const length = put_key<kNumber, 2>(at);
    at = put_fields(length + 1, *from);
    if (at == nullptr) return nullptr;
    *length = static_cast<std::uint8_t>(at - length - 1);
  }
  return at;
}

#define TACTUS_SINGULAR_UINT32 put_number
#define TACTUS_SINGULAR_UENUM put_number
#define TACTUS_SINGULAR_BOOL put_number
#define TACTUS_SINGULAR_FLOAT put_float
#define TACTUS_REPEATED_FLOAT put_floats
#define TACTUS_REPEATED_MESSAGE put_messages
// NOLINTBEGIN(bugprone-macro-parentheses): names of templates have none
#define TACTUS_SINGULAR(put, name, number) at = put<number>(at, m.name);
#define TACTUS_REPEATED(put, name, number)                               \
  if (m.name##_count > sizeof m.name / sizeof m.name[0]) return nullptr; \
  if ((at = put<number>(at, m.name, m.name##_count)) == nullptr) return nullptr;
// NOLINTEND(bugprone-macro-parentheses)
#define TACTUS_PUT(m, allocation, rule, type, name, number) \
  TACTUS_##rule(TACTUS_##rule##_##type, name, number)

// nullptr: a count is beyond its list.
inline std::uint8_t* put_fields(std::uint8_t* at, const tactus_wire_ContactForecast& m) {
  tactus_wire_ContactForecast_FIELDLIST(TACTUS_PUT, m);
  return at;
}
inline std::uint8_t* put_fields(std::uint8_t* at, const tactus_wire_Prediction& m) {
  tactus_wire_Prediction_FIELDLIST(TACTUS_PUT, m);
  return at;
}

#undef TACTUS_PUT
#undef TACTUS_REPEATED
#undef TACTUS_SINGULAR
#undef TACTUS_REPEATED_MESSAGE
#undef TACTUS_REPEATED_FLOAT
#undef TACTUS_SINGULAR_FLOAT
#undef TACTUS_SINGULAR_BOOL
#undef TACTUS_SINGULAR_UENUM
#undef TACTUS_SINGULAR_UINT32

}  // namespace detail

inline std::size_t encode(const tactus_wire_Prediction& message, std::uint8_t* to) {
  const std::uint8_t* const end = detail::put_fields(to, message);
  return end == nullptr ? 0 : static_cast<std::size_t>(end - to);
}

}  // namespace tactus::firmware
