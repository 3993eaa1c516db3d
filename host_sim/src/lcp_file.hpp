// The problem files of `tactus lcp`, and the residual by which an answer is judged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::host {

inline constexpr int kLcpCapacity = 180;

struct LcpEntry {
  std::string name;
  int n = 0;
  std::vector<double> M;             // row major, n * n
  std::vector<double> q;             // n
  std::vector<std::uint8_t> blocks;  // n values 0 or 1; all 0 where the file gives none
};

// Throws InputError; nothing is returned of a file of which one entry is wrong.
std::vector<LcpEntry> parse_lcp_file(const std::string& text, const std::string& file);

// Scaled natural residual max_i |min(z_i / Z_b(i), w_i / S_i)| with w = M z + q summed in long double,
//   S_i = |q_i| + sum_b Z_b max_{j in b} |M_ij|,
//   Z_b = max( max_{j in b} |z_j|, max_{j in 1-b} |q_j|, max_{i in b} |q_i| / max_{i, j in b} |M_ij| ).
// Free of units. Z_b, the size of the unknowns of unit b, is not less than what it takes to cancel q, so that
// the rounding noise of an answer that is zero is not judged against itself. Infinite where z is not finite.
double scaled_residual(const LcpEntry& problem, const std::vector<double>& z);

}  // namespace tactus::host
