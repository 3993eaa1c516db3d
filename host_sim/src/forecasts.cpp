#include "forecasts.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::host {

std::pair<double, double> apart(const Scene& scene, const std::vector<double>& poses,
                                const StepSample& actual) {
  std::pair<double, double> worst{0, 0};
  const double* p = poses.data();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.moving(i)) continue;
    const auto& pose = actual.bodies[i].pose;
    double distance = 0, angle = 0;
    for (std::size_t k = 0; k < (scene.plane ? 2U : 3U); ++k) distance = std::hypot(distance, p[k] - pose[k]);
    if (scene.plane) {
      angle = std::fabs(p[2] - pose[2]);
    } else {
      // |sin(angle / 2)| from the part of one quaternion at right angles to the other: acos would lose small
      // angles.
      double with = 0, across = 0;
      for (std::size_t k = 3; k < 7; ++k) with += p[k] * pose[k];
      for (std::size_t k = 3; k < 7; ++k) across = std::hypot(across, p[k] - with * pose[k]);
      angle = 2 * std::asin(std::min(1.0, across));
    }
    worst = {std::max(worst.first, distance), std::max(worst.second, angle)};
    p += scene.plane ? 3 : 7;
  }
  return worst;
}

}  // namespace tactus::host
