#include "json_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

#include "input_error.hpp"

namespace tactus::host {
namespace {

constexpr std::size_t kShownCharacters = 80;

std::string child(const std::string& path, const std::string& key) {
  const std::string shown = one_line(key, kShownCharacters);
  return path.empty() ? shown : path + "." + shown;
}

std::string child(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

// Builds the document event by event, which is where duplicate keys and nesting can still be seen.
class StrictBuilder : public nlohmann::json::json_sax_t {
 public:
  StrictBuilder(const std::string& text, const std::string& file) : text_(text), file_(file) {}
  nlohmann::json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool v) override { return put(v); }
  bool number_integer(number_integer_t v) override { return put(v); }
  bool number_unsigned(number_unsigned_t v) override { return put(v); }
  bool number_float(number_float_t v, const string_t&) override {
    if (!std::isfinite(v)) fail("the number is not finite");
    return put(v);
  }
  bool string(string_t& v) override { return put(std::move(v)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(nlohmann::json::object()); }
  bool start_array(std::size_t) override { return open(nlohmann::json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& v) override {
    Level& top = levels_.back();
    top.key = v;
    if (top.value->contains(v)) throw InputError(file_, path(), "the key is given twice");
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& e) override {
    if (e.id == 406) fail(fmt::format("the number {} is too large", one_line(token, kShownCharacters)));
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i + 1 < position && i < text_.size(); ++i) {
      ++column;
      if (text_[i] == '\n') ++line, column = 1;
    }
    const bool at_end = position > text_.size();
    fail(at_end ? fmt::format("not valid JSON: the file ends in the middle (line {})", line)
                : fmt::format("not valid JSON at line {}, column {}", line, column));
  }

 private:
  struct Level {
    nlohmann::json* value;
    std::string key;
  };

  [[noreturn]] void fail(const std::string& reason) const {
    const std::string where = path();
    throw InputError(file_, where.empty() ? "(whole file)" : where, reason);
  }
  std::string path() const {
    std::string p;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const Level& level = levels_[i];
      if (level.value->is_array()) {
        const bool last = i + 1 == levels_.size();  // the others hold the value that is being read already
        p = child(p, level.value->size() - (last ? 0 : 1));
      } else if (!level.key.empty()) {
        p = child(p, level.key);
      }
    }
    return p;
  }
  // Returns where the value now lives.
  nlohmann::json* place(nlohmann::json v) {
    if (levels_.empty()) return &(root_ = std::move(v));
    nlohmann::json& parent = *levels_.back().value;
    if (parent.is_array()) {
      parent.push_back(std::move(v));
      return &parent.back();
    }
    return &(parent[levels_.back().key] = std::move(v));
  }
  bool put(nlohmann::json v) {
    place(std::move(v));
    return true;
  }
  bool open(nlohmann::json v) {
    if (levels_.size() >= static_cast<std::size_t>(kMaxNesting)) {
      fail(fmt::format("nested deeper than {} levels", kMaxNesting));
    }
    levels_.push_back({place(std::move(v)), {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  const std::string& text_;
  const std::string& file_;
  nlohmann::json root_;
  std::vector<Level> levels_;
};

}  // namespace

std::string read_file(const std::string& file) {
  std::error_code error;
  const auto kind = std::filesystem::status(file, error).type();
  if (kind == std::filesystem::file_type::not_found) throw InputError(file, "", "no such file");
  if (kind == std::filesystem::file_type::directory)
    throw InputError(file, "", "this is a directory, not a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file, "", "cannot be opened for reading");
  std::string text;
  std::vector<char> chunk(1 << 16);
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), in.gcount() > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMaxFileBytes) {
      throw InputError(file, "", fmt::format("larger than {} MiB", kMaxFileBytes >> 20));
    }
  }
  return text;
}

nlohmann::json parse_json(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(file, "(whole file)", "the file is empty");
  StrictBuilder builder(text, file);
  nlohmann::json::sax_parse(text, &builder);
  return builder.take();
}

void JsonNode::fail(const std::string& reason) const {
  throw InputError(*file_, path_.empty() ? "(whole file)" : path_, reason);
}
void JsonNode::fail_at(const std::string& key, const std::string& reason) const {
  throw InputError(*file_, child(path_, key), reason);
}

const char* JsonNode::type_name() const {
  if (value_->is_object()) return "an object";
  if (value_->is_array()) return "a list";
  if (value_->is_string()) return "a string";
  if (value_->is_boolean()) return "true or false";
  if (value_->is_number()) return "a number";
  return "null";
}

void JsonNode::only(std::initializer_list<const char*> keys) const {
  if (!is_object()) fail(fmt::format("must be an object, not {}", type_name()));
  for (const auto& entry : value_->items()) {
    bool known = false;
    for (const char* key : keys) known = known || entry.key() == key;
    if (!known) fail_at(entry.key(), "unknown key");
  }
}

bool JsonNode::has(const char* key) const {
  return is_object() && value_->contains(key);
}

std::optional<JsonNode> JsonNode::find(const char* key) const {
  if (!is_object()) fail(fmt::format("must be an object, not {}", type_name()));
  const auto it = value_->find(key);
  if (it == value_->end()) return std::nullopt;
  return JsonNode(*it, *file_, child(path_, key));
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
  return JsonNode(value_->at(i), *file_, child(path_, i));
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
