// Whether a payload may be decoded at all: it is no longer than its message can be, and tells no field more
// often than the message holds it. Protobuf lets a sender repeat what it likes, the last one counts; so a few
// legal bytes could cost a tick. Fields that are not the message's are passed over, as protobuf asks, told
// once each.
//
// Only the outermost fields are counted: STATE, the message of a tick, has no others. Cost: 30 instructions
// a field that is told, and nothing is written. Failure: false, for what is cut within a field as well.
#pragma once

#include <messages.pb.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tactus::firmware {

static_assert(std::endian::native == std::endian::little, "floats are on the wire as they are in memory");

// How often each field may be told, by number; from 32 on none.
using MostTold = std::array<std::uint8_t, 32>;

template <class Message>
struct Payload;

#define TACTUS_SINGULAR(message, name) 1
#define TACTUS_OPTIONAL(message, name) 1
// NOLINTNEXTLINE(bugprone-macro-parentheses): types have none
#define TACTUS_REPEATED(message, name) (sizeof(message{}.name) / sizeof(message{}.name[0]))
#define TACTUS_MOST_TOLD(message, place, rule, type, name, number) \
  most[number] = static_cast<std::uint8_t>(TACTUS_##rule(message, name));
#define TACTUS_PAYLOAD(message)                          \
  template <>                                            \
  struct Payload<message> {                              \
    static constexpr std::size_t kSize = message##_size; \
    static constexpr MostTold kMostTold = [] {           \
      MostTold most{};                                   \
      for (std::uint8_t & times : most) times = 1;       \
      message##_FIELDLIST(TACTUS_MOST_TOLD, message);    \
      return most;                                       \
    }();                                                 \
  };
TACTUS_PAYLOAD(tactus_wire_State)
TACTUS_PAYLOAD(tactus_wire_Configure)
TACTUS_PAYLOAD(tactus_wire_Drill)
#undef TACTUS_PAYLOAD
#undef TACTUS_MOST_TOLD
#undef TACTUS_REPEATED
#undef TACTUS_OPTIONAL
#undef TACTUS_SINGULAR

namespace detail {

// A varint of at most 32 bits; false where it is cut or says more.
inline bool take_varint(const std::uint8_t*& at, const std::uint8_t* end, std::uint32_t& value) {
  if (at != end && *at < 0x80) return value = *at++, true;
  value = 0;
  for (unsigned shift = 0; at != end && shift < 70; shift += 7) {
    const std::uint8_t byte = *at++;
    const std::uint32_t bits = byte & 0x7F;
    if (shift < 32) value |= bits << shift;
    if (shift >= 28 && (shift == 28 ? bits >> 4 : bits) != 0) return false;
    if (byte < 0x80) return true;
  }
  return false;
}

// Whatever it says, to 70 bits.
inline bool pass_varint(const std::uint8_t*& at, const std::uint8_t* end) {
  for (int bytes = 0; at != end && bytes < 10; ++bytes)
    if (*at++ < 0x80) return true;
  return false;
}

// Numbers as they are in memory, which is how they are on the wire; neither end need be aligned there.
inline void copy_floats(const void* from, std::size_t count, void* to) {
  const char* in = static_cast<const char*>(from);
  char* out = static_cast<char*>(to);
#pragma GCC unroll 4
  for (const char* const end = in + 4 * count; in != end; in += 4, out += 4) std::memcpy(out, in, 4);
}

// Passes over a field's value by its wire type; groups are none of proto3's.
inline bool pass_over(std::uint32_t wire_type, const std::uint8_t*& at, const std::uint8_t* end) {
  std::uint32_t size = 0;
  switch (wire_type) {
    case 0:
      return pass_varint(at, end);
    case 1:
      size = 8;
      break;
    case 2:
      if (!take_varint(at, end, size)) return false;
      break;
    case 5:
      size = 4;
      break;
    default:
      return false;
  }
  if (size > static_cast<std::size_t>(end - at)) return false;
  at += size;
  return true;
}

inline bool told_as_often(const std::uint8_t* at, std::size_t size, MostTold left) {
  for (const std::uint8_t* const end = at + size; at != end;) {
    std::uint32_t key = 0;
    if (!take_varint(at, end, key) || key >> 3 >= left.size() || left[key >> 3] == 0) return false;
    --left[key >> 3];
    if (!pass_over(key & 7, at, end)) return false;
  }
  return true;
}

}  // namespace detail

template <class Message>
bool may_be_read(const std::uint8_t* payload, std::size_t size) {
  return size <= Payload<Message>::kSize && detail::told_as_often(payload, size, Payload<Message>::kMostTold);
}

}  // namespace tactus::firmware
