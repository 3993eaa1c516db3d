#include "json_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

#include "input_error.hpp"

namespace tactus::host {
namespace {

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
    if (at_end) fail(fmt::format("not valid JSON: the file ends in the middle (line {})", line));
    // The library's own words, without what it says of the place.
    const std::string said = e.what();
    const auto tail = said.find(" - ");
    fail(fmt::format(
        "not valid JSON at line {}, column {}{}", line, column,
        tail == std::string::npos ? "" : ": " + one_line(said.substr(tail + 3), 2 * kShownCharacters)));
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
        p = child_path(p, level.value->size() - (last ? 0 : 1));
      } else if (!level.key.empty()) {
        p = child_path(p, level.key);
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

}  // namespace tactus::host
