// What the board has said of times to come, kept until they are there, and how far off it was.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "plant.hpp"

namespace tactus::host {

// The worst of all moving bodies: distance of the centres, m, and angle between the poses, rad. `poses` holds
// those of the moving bodies, one after the other.
std::pair<double, double> apart(const Scene& scene, const std::vector<double>& poses,
                                const StepSample& actual);

class Forecasts {
 public:
  void add(long due, std::vector<double> poses) { pending_.push_back({due, std::move(poses)}); }
  // What was said of `now`; empty where nothing was. Older ones are forgotten, `now` must not fall.
  std::vector<double> take(long now) {
    std::vector<double> poses;
    while (!pending_.empty() && pending_.front().due <= now) {
      if (pending_.front().due == now) poses = std::move(pending_.front().poses);
      pending_.pop_front();
    }
    return poses;
  }

 private:
  struct Forecast {
    long due;  // in steps of the scene
    std::vector<double> poses;
  };
  std::deque<Forecast> pending_;
};

}  // namespace tactus::host
