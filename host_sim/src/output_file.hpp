// A file that is written from its beginning to its end.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace tactus::host {

// Throws InputError where the file cannot be opened for writing.
class OutputFile {
 public:
  explicit OutputFile(const std::string& name);
  void write(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), file_.get()); }
  // Throws std::runtime_error where something was not written, as on a full disk. Without it the rest is
  // written, silently.
  void close();

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace tactus::host
