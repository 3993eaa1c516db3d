#include "scene.hpp"

#include <cmath>

namespace tactus::host {

double Forcing::at(double t, std::size_t i) const {
  if (rows.empty()) return 0;
  if (rows.size() == 1 || t <= rows.front().t) return rows.front().value[i];
  if (t >= rows.back().t) return rows.back().value[i];
  std::size_t k = 1;
  while (rows[k].t < t) ++k;
  const Row& a = rows[k - 1];
  const Row& b = rows[k];
  return a.value[i] + (b.value[i] - a.value[i]) * ((t - a.t) / (b.t - a.t));
}

long Scene::steps() const {
  return std::lround(std::ceil(end / step * (1 - 1e-12) - 1e-9));
}

contact::Pyramid Scene::bound() const {
  const bool box = plane && method == Method::compliant;
  return pyramid.value_or(box ? contact::Pyramid::box : contact::Pyramid::facets);
}

const char* to_string(Method method) {
  switch (method) {
    case Method::rigid:
      return "rigid";
    case Method::compliant:
      return "compliant";
    case Method::implicit:
      return "implicit";
    case Method::cone:
      return "cone";
  }
  return "";
}

std::string joint_name(const Scene& scene, std::size_t joint) {
  for (const Arm& arm : scene.arms) {
    if (joint < arm.q.size()) return arm.name + "/" + arm.robot.joints[joint].joint;
    joint -= arm.q.size();
  }
  return {};
}

}  // namespace tactus::host
