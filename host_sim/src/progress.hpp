// A progress bar on stderr: on a terminal only, so that a pipe or a file never sees it.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace tactus::host {

class Progress {
 public:
  Progress(std::string what, long total)
      : what_(std::move(what)), total_(total), shown_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(long done) {
    if (!shown_ || (done & 63) != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(80)) return;
    last_ = now;
    draw(done, now);
  }
  void finish() {
    if (!shown_) return;
    std::fputs("\r\033[K", stderr);
    shown_ = false;
  }

 private:
  void draw(long done, std::chrono::steady_clock::time_point now) {
    constexpr int kWidth = 30;
    const double share = total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 1;
    const double spent = std::chrono::duration<double>(now - start_).count();
    const double left = share > 0 ? spent / share - spent : 0;
    std::string bar;
    for (int i = 0; i < kWidth; ++i) bar += i < share * kWidth ? "█" : "░";
    fmt::print(stderr, "\r\033[K{} {} {:3.0f} %  {} of {}, {:.0f} s left", what_, bar, share * 100, done,
               total_, left);
    std::fflush(stderr);
  }

  std::string what_;
  long total_;
  bool shown_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
};

}  // namespace tactus::host
