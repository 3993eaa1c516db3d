// A number in decimal digits, without printf.
#pragma once

#include <cstdint>

namespace tactus::firmware {

class Digits {
 public:
  explicit Digits(std::uint32_t value) {
    do {
      *--first_ = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
  }
  Digits(const Digits&) = delete;
  const char* text() const { return first_; }

 private:
  char digits_[11] = {};
  char* first_ = digits_ + sizeof digits_ - 1;
};

}  // namespace tactus::firmware
