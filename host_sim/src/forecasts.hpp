// What the board says of times to come, held against what then happens; over a slow link it may be said when
// it has happened already.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "plant.hpp"

namespace tactus::host {

class Forecasts {
 public:
  explicit Forecasts(const Scene& scene) : scene_(scene) {}

  // Poses of the moving bodies, one after the other, and joint positions behind them, as predicted for the
  // end of that step of the scene.
  void say(long step, std::vector<double> poses);
  // Steps 1, 2, ... as they end.
  void happen(const StepSample& actual);

  // Since begin_tick(): the worst of all moving bodies, distance of the centres, m, and angle between the
  // poses, rad; NaN where nothing was compared. And what was said of the step that ended last, before it did;
  // empty where nothing was.
  void begin_tick();
  double position() const { return position_; }
  double angle() const { return angle_; }
  const std::vector<double>& poses() const { return poses_; }

 private:
  void compare(const std::vector<double>& poses, const std::vector<BodySample>& actual);

  const Scene& scene_;
  std::deque<std::pair<long, std::vector<double>>> pending_;
  std::deque<std::vector<BodySample>> past_;  // the last one is that of step_
  long step_ = 0;
  double position_ = 0, angle_ = 0;
  std::vector<double> poses_;
};

}  // namespace tactus::host
