#include "output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "input_error.hpp"

namespace tactus::host {

OutputFile::OutputFile(const std::string& name) : name_(name), file_(std::fopen(name.c_str(), "wb")) {
  if (!file_) throw InputError(name, "", fmt::format("cannot be written ({})", std::strerror(errno)));
}

void OutputFile::close() {
  std::FILE* file = file_.release();
  const bool bad = std::ferror(file) != 0;
  if (std::fclose(file) != 0 || bad)
    throw std::runtime_error(fmt::format("{}: could not be written in full", name_));
}

}  // namespace tactus::host
