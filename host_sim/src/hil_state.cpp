// A state of the plant in the words of the wire, with what acts on it and how that goes on.
#include <algorithm>

#include "hil_messages.hpp"

namespace tactus::host {
wire::State state_message(const Scene& scene, const StepSample& sample, const Span& span, long tick) {
  const std::size_t pose = scene.plane ? 3 : 7, motion = scene.plane ? 3 : 6;
  wire::State state;
  state.set_tick(static_cast<std::uint32_t>(tick));
  std::vector<double> force_change, drive_change;
  // Over a step of the model acts what the plant applies in its last step there. By then it slips, if it
  // does: with the mean a change would be said half a step late.
  const double last = span.h - span.h / static_cast<double>(span.plant_steps);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.moving(i)) continue;
    add_all(sample.bodies[i].pose, pose, [&](float x) { state.add_pose(x); });
    add_all(sample.bodies[i].velocity, motion, [&](float x) { state.add_velocity(x); });
    for (std::size_t k = 0; k < motion; ++k) {
      const Forcing& force = scene.bodies[i].force;
      const double now = force.at(span.t + last, k);
      state.add_force(narrow(now));
      force_change.push_back(force.at(span.t + span.h + last, k) - now);
    }
  }
  for (std::size_t a = 0; a < scene.arms.size(); ++a) {
    const Arm& arm = scene.arms[a];
    const double end = span.t + span.h;  // an impedance pulls to where it pulls then
    for (std::size_t j = 0; j < arm.q.size(); ++j) {
      state.add_q(narrow(sample.arms[a].q[j]));
      state.add_qd(narrow(sample.arms[a].qd[j]));
      const auto add = [&](double now, double next) {
        state.add_drive(narrow(now));
        drive_change.push_back(next - now);
      };
      add(arm.torque.at(span.t + last, j), arm.torque.at(end + last, j));
      const Impedance none, &impedance = arm.impedance ? *arm.impedance : none;
      add(impedance.q.at(end, j), impedance.q.at(end + span.h, j));
      add(impedance.qd.at(end, j), impedance.qd.at(end + span.h, j));
    }
  }
  const auto any = [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double x) { return x != 0; });
  };
  if (any(force_change))
    add_all(force_change, force_change.size(), [&](float x) { state.add_force_change(x); });
  if (any(drive_change))
    add_all(drive_change, drive_change.size(), [&](float x) { state.add_drive_change(x); });
  return state;
}

}  // namespace tactus::host
