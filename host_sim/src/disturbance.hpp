// What lies between a plant and a board in the real world, made up from one seed: noisy sensors, late, lost
// and damaged frames. The same seed gives the same run, bit for bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <deque>
#include <vector>

#include "numbers.hpp"
#include "plant.hpp"

namespace tactus::host {

struct DisturbanceOptions {
  std::uint64_t seed = 1;
  double noise =
      0;  // standard deviation of every measured number: poses and joints, and their velocities; SI units
  double told = -1;    // what the board is told of that; below 0: what the scene says, or else the noise
  long latency = 0;    // ticks
  double drop = 0;     // share of the frames that get lost on the way, states and predictions alike
  double corrupt = 0;  // share of the frames that arrive with one bit wrong
  bool any() const { return noise > 0 || latency > 0 || drop > 0 || corrupt > 0; }
};

class Disturbance {
 public:
  explicit Disturbance(const DisturbanceOptions& options)
      : options_(options), fates_(options.seed, 1), noise_(options.seed, 2), bits_(options.seed, 3) {}

  enum class Fate { arrives, dropped, corrupted };
  Fate fate() {
    const double x = fates_.uniform();
    return x < options_.drop                      ? Fate::dropped
           : x < options_.drop + options_.corrupt ? Fate::corrupted
                                                  : Fate::arrives;
  }

  // Turns one bit of an encoded frame, but never makes a zero: that would be two frames instead of a bad one.
  void damage(std::vector<std::uint8_t>& frame) {
    for (;;) {
      std::uint8_t& byte = frame[bits_.next() % (frame.size() - 1)];  // not the delimiter
      const auto bit = static_cast<std::uint8_t>(1U << bits_.next() % 8);
      if (byte == bit) continue;
      byte = static_cast<std::uint8_t>(byte ^ bit);
      return;
    }
  }

  // What the sensors say now of the present state.
  StepSample measure(const StepSample& now, bool plane) {
    late_.push_back(now);
    if (late_.size() > static_cast<std::size_t>(options_.latency) + 1) late_.pop_front();
    StepSample seen = late_.front();
    if (options_.noise > 0) {
      for (BodySample& body : seen.bodies) {
        const std::size_t poses = plane ? 3 : 7, motions = plane ? 3 : 6;
        for (std::size_t i = 0; i < poses; ++i) body.pose[i] += options_.noise * noise_.normal();
        for (std::size_t i = 0; i < motions; ++i) body.velocity[i] += options_.noise * noise_.normal();
        if (plane) continue;
        double norm = 0;
        for (std::size_t i = 3; i < 7; ++i) norm += body.pose[i] * body.pose[i];
        for (std::size_t i = 3; i < 7; ++i) body.pose[i] /= std::sqrt(norm);
      }
      for (ArmSample& arm : seen.arms) {
        for (double& q : arm.q) q += options_.noise * noise_.normal();
        for (double& qd : arm.qd) qd += options_.noise * noise_.normal();
      }
    }
    return seen;
  }

 private:
  DisturbanceOptions options_;
  Numbers fates_, noise_, bits_;
  std::deque<StepSample> late_;
};

}  // namespace tactus::host
