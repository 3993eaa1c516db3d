// A plant on the host and a board that predicts it, tick by tick: in lockstep, or in real time.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "hil_tally.hpp"
#include "host_sim/link/link.hpp"
#include "host_sim/link/mirror.hpp"

namespace tactus::host {

class HilLoop {
 public:
  // Connects, and configures the board with the scene. Throws link::LinkError, and InputError where the board
  // refuses.
  static std::unique_ptr<HilLoop> make(const Scene& scene, const HilOptions& options);
  virtual ~HilLoop() = default;

  // Tick k = 1, 2, ...: the board gets a state, the plant moves on. The state afterwards is in now().
  virtual void tick(long k) = 0;
  // After the last tick: what the board counted.
  virtual void finish();

  double time(long k) const { return static_cast<double>(k * steps_in_tick_) * scene_.step; }
  long ticks() const;  // of the whole scene
  const StepSample& now() const { return now_; }
  const HilTally& tally() const { return tally_; }

  // Columns of the report that only a run with a board has, and their values after a tick; NaN where there is
  // none.
  std::vector<std::string> columns() const;
  const std::vector<double>& values() const { return values_; }

 protected:
  HilLoop(const Scene& scene, const HilOptions& options, wire::Mode mode);

  // The measured state of now(), and what becomes of it on the way; true: it was sent.
  std::optional<wire::State> measure(long k);
  bool send(const wire::State& state);
  void move_plant();
  void count(const wire::Prediction& answer);
  void compare_with_plant(long k);

  const Scene& scene_;
  const HilOptions& options_;
  const Scene fine_;
  std::unique_ptr<Plant> plant_;
  link::Board board_;
  Disturbance disturbance_;
  HilTally tally_;
  StepSample now_;
  long steps_in_tick_ = 1;
  wire::Configure configuration_;

  double cost_ = 0, difference_ = 0;  // of this tick; NaN: none

 private:
  struct Pending {
    long due;  // in steps of the scene
    std::vector<float> pose;
  };
  std::deque<Pending> pending_;
  std::vector<double> values_;
};

}  // namespace tactus::host
