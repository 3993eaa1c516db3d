// One number over many, to compare the bits of results between machines: FNV-1a over the bytes.
#pragma once

#include <cstdint>
#include <cstring>

class Checksum {
 public:
  template <class Value>
  void add(const Value& value) {
    unsigned char bytes[sizeof(Value)];
    std::memcpy(bytes, &value, sizeof(Value));
    for (const unsigned char byte : bytes) sum_ = (sum_ ^ byte) * 16777619U;
  }
  std::uint32_t value() const { return sum_; }

 private:
  std::uint32_t sum_ = 2166136261U;
};
