#include "sampled_scene.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::host {

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

void take_torques(Scene& scene, double time, double slides) {
  for (Arm& arm : scene.arms) {
    Forcing::Row acts{0, {}};
    for (std::size_t j = 0; j < arm.q.size(); ++j) {
      auto& joint = arm.robot.joints[j].data;
      double torque = arm.torque.at(time, j);
      if (arm.impedance)
        torque += arm.impedance->stiffness[j] * (arm.impedance->q.at(time, j) - arm.q[j]) +
                  arm.impedance->damping[j] * (arm.impedance->qd.at(time, j) - arm.qd[j]);
      torque = std::clamp(torque, -joint.effort, joint.effort);
      joint.effort = HUGE_VAL;
      if (std::fabs(arm.qd[j]) > slides) {
        torque -= std::copysign(joint.friction, arm.qd[j]);
        joint.friction = 0;
      }
      acts.value.push_back(torque);
    }
    arm.torque.rows = {acts};
    arm.impedance.reset();
  }
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
