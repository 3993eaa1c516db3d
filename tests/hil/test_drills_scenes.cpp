// test_drills_scenes IMAGE: every scene that a board cannot take is refused with a reason, and leaves it
// without a scene; the next good one is taken.
#include <unity.h>

#include <limits>

#include "tests/hil/drills.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;
using host::link::Board;

}  // namespace

void setUp() {}
void tearDown() {}

void test_scenes_are_refused_with_a_reason() {
  Board board = Board::boot(options);
  const auto refused = [&board](const char* what, auto change) {
    wire::Configure scene = ellipse_scene(4);
    change(scene);
    const wire::Configured answer = board.configure(scene);
    TEST_ASSERT_FALSE_MESSAGE(answer.accepted(), what);
    TEST_ASSERT_GREATER_THAN_size_t(10, answer.reason().size());
    const wire::Prediction prediction = board.step(Plant().state(1));
    TEST_ASSERT_EQUAL_STRING("NOT_CONFIGURED", wire::Reason_Name(prediction.reason()).c_str());
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  refused("negative mass", [](wire::Configure& s) { s.mutable_bodies(1)->set_mass(-1); });
  refused("mass that is no number", [nan](wire::Configure& s) { s.mutable_bodies(1)->set_mass(nan); });
  refused("no inertia", [](wire::Configure& s) { s.mutable_bodies(1)->clear_inertia(); });
  refused("negative friction", [](wire::Configure& s) { s.mutable_contacts(0)->set_friction(-0.1F); });
  refused("unknown body", [](wire::Configure& s) { s.mutable_contacts(0)->set_b(7); });
  refused("body number beyond a byte", [](wire::Configure& s) { s.mutable_contacts(0)->set_b(256 + 1); });
  refused("contact with itself", [](wire::Configure& s) { s.mutable_contacts(0)->set_b(0); });
  refused("patch too large",
          [](wire::Configure& s) { s.mutable_contacts(0)->mutable_patch()->set_columns(200); });
  refused("patch beyond a byte",
          [](wire::Configure& s) { s.mutable_contacts(0)->mutable_patch()->set_columns(257); });
  refused("no step", [](wire::Configure& s) { s.set_step(0); });
  refused("no horizon", [](wire::Configure& s) { s.set_horizon(0); });
  refused("horizon too long", [](wire::Configure& s) { s.set_horizon(1000); });
  refused("gravity of one component", [](wire::Configure& s) { s.mutable_gravity()->RemoveLast(); });
  refused("a sphere in the plane",
          [](wire::Configure& s) { s.mutable_bodies(1)->mutable_shape()->set_kind(wire::SPHERE); });
  refused("no shape", [](wire::Configure& s) { s.mutable_bodies(1)->clear_shape(); });
  refused("short pose", [](wire::Configure& s) { s.mutable_bodies(1)->mutable_pose()->RemoveLast(); });
  refused("nothing moves", [](wire::Configure& s) { s.mutable_bodies()->RemoveLast(), s.clear_contacts(); });
  refused("more bodies than fit", [](wire::Configure& s) {
    for (int i = 0; i < 4; ++i) *s.add_bodies() = s.bodies(1);
  });
  const auto joint = [](wire::Configure& s) -> wire::Joint& {
    wire::Joint& made = *s.add_joints();
    made.set_kind(wire::JOINT_REVOLUTE);
    made.set_b(1);
    for (int i = 0; i < 2; ++i) made.add_anchor(0);
    return made;
  };
  refused("joint to an unknown body", [&](wire::Configure& s) { joint(s).set_b(3); });
  refused("joint to a body number beyond a byte", [&](wire::Configure& s) { joint(s).set_b(256 + 1); });
  refused("joint of a body with itself", [&](wire::Configure& s) { joint(s).set_a(1); });
  refused("joint of an unknown kind",
          [&](wire::Configure& s) { joint(s).set_kind(static_cast<wire::JointKind>(9)); });
  refused("joint without an anchor", [&](wire::Configure& s) { joint(s).clear_anchor(); });
  refused("joint whose anchor is no number", [&](wire::Configure& s) { joint(s).set_anchor(1, nan); });
  refused("joint with an axis of three components in the plane", [&](wire::Configure& s) {
    wire::Joint& made = joint(s);
    for (int i = 0; i < 3; ++i) made.add_axis(1);
  });
  refused("slide without an axis", [&](wire::Configure& s) { joint(s).set_kind(wire::JOINT_PRISMATIC); });
  refused("more joints than fit", [&](wire::Configure& s) {
    for (int i = 0; i < 4; ++i) joint(s);
  });
  refused("real time over the FIFO", [](wire::Configure& s) { s.set_mode(wire::REAL_TIME); });
  refused("unknown mode", [](wire::Configure& s) { s.set_mode(static_cast<wire::Mode>(9)); });
  configure(board, ellipse_scene(4));
}

int main(int argc, char** argv) {
  if (!has_image(argc, argv)) return 2;
  UNITY_BEGIN();
  RUN_TEST(test_scenes_are_refused_with_a_reason);
  return UNITY_END();
}
