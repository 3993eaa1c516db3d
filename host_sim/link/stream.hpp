// A byte stream to a board: two FIFOs, a socket or a serial port, and the emulator's process behind it, if
// any.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "host_sim/link/link.hpp"

namespace tactus::host::link {

class Stream {
 public:
  static std::unique_ptr<Stream> emulator(const BootOptions& options);
  // What a program on an emulated board prints until it ends, without a link.
  static std::string output(const BootOptions& options);
  static std::unique_ptr<Stream> serial(const std::string& device, int baud);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Appends what has come within the timeout, at least one byte; false: nothing came.
  bool read(std::vector<std::uint8_t>& to, std::chrono::nanoseconds timeout);
  // What comes meanwhile is appended to `in`: two ends that only write would wait for each other.
  void write(const std::uint8_t* bytes, std::size_t size, std::chrono::milliseconds timeout,
             std::vector<std::uint8_t>& in);
  bool alive();

 private:
  Stream() = default;
  void make_folder();
  void start(const BootOptions& options, const char* link, const char* serial);
  void connect_fifos();
  void connect_socket(std::chrono::milliseconds timeout);

  std::filesystem::path folder_;  // of FIFOs, socket and the emulator's own words
  int in_ = -1, out_ = -1;
  pid_t emulator_ = -1;
  std::string last_words() const;
};

}  // namespace tactus::host::link
