#include "json_node.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "input_error.hpp"
#include "json_file.hpp"

namespace tactus::host {

std::string child_path(const std::string& path, const std::string& key) {
  const std::string shown = one_line(key, kShownCharacters);
  return path.empty() ? shown : path + "." + shown;
}

std::string child_path(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

void JsonNode::fail(const std::string& reason) const {
  throw InputError(*file_, path_.empty() ? "(whole file)" : path_, reason);
}
void JsonNode::fail_at(const std::string& key, const std::string& reason) const {
  throw InputError(*file_, child_path(path_, key), reason);
}

const char* JsonNode::type_name() const {
  if (value_->is_object()) return "an object";
  if (value_->is_array()) return "a list";
  if (value_->is_string()) return "a string";
  if (value_->is_boolean()) return "true or false";
  if (value_->is_number()) return "a number";
  return "null";
}

void JsonNode::only(const std::vector<const char*>& keys) const {
  if (!is_object()) fail(fmt::format("must be an object, not {}", type_name()));
  for (const auto& entry : value_->items()) {
    bool known = false;
    for (const char* key : keys) known = known || entry.key() == key;
    if (!known) fail_at(entry.key(), fmt::format("unknown key (known here: {})", fmt::join(keys, ", ")));
  }
}

bool JsonNode::has(const char* key) const {
  return is_object() && value_->contains(key);
}

std::optional<JsonNode> JsonNode::find(const char* key) const {
  if (!is_object()) fail(fmt::format("must be an object, not {}", type_name()));
  const auto it = value_->find(key);
  if (it == value_->end()) return std::nullopt;
  return JsonNode(*it, *file_, child_path(path_, key));
}

JsonNode JsonNode::at(const char* key) const {
  const auto node = find(key);
  if (!node) fail_at(key, "this key is missing");
  return *node;
}

std::size_t JsonNode::size() const {
  if (!is_array()) fail(fmt::format("must be a list, not {}", type_name()));
  return value_->size();
}

JsonNode JsonNode::item(std::size_t i) const {
  return JsonNode(value_->at(i), *file_, child_path(path_, i));
}

std::vector<JsonNode> JsonNode::items() const {
  std::vector<JsonNode> out;
  for (std::size_t i = 0, n = size(); i < n; ++i) out.push_back(item(i));
  return out;
}

void JsonNode::length(std::size_t n, const char* what) const {
  if (size() != n) fail(fmt::format("must have {} values ({}), not {}", n, what, size()));
}

double JsonNode::number() const {
  if (!value_->is_number()) fail(fmt::format("must be a number, not {}", type_name()));
  const double v = value_->get<double>();
  if (!std::isfinite(v)) fail("must be a finite number");
  return v;
}

double JsonNode::positive() const {
  const double v = number();
  if (!(v > 0)) fail(fmt::format("must be positive, not {}", v));
  return v;
}

double JsonNode::not_negative() const {
  const double v = number();
  if (!(v >= 0)) fail(fmt::format("must not be negative, but is {}", v));
  return v;
}

double JsonNode::within(double low, double high) const {
  const double v = number();
  if (!(v >= low && v <= high)) fail(fmt::format("must be from {} to {}, not {}", low, high, v));
  return v;
}

int JsonNode::integer(int low, int high) const {
  if (!value_->is_number_integer()) {
    fail(fmt::format("must be a whole number, not {}", value_->is_number() ? "a fraction" : type_name()));
  }
  const bool huge =
      value_->is_number_unsigned() &&
      value_->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::int64_t v = huge ? std::numeric_limits<std::int64_t>::max() : value_->get<std::int64_t>();
  if (v < low || v > high) fail(fmt::format("must be from {} to {}, not {}", low, high, value_->dump()));
  return static_cast<int>(v);
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) fail(fmt::format("must be true or false, not {}", type_name()));
  return value_->get<bool>();
}

std::string JsonNode::string() const {
  if (!value_->is_string()) fail(fmt::format("must be a string, not {}", type_name()));
  return value_->get<std::string>();
}

std::string JsonNode::name() const {
  const std::string v = string();
  if (v.empty()) fail("must not be empty");
  for (const char c : v) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ',' || c == '"' || byte < 0x20 || byte == 0x7f) {
      fail("must not contain a comma, a quote or a control character (it heads CSV columns)");
    }
  }
  return v;
}

std::vector<double> JsonNode::numbers(std::size_t n, const char* what) const {
  length(n, what);
  std::vector<double> out;
  out.reserve(n);
  for (std::size_t i = 0; i < n; ++i) out.push_back(item(i).number());
  return out;
}

}  // namespace tactus::host
