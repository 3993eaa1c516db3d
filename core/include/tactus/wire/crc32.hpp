// The CRC of Ethernet and zlib (0x04C11DB7, reflected), four bytes at a time (slicing by four): four tables
// of 1 kB instead of one, in flash, made by the compiler. About 4 instructions a byte, where byte by byte it
// is 7.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::wire::detail {

// [b]: what byte b does to the CRC with `behind` bytes behind it.
using CrcTable = std::array<std::uint32_t, 256>;
constexpr CrcTable crc_table(int behind) {
  CrcTable table{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    table[b] = b;
    for (int bit = 0; bit < 8 * (behind + 1); ++bit)
      table[b] = (table[b] & 1) != 0 ? table[b] >> 1 ^ 0xEDB88320 : table[b] >> 1;
  }
  return table;
}
// One by one, so that each has a register.
inline constexpr CrcTable kCrcTable0 = crc_table(0), kCrcTable1 = crc_table(1), kCrcTable2 = crc_table(2),
                          kCrcTable3 = crc_table(3);

[[gnu::noinline]] inline std::uint32_t crc32(const std::uint8_t* from, std::size_t size) {
  std::uint32_t crc = ~0U;
  for (; size >= 4; size -= 4, from += 4) {
    crc ^= from[0] | static_cast<std::uint32_t>(from[1]) << 8 | static_cast<std::uint32_t>(from[2]) << 16 |
           static_cast<std::uint32_t>(from[3]) << 24;
    crc = kCrcTable3[crc & 0xFF] ^ kCrcTable2[crc >> 8 & 0xFF] ^ kCrcTable1[crc >> 16 & 0xFF] ^
          kCrcTable0[crc >> 24];
  }
  for (; size > 0; --size) crc = crc >> 8 ^ kCrcTable0[(crc ^ *from++) & 0xFF];
  return ~crc;
}

}  // namespace tactus::wire::detail
