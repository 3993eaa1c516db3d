// Scenes of constants: their capacity is what their world needs and no more, and their world is to the bit
// the one that is built by hand.
#include "tests/unit/stepper/scene_lists.hpp"

using namespace scene_lists;

namespace {

// Counted by hand. The floor touches the box at 4 corners, the polygon of 12 at the 8 that are kept, the rod
// at 2 ends; the disc touches the box at one point, of 3 elements; 2 points are given.
constexpr Capacity kPlaneSize = capacity_of(kPlane);
static_assert(kPlaneSize.bodies == 5 && kPlaneSize.contacts == 5 && kPlaneSize.joints == 1);
static_assert(kPlaneSize.slots == 4 + 8 + 2 + 3 + 2 && kPlaneSize.active == 19 && kPlaneSize.points == 2);
static_assert(kPlaneSize.patches == 1 && kPlaneSize.patch_elements == 3 && kPlaneSize.arm_joints == 0);
static_assert(!kPlaneSize.torsion && kPlaneSize.parts == (restitution | varying_friction | material_patches));

// A box has 8 corners for the floor and 8 places for another box; the capsule has 2 ends of 4 elements, the
// ball one point with the floor and one with the capsule, by one law that is written twice.
constexpr Capacity kSpaceSize = capacity_of(kSpace);
static_assert(kSpaceSize.slots == 8 + 8 + 8 + 1 + 1 && kSpaceSize.active == 20);  // the scene says 20
static_assert(kSpaceSize.patches == 2 && kSpaceSize.patch_elements == 4 &&
              kSpaceSize.parts == material_patches);

constexpr Capacity kArmsSize = capacity_of(kArms);
static_assert(kArmsSize.bodies == 4 && kArmsSize.arm_joints == 3 && kArmsSize.slots == 8 + 1 + 1);
static_assert(kArmsSize.servos == 0 && kArmsSize.mimics == 0);
static_assert(capacity_of(kGripper).servos == 3 && capacity_of(kGripper).mimics == 1);
static_assert(capacity_of(kLaws).parts == (round_cone | printed_rules | repeated_steps | energy_balance));

template <Capacity C, int Dim>
void refused(const Scene<Dim>& scene, What want) {
  static World<float, Dim, C> world;
  const Error error = build(world, scene);
  expect(want, error.index, error);
}

template <const auto& scene, int Capacity::*part>
void one_less(What want) {
  constexpr auto kLess = [](Capacity size) {
    --(size.*part);
    return size;
  };
  if constexpr (capacity_of(scene).*part > 0) refused<kLess(capacity_of(scene))>(scene, want);
}

// Without one pair of shapes, or one part.
template <const auto& scene, unsigned bit>
void one_bit_less() {
  constexpr Capacity kSize = capacity_of(scene);
  constexpr auto kLess = [](Capacity size, bool pair) {
    if (pair) size.pairs &= ~(geometry::PairSet{1} << bit);
    if (!pair) size.parts &= static_cast<Parts>(~(std::uint64_t{1} << bit));
    return size;
  };
  if constexpr (kLess(kSize, true).pairs != kSize.pairs)
    refused<kLess(kSize, true)>(scene, What::unsupported_pair);
  if constexpr (kLess(kSize, false).parts != kSize.parts && std::uint64_t{1} << bit != energy_balance)
    refused<kLess(kSize, false)>(scene, What::part);
}

template <const auto& scene, unsigned... bit>
void nothing_less(std::integer_sequence<unsigned, bit...>) {
  refused<capacity_of(scene)>(scene, What::none);
  one_less<scene, &Capacity::bodies>(What::body_capacity);
  one_less<scene, &Capacity::contacts>(What::contact_capacity);
  one_less<scene, &Capacity::slots>(What::slot_capacity);
  one_less<scene, &Capacity::joints>(What::joint_capacity);
  one_less<scene, &Capacity::arm_joints>(What::arm_capacity);
  one_less<scene, &Capacity::servos>(What::servo_capacity);
  one_less<scene, &Capacity::mimics>(What::mimic_capacity);
  one_less<scene, &Capacity::patches>(What::patch_capacity);
  one_less<scene, &Capacity::patch_elements>(What::patch_elements);
  one_less<scene, &Capacity::points>(What::point_capacity);
  (one_bit_less<scene, bit>(), ...);
}

void nothing_less_will_do() {
  using Bits = std::make_integer_sequence<unsigned, 48>;
  nothing_less<kPlane>(Bits{});
  nothing_less<kSpace>(Bits{});
  nothing_less<kArms>(Bits{});
  nothing_less<kLaws>(Bits{});
  nothing_less<kGripper>(Bits{});
  constexpr Capacity kTorsion = capacity_of(kLaws);
  static_assert(kTorsion.torsion);
  constexpr auto kNone = [](Capacity size) { return size.torsion = false, size; };
  refused<kNone(kTorsion)>(kLaws, What::ellipsoid);
  constexpr auto kNoArm = [](Capacity size) { return size.arm_joints = 0, size; };
  refused<kNoArm(kArmsSize)>(kArms, What::arm_capacity);
}

template <int Dim, Capacity C>
World<float, Dim, C> by_scene;
template <int Dim, Capacity C>
World<float, Dim, C> by_hand;

template <class Array>
void same(const Array& a, const Array& b) {
  TEST_ASSERT_EQUAL_MEMORY(a.data(), b.data(), sizeof a);
}

// 100 steps of both, in which the contacts of these bits close.
template <int Dim, Capacity C>
void same_bits(unsigned contacts) {
  static Workspace<float, Dim, C> workspace;
  auto &one = by_scene<Dim, C>, &other = by_hand<Dim, C>;
  unsigned closed = 0, c = 0;
  for (int i = 0; i < 100; ++i) {
    for (auto* world : {&one, &other}) {
      const auto report = step(*world, workspace);
      TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
      c = 0;
      for (const auto& contact : report.contact)
        closed |= (contact.mode == contact::Mode::open ? 0U : 1U) << c++;
    }
    same(one.state.pose, other.state.pose);
    same(one.state.velocity, other.state.velocity);
    if constexpr (C.arm_joints > 0) same(one.state.arm.q, other.state.arm.q);
  }
  TEST_ASSERT_EQUAL_HEX(contacts, closed);
}

// Joints with friction, limits and an impedance move the same where there is room for motors and mimics.
void room_that_nobody_uses_changes_no_bit() {
  constexpr auto kMore = [](Capacity size) { return size.servos = 3, size.mimics = 2, size; };
  constexpr Capacity kRoomy = kMore(kArmsSize);
  auto& one = by_scene<3, kArmsSize>;
  auto& other = by_scene<3, kRoomy>;
  static Workspace<float, 3, kArmsSize> workspace;
  static Workspace<float, 3, kRoomy> roomy;
  expect(What::none, -1, build(one, kArms));
  expect(What::none, -1, build(other, kArms));
  const auto drive = [](auto& arm) {
    arm.stiffness = {3, 0, 40};
    arm.damping = {0.1F, 0, 1};
    arm.position = {0.3F, 0, -0.2F};
  };
  drive(one.state.arm);
  drive(other.state.arm);
  for (int i = 0; i < 300; ++i) {
    const auto report = step(one, workspace);
    TEST_ASSERT_TRUE(report.status == step(other, roomy).status);
    same(one.state.pose, other.state.pose);
    same(one.state.velocity, other.state.velocity);
    same(one.state.arm.q, other.state.arm.q);
    same(one.state.arm.qd, other.state.arm.qd);
  }
}

int added;
template <int Dim, Capacity C>
void add(const BodyDescription<float, Dim>& body) {
  expect(What::none, -1, add_body(by_hand<Dim, C>, body, added));
}
template <int Dim, Capacity C>
void touch(const ContactDescription<float, Dim>& contact) {
  expect(What::none, -1, add_contact(by_hand<Dim, C>, contact, added));
}

void in_the_plane() {
  constexpr Capacity C = kPlaneSize;
  auto& world = by_hand<2, C>;
  expect(What::none, -1, build(by_scene<2, C>, kPlane));
  expect(What::none, -1, configure<float, 2, C>(world, 1e-3F, {0, -9.81F}));
  const dynamics::SpinMatrix<float, 2> I(0.01F);
  add<2, C>({.shape = geometry::half_space(math::Vector2<float>(0.1F, 2), 0.01F)});
  add<2, C>({.mass = 1, .inertia = I, .shape = geometry::box(0.1F, 0.05F), .pose{0, 0.08F, 0.1F}});
  BodyDescription<float, 2> wheel{
      .mass = 1, .inertia = I, .shape = geometry::polygon(12, 0.1F), .pose{1, 0.07F}};
  wheel.velocity.linear[0] = 1;
  wheel.velocity.angular[0] = 3;
  add<2, C>(wheel);
  add<2, C>({.mass = 1, .inertia = I, .shape = geometry::rod(0.4F), .pose{2, -0.05F, 0.05F}});
  BodyDescription<float, 2> disc{.mass = 1, .inertia = I, .shape = geometry::disc(0.05F), .pose{0, 0.185F}};
  disc.force.linear[0] = 0.5F;
  add<2, C>(disc);
  const contact::PatchLaw<float> law{.columns = 3, .spacing = 1e-3F, .compliance = 1e-6F, .poisson = 0.3F};
  const math::Vector<float, 2> feet[]{{-0.1F, -0.15F}, {0.1F, -0.15F}};
  touch<2, C>({.a = 0, .b = 1, .friction{contact::FrictionKind::static_kinetic, 0.3F, 0.4F}});
  touch<2, C>({.a = 2, .b = 0, .friction{.kinetic = 0.3F}, .restitution = 0.5F});
  touch<2, C>({.a = 0, .b = 3, .friction{.kinetic = 0.3F}});
  touch<2, C>({.a = 1, .b = 4, .friction{.kinetic = 0.3F}, .patch = &law});
  touch<2, C>({.a = 0, .b = 4, .points = feet, .point_count = 2});
  expect(What::none, -1,
         add_joint<float, 2, C>(world, dynamics::JointType::revolute, 0, 3, {1.8F, -0.04F}, {0, 0}, added));
  same_bits<2, C>(0b11111);
}

void in_space() {
  constexpr Capacity C = kSpaceSize;
  expect(What::none, -1, build(by_scene<3, C>, kSpace));
  expect(What::none, -1, configure<float, 3, C>(by_hand<3, C>, 1e-3F, {0, 0, -9.81F}));
  dynamics::SpinMatrix<float, 3> I, ball;
  I << 0.01F, 0.001F, 0, 0.001F, 0.02F, -0.001F, 0, -0.001F, 0.025F;
  ball = math::Vector<float, 3>(0.01F, 0.01F, 0.01F).asDiagonal();
  add<3, C>({.shape = geometry::half_space(math::Vector3<float>(0, 0, 1), 0.0F)});
  add<3, C>({.mass = 1,
             .inertia = I,
             .shape = geometry::box(0.1F, 0.2F, 0.05F),
             .pose{{0, 0, 0.05F}},
             .velocity{{0.3F, 0, 0}}});
  add<3, C>({.mass = 1,
             .inertia = ball,
             .shape = geometry::box(0.05F, 0.05F, 0.05F),
             .pose{{0, 0, 0.15F}, 0.8F, 0, 0, 0.6F}});
  add<3, C>({.mass = 1,
             .inertia = ball,
             .shape = geometry::capsule(0.1F, 0.2F),
             .pose{{2, 0, 0.1F}, 0.6F, 0, 0.8F, 0},
             .velocity{{0, 0.1F, 0}, {0, 0, 1}}});
  add<3, C>({.mass = 1, .inertia = ball, .shape = geometry::sphere(0.1F), .pose{{-2, 0, 0.1F}}});
  const contact::PatchLaw<float> soft{
      .columns = 2, .rows = 2, .spacing = 1e-3F, .compliance = 1e-6F, .poisson = 0.3F};
  const contact::PatchLaw<float> lumped{.stiffness = 1e4F, .damping = 10};
  touch<3, C>({.a = 0, .b = 1, .friction{.kinetic = 0.3F}});
  touch<3, C>({.a = 1, .b = 2, .friction{.kinetic = 0.5F}});
  touch<3, C>({.a = 0, .b = 3, .friction{.kinetic = 0.3F}, .patch = &soft});
  touch<3, C>({.a = 0, .b = 4, .friction{.kinetic = 0.3F}, .patch = &lumped});
  touch<3, C>({.a = 3, .b = 4, .friction{.kinetic = 0.3F}, .patch = &lumped});
  same_bits<3, C>(0b1111);  // the capsule is far from the ball
}

void with_arms() {
  constexpr Capacity C = kArmsSize;
  auto& world = by_hand<3, C>;
  expect(What::none, -1, build(by_scene<3, C>, kArms));
  expect(What::none, -1, configure<float, 3, C>(world, 1e-3F, {0, 0, -9.81F}));
  ArmDescription<float, 2> two{.links{}, .base{{0.018F, 0, 0.45F}}, .q{0.1F, 0.2F}};
  ArmDescription<float, 1> one{.links{}, .base{{0.065F, 0, 0.25F}}, .qd{0.02F}, .torque{0.02F}};
  expect(What::none, -1, dynamics::build_arm(kLinks, two.links));
  expect(What::none, -1, add_link(one.links, dynamics::to_link<float>(kLinks[0])));
  expect(What::none, -1, add_arm(world, two, added));
  expect(What::none, -1, add_arm(world, one, added));
  dynamics::SpinMatrix<float, 3> I = math::Vector<float, 3>(1e-3F, 1e-3F, 1e-3F).asDiagonal();
  add<3, C>({.shape = geometry::half_space(math::Vector3<float>(0, 0, 1), 0.0F)});
  add<3, C>({.mass = 0.5F, .inertia = I, .shape = geometry::box(0.05F, 0.05F, 0.05F), .pose{{0, 0, 0.05F}}});
  for (const int link : {1, 2})
    expect(What::none, -1, add_carried(world, link, geometry::sphere(0.01F), {{0, 0, -0.2F}}, added));
  touch<3, C>({.a = 0, .b = 1, .friction{.kinetic = 0.3F}});
  touch<3, C>({.a = 2, .b = 1, .friction{.kinetic = 0.5F}});
  touch<3, C>({.a = 1, .b = 3, .friction{.kinetic = 0.5F}});
  same_bits<3, C>(0b111);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(nothing_less_will_do);
  RUN_TEST(in_the_plane);
  RUN_TEST(in_space);
  RUN_TEST(with_arms);
  RUN_TEST(room_that_nobody_uses_changes_no_bit);
  return UNITY_END();
}
