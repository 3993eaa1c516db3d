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
  // Configured, State to Prediction. An empty answer: the message cannot be read. `steps` and `systems`: what
  // the board has said of its answer, since where it has cut its horizon or a step depends on its time.
  std::string configure(const std::string& message);
  std::string step(const std::string& message, std::uint32_t steps, std::uint32_t systems);

 private:
  struct Engines;
  std::unique_ptr<Engines> engines_;
};

}  // namespace tactus::host::link
