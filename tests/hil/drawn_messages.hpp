// Random messages of a tick, each field by its kind: what is at an edge as often as what is not.
#pragma once

#include <messages.pb.h>
#include <pb_encode.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <random>
#include <type_traits>
#include <vector>

namespace drawn {

using Bytes = std::vector<std::uint8_t>;

inline std::mt19937 random_engine(1);
inline std::uint32_t bits() {
  return static_cast<std::uint32_t>(random_engine());
}
inline std::uint32_t below(std::size_t n) {
  return bits() % static_cast<std::uint32_t>(n);
}

// Numbers at the edges of varints and of what is left out, and any others.
inline std::uint32_t number() {
  constexpr std::uint32_t edges[] = {0, 1, 127, 128, 16383, 16384, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  return below(2) == 0 ? edges[below(std::size(edges))] : bits() >> below(32);
}
// -0, infinities, quiet and signalling NaN with a payload, the least subnormal, the largest, and any bits.
inline float real() {
  constexpr std::uint32_t edges[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001,
                                     0xFFC12345, 0x7F800001, 1,          0x7F7FFFFF};
  return std::bit_cast<float>(below(2) == 0 ? edges[below(std::size(edges))] : bits());
}

inline void draw(std::uint32_t& to) {
  to = number();
}
inline void draw(bool& to) {
  to = below(2) == 0;
}
inline void draw(float& to) {
  to = real();
}
template <class Enum>
requires std::is_enum_v<Enum>
void draw(Enum& to) {
  to = static_cast<Enum>(below(3));
}
inline void draw(tactus_wire_ContactForecast& to);

#define DRAW_SINGULAR(m, name) \
  if (below(4) != 0) draw(m.name);
#define DRAW_REPEATED(m, name)                                                             \
  m.name##_count = static_cast<pb_size_t>(below(3) == 0   ? 0                              \
                                          : below(2) == 0 ? std::size(m.name)              \
                                                          : below(std::size(m.name) + 1)); \
  for (auto& one : m.name) draw(one);
#define DRAW(m, allocation, rule, type, name, number) DRAW_##rule(m, name)

inline void draw(tactus_wire_ContactForecast& to) {
  to = tactus_wire_ContactForecast_init_zero;
  tactus_wire_ContactForecast_FIELDLIST(DRAW, to);
}
template <class Message>
Message message();
template <>
inline tactus_wire_Prediction message() {
  tactus_wire_Prediction m = tactus_wire_Prediction_init_zero;
  tactus_wire_Prediction_FIELDLIST(DRAW, m);
  return m;
}
template <>
inline tactus_wire_State message() {
  tactus_wire_State m = tactus_wire_State_init_zero;
  tactus_wire_State_FIELDLIST(DRAW, m);
  return m;
}

template <class Message>
Bytes by_nanopb(const pb_msgdesc_t* fields, const Message& m) {
  Bytes bytes(2000);
  pb_ostream_t stream = pb_ostream_from_buffer(bytes.data(), bytes.size());
  bytes.resize(pb_encode(&stream, fields, &m) ? stream.bytes_written : 0);
  return bytes;
}

#undef DRAW
#undef DRAW_REPEATED
#undef DRAW_SINGULAR

}  // namespace drawn
