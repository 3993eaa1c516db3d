// Random numbers from a seed, the same on every machine: the standard's distributions differ between
// libraries, these do not.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace tactus::host {

// Numbers of one purpose, so that how many of another are used does not move them.
class Numbers {
 public:
  Numbers(std::uint64_t seed, std::uint32_t purpose) {
    std::seed_seq all{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U), purpose};
    random_.seed(all);
  }
  std::uint64_t next() { return random_(); }
  // From 0 to below 1.
  double uniform() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }
  double normal() {
    const double u = 1 - uniform(), v = uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * 3.14159265358979323846 * v);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace tactus::host
