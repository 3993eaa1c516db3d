#include "sampled_scene.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tactus::host {

Sampled run_to(const Scene& scene, double time, bool single) {
  const auto plant = make_plant(scene, single);
  Sampled out;
  out.steps = std::lround(time / scene.step);
  out.time = static_cast<double>(out.steps) * scene.step;
  out.now = plant->initial();
  for (std::size_t i = 0; i < scene.arms.size(); ++i) out.now.arms[i] = {scene.arms[i].q, scene.arms[i].qd};
  for (long k = 0; k < out.steps; ++k) {
    const StepSample& next = plant->step();
    if (next.status == 2)
      throw std::runtime_error(fmt::format("{}: the plant has no answer at {:.6g} s: {}", scene.file,
                                           static_cast<double>(k) * scene.step, next.reason));
    if (k + 1 < out.steps - 1) continue;
    out.before = out.now;
    out.now = next;
  }
  return out;
}

Scene at_sample(Scene scene, const StepSample& sample) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    Body& body = scene.bodies[i];
    body.pose = sample.bodies[i].pose;
    if (body.mass) body.velocity = sample.bodies[i].velocity;
  }
  for (std::size_t i = 0; i < scene.arms.size(); ++i) {
    scene.arms[i].q = sample.arms[i].q;
    scene.arms[i].qd = sample.arms[i].qd;
  }
  for (ContactPair& pair : scene.contacts) {
    pair.patch.reset();
    pair.restitution = 0;
  }
  scene.method = Method::rigid;
  return scene;
}

bool pressed(const ContactPair& pair, const ContactSample& sample, int point) {
  int elements = 1;
  if (pair.patch)
    for (const int n : pair.patch->elements) elements *= n;
  for (int e = point * elements; e < (point + 1) * elements; ++e)
    if (static_cast<std::size_t>(e) < sample.element.size() &&
        sample.element[static_cast<std::size_t>(e)][0] > 0)
      return true;
  return false;
}

}  // namespace tactus::host
