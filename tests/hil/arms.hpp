// Scenes with arms for the tests with a board, and the states that go with them.
#pragma once

#include "tests/hil/space.hpp"

namespace tactus::hil {

inline constexpr float kMass = 2.0F, kWeight = kMass * kGravity;

// A link that slides along `axis`.
inline wire::Link& add_slide(wire::Configure& scene, std::uint32_t parent, std::initializer_list<float> at,
                             std::initializer_list<float> axis) {
  wire::Link* link = scene.add_links();
  link->set_parent(parent);
  link->set_kind(wire::LINK_PRISMATIC);
  for (const float x : at) link->add_at(x);
  for (const float x : {1.0F, 0.0F, 0.0F, 0.0F}) link->add_at(x);
  for (const float x : axis) link->add_axis(x);
  link->set_mass(kMass);
  return *link;
}

// A slide that goes up and down, 1 m above the ground.
inline wire::Configure slide() {
  wire::Configure scene = empty_scene();
  add_slide(scene, 0, {0, 0, 1}, {0, 0, 1});
  return scene;
}

inline wire::State state_of(const wire::Configure& scene, std::uint32_t tick) {
  wire::State state;
  state.set_tick(tick);
  for (const auto& link : scene.links()) {
    state.add_q(link.q());
    state.add_qd(link.qd());
  }
  return state;
}

inline void drive(wire::State& state, std::initializer_list<float> drive,
                  std::initializer_list<float> change = {}) {
  state.clear_drive();
  state.clear_drive_change();
  for (const float x : drive) state.add_drive(x);
  for (const float x : change) state.add_drive_change(x);
}

inline void expect_certified(const wire::Prediction& answer) {
  TEST_ASSERT_EQUAL_STRING_MESSAGE("CERTIFIED", wire::Verdict_Name(answer.verdict()).c_str(),
                                   answer.ShortDebugString().c_str());
}

}  // namespace tactus::hil
