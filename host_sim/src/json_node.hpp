// Walking a parsed JSON file strictly: every complaint names the key at which it happened.
#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tactus::host {

// "bodies" and "mass" to "bodies.mass", "bodies" and 1 to "bodies[1]"; a long or unprintable key is made fit
// to be shown.
std::string child_path(const std::string& path, const std::string& key);
std::string child_path(const std::string& path, std::size_t index);

// A value inside a parsed file together with its path ("bodies[1].mass"), so that every complaint can name
// it. Refers to the json and the file name it was made from; both must outlive it.
class JsonNode {
 public:
  JsonNode(const nlohmann::json& value, const std::string& file, std::string path = {})
      : value_(&value), file_(&file), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& reason) const;
  [[noreturn]] void fail_at(const std::string& key, const std::string& reason) const;

  bool is_object() const { return value_->is_object(); }
  bool is_array() const { return value_->is_array(); }
  bool is_number() const { return value_->is_number(); }
  bool is_null() const { return value_->is_null(); }
  const std::string& path() const { return path_; }

  // Objects. only() refuses every key that is not listed.
  void only(const std::vector<const char*>& keys) const;
  bool has(const char* key) const;
  JsonNode at(const char* key) const;
  std::optional<JsonNode> find(const char* key) const;

  // Lists.
  std::size_t size() const;
  JsonNode item(std::size_t i) const;
  std::vector<JsonNode> items() const;
  void length(std::size_t n, const char* what) const;

  // Values; every number is finite.
  double number() const;
  double positive() const;
  double not_negative() const;
  double within(double low, double high) const;
  int integer(int low, int high) const;
  bool boolean() const;
  std::string string() const;
  // A name that may head a CSV column: not empty, no comma, quote or control character.
  std::string name() const;
  std::vector<double> numbers(std::size_t n, const char* what) const;

  template <std::size_t N>
  std::array<double, N> vector(const char* what) const {
    const std::vector<double> v = numbers(N, what);
    std::array<double, N> a{};
    for (std::size_t i = 0; i < N; ++i) a[i] = v[i];
    return a;
  }

 private:
  const char* type_name() const;
  const nlohmann::json* value_;
  const std::string* file_;
  std::string path_;
};

}  // namespace tactus::host
