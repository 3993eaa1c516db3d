// What a board ought to answer: the firmware's own engine, compiled for the host. In lockstep the two are
// equal bit for bit but for the cost, which only a board can count.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace tactus::host::link {

class Mirror {
 public:
  Mirror();
  ~Mirror();
  // Messages in their encoded form, so that this header needs neither side's classes: Configure to
  // Configured, State to Prediction. An empty answer: the message cannot be read. `answer`: the
  // board's, since where it has cut its horizon, a step or its doubt depends on its time; empty: unknown.
  std::string configure(const std::string& message);
  std::string step(const std::string& message, const std::string& answer);
  // State to Instant, with the board's `answer` as above; see Engine::instant().
  std::string instant(const std::string& message, bool follows, const std::string& answer);

 private:
  struct Engines;
  std::unique_ptr<Engines> engines_;
};

}  // namespace tactus::host::link
