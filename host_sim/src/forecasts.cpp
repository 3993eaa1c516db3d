#include "forecasts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::host {
namespace {

constexpr std::size_t kPast = 10000;  // steps for which a late prediction can still be compared

}  // namespace

void Forecasts::begin_tick() {
  position_ = angle_ = std::numeric_limits<double>::quiet_NaN();
  poses_.clear();
}

void Forecasts::say(long step, std::vector<double> poses) {
  if (step > step_) {
    // A board that had time for fewer steps speaks of a nearer end than before.
    const auto behind = std::upper_bound(pending_.begin(), pending_.end(), step,
                                         [](long s, const auto& entry) { return s < entry.first; });
    pending_.emplace(behind, step, std::move(poses));
    return;
  }
  const auto age = static_cast<std::size_t>(step_ - step);
  if (age < past_.size()) compare(poses, past_[past_.size() - 1 - age]);
}

void Forecasts::happen(const StepSample& actual) {
  ++step_;
  past_.push_back(actual.bodies);
  if (past_.size() > kPast) past_.pop_front();
  poses_.clear();
  while (!pending_.empty() && pending_.front().first <= step_) {
    poses_ = std::move(pending_.front().second);
    pending_.pop_front();
    compare(poses_, past_.back());
  }
}

void Forecasts::compare(const std::vector<double>& poses, const std::vector<BodySample>& actual) {
  const double* p = poses.data();
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    if (!scene_.moving(i)) continue;
    const auto& pose = actual[i].pose;
    double distance = 0, angle = 0;
    for (std::size_t k = 0; k < (scene_.plane ? 2U : 3U); ++k)
      distance = std::hypot(distance, p[k] - pose[k]);
    if (scene_.plane) {
      angle = std::fabs(p[2] - pose[2]);
    } else {
      // |sin(angle / 2)| from the part of one quaternion at right angles to the other: acos would lose small
      // angles.
      double with = 0, across = 0;
      for (std::size_t k = 3; k < 7; ++k) with += p[k] * pose[k];
      for (std::size_t k = 3; k < 7; ++k) across = std::hypot(across, p[k] - with * pose[k]);
      angle = 2 * std::asin(std::min(1.0, across));
    }
    position_ = std::fmax(position_, distance);
    angle_ = std::fmax(angle_, angle);
    p += scene_.plane ? 3 : 7;
  }
}

}  // namespace tactus::host
