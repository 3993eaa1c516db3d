#include "lcp_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "json_file.hpp"

namespace tactus::host {
namespace {

LcpEntry read_entry(const JsonNode& node) {
  LcpEntry p;
  p.name = node.at("name").string();
  const int n = node.at("n").integer(0, std::numeric_limits<int>::max());
  if (n > kLcpCapacity)
    node.fail_at("n", fmt::format("{} is over this build's capacity of {}", n, kLcpCapacity));
  p.n = n;
  const auto size = static_cast<std::size_t>(n);
  const JsonNode M = node.at("M");
  M.length(size, "the rows of M");
  p.M.reserve(size * size);
  for (const JsonNode& row : M.items()) {
    const auto values = row.numbers(size, "one row of M");
    p.M.insert(p.M.end(), values.begin(), values.end());
  }
  p.q = node.at("q").numbers(size, "q");
  p.blocks.assign(size, 0);
  if (const auto blocks = node.find("blocks")) {
    blocks->length(size, "one block for each unknown");
    for (std::size_t i = 0; i < size; ++i)
      p.blocks[i] = static_cast<std::uint8_t>(blocks->item(i).integer(0, 1));
  }
  return p;
}

}  // namespace

std::vector<LcpEntry> parse_lcp_file(const std::string& text, const std::string& file) {
  const nlohmann::json json = parse_json(text, file);
  const JsonNode root(json, file);
  std::vector<LcpEntry> entries;
  if (root.is_object()) {
    entries.push_back(read_entry(root));
  } else {
    for (const JsonNode& node : root.items()) entries.push_back(read_entry(node));
  }
  return entries;
}

double scaled_residual(const LcpEntry& p, const std::vector<double>& z) {
  const auto n = static_cast<std::size_t>(p.n);
  std::array<double, 2> Z{}, q_size{}, diagonal{};
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(z[i])) return std::numeric_limits<double>::infinity();
    const std::size_t b = p.blocks[i];
    Z[b] = std::max(Z[b], std::fabs(z[i]));
    q_size[b] = std::max(q_size[b], std::fabs(p.q[i]));
    for (std::size_t j = 0; j < n; ++j) {
      if (p.blocks[j] == b) diagonal[b] = std::max(diagonal[b], std::fabs(p.M[i * n + j]));
    }
  }
  for (std::size_t b = 0; b < 2; ++b) {
    Z[b] = std::max({Z[b], q_size[1 - b], diagonal[b] > 0 ? q_size[b] / diagonal[b] : 0.0});
  }
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto w = static_cast<long double>(p.q[i]);
    std::array<double, 2> row{};
    for (std::size_t j = 0; j < n; ++j) {
      w += static_cast<long double>(p.M[i * n + j]) * static_cast<long double>(z[j]);
      row[p.blocks[j]] = std::max(row[p.blocks[j]], std::fabs(p.M[i * n + j]));
    }
    const double S = std::fabs(p.q[i]) + row[0] * Z[0] + row[1] * Z[1];
    const double Zi = Z[p.blocks[i]];
    const double scaled_z = Zi > 0 ? z[i] / Zi : 0.0;
    const double scaled_w = S > 0 ? static_cast<double>(w) / S : 0.0;
    worst = std::max(worst, std::fabs(std::min(scaled_z, scaled_w)));
  }
  return worst;
}

}  // namespace tactus::host
