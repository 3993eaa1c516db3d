// Every way to build a world wrongly has its own error, and leaves the world as it was.
#include <cmath>

#include "tactus/sentence.hpp"
#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr Capacity kSmall{.bodies = 4,
                          .contacts = 2,
                          .slots = 10,
                          .active = 4,
                          .joints = 1,
                          .patches = 1,
                          .patch_elements = 2,
                          .points = 3};
using Small = World<double, 3, kSmall>;
using V = math::Vector<double, 3>;
const double kNan = std::nan(""), kInf = HUGE_VAL;

Small world;

BodyDescription<double, 3> ball() {
  BodyDescription<double, 3> b;
  b.mass = 1;
  b.inertia = V(0.01, 0.01, 0.01).asDiagonal();
  b.shape = geometry::sphere<double>(0.1);
  return b;
}

BodyDescription<double, 3> floor_body() {
  BodyDescription<double, 3> b;
  b.shape = geometry::half_space<double>(V(0, 0, 1), 0.0);
  return b;
}

void expect(What want, const Error& have) {
  TEST_ASSERT_EQUAL_STRING_MESSAGE(sentence(want), sentence(have.what), Sentence(have).text());
}

template <class Change>
void body_fails(What want, Change change) {
  auto b = ball();
  change(b);
  int index = -7;
  const int before = world.model.bodies;
  expect(want, add_body(world, b, index));
  TEST_ASSERT_EQUAL_INT(-7, index);
  TEST_ASSERT_EQUAL_INT(before, world.model.bodies);
}

template <class Change>
void contact_fails(What want, Change change) {
  ContactDescription<double, 3> c;
  c.a = 0;
  c.b = 1;
  change(c);
  int index = -7;
  const int contacts = world.model.contacts, slots = world.model.slots, patches = world.model.patches;
  expect(want, add_contact(world, c, index));
  TEST_ASSERT_EQUAL_INT(-7, index);
  TEST_ASSERT_EQUAL_INT(contacts, world.model.contacts);
  TEST_ASSERT_EQUAL_INT(slots, world.model.slots);
  TEST_ASSERT_EQUAL_INT(patches, world.model.patches);
}

void configuration() {
  for (const double h : {0.0, -1e-3, kNan, kInf}) expect(What::step, configure(world, h, V(0, 0, -9.81)));
  expect(What::gravity, configure(world, 1e-3, V(0, kNan, 0)));
  Method method;
  method.facets = 6;
  expect(What::facets, configure(world, 1e-3, V(0, 0, 0), method));
  contact::PatchLaw<double> law;
  law.stiffness = 1;
  int index = 0;
  expect(What::none, add_body(world, floor_body(), index));
  expect(What::none, add_body(world, ball(), index));
  contact_fails(What::step, [&](auto& c) { c.patch = &law; });  // h is not set yet
  expect(What::none, configure(world, 1e-3, V(0, 0, -9.81)));
}

void bodies() {
  for (const double m : {-1.0, kNan, kInf}) body_fails(What::mass, [&](auto& b) { b.mass = m; });
  body_fails(What::inertia, [](auto& b) { b.inertia.setZero(); });
  body_fails(What::inertia, [](auto& b) { b.inertia(0, 1) = 0.001; });                // not symmetric
  body_fails(What::inertia, [](auto& b) { b.inertia(0, 1) = b.inertia(1, 0) = 1; });  // not definite
  body_fails(What::inertia, [](auto& b) { b.inertia(2, 2) = kInf; });
  body_fails(What::pose, [](auto& b) { b.pose.position[1] = kNan; });
  body_fails(What::pose, [](auto& b) { b.pose.w = 0.9; });
  body_fails(What::pose, [](auto& b) { b.pose.w = 0; });
  body_fails(What::velocity, [](auto& b) { b.velocity.angular[2] = kInf; });
  body_fails(What::velocity, [](auto& b) { b.mass = 0, b.velocity.linear[0] = 1; });
  body_fails(What::force, [](auto& b) { b.force.linear[0] = kNan; });
  body_fails(What::shape_size, [](auto& b) { b.shape = geometry::sphere<double>(0); });
  body_fails(What::shape_normal, [](auto& b) { b.shape = geometry::half_space<double>(V(0, 0, 0), 0.0); });
  body_fails(What::moving_half_space, [](auto& b) { b.shape = floor_body().shape; });
}

void contacts() {
  contact_fails(What::unknown_body, [](auto& c) { c.b = 9; });
  contact_fails(What::unknown_body, [](auto& c) { c.a = -1; });
  contact_fails(What::same_body, [](auto& c) { c.a = 1; });
  contact_fails(What::friction, [](auto& c) { c.friction.kinetic = -1; });
  contact_fails(What::friction, [](auto& c) { c.friction.kinetic = kNan; });
  for (const double e : {-0.1, 1.1, kNan})
    contact_fails(What::restitution, [&](auto& c) { c.restitution = e; });
  contact::PatchLaw<double> law;
  law.stiffness = 1;
  contact_fails(What::compliant_restitution, [&](auto& c) { c.patch = &law, c.restitution = 0.5; });
  law.stiffness = 0;
  contact_fails(What::patch_stiffness, [&](auto& c) { c.patch = &law; });
  law.columns = 3;
  contact_fails(What::patch_elements, [&](auto& c) { c.patch = &law; });
  const V points[4] = {{0, 0, 0}, {1, 0, 0}, {0, kNan, 0}, {0, 0, 1}};
  contact_fails(What::point, [&](auto& c) { c.points = points, c.point_count = 3; });
  contact_fails(What::point, [&](auto& c) { c.points = points, c.point_count = 1, c.a = 1, c.b = 0; });
  contact_fails(What::point_capacity, [&](auto& c) { c.points = points, c.point_count = 4; });
  contact_fails(What::points, [&](auto& c) { c.points = points, c.point_count = 0; });
}

void joints() {
  int index = -7;
  using dynamics::JointType;
  expect(What::joint_anchor, add_joint(world, JointType::spherical, 0, 1, V(kNan, 0, 0), V(1, 0, 0), index));
  expect(What::joint_axis, add_joint(world, JointType::revolute, 0, 1, V(0, 0, 0), V(0, 0, 0), index));
  expect(What::joint_axis, add_joint(world, JointType::prismatic, 0, 1, V(0, 0, 0), V(0, kInf, 0), index));
  expect(What::same_body, add_joint(world, JointType::fixed, 1, 1, V(0, 0, 0), V(1, 0, 0), index));
  TEST_ASSERT_EQUAL_INT(-7, index);
  TEST_ASSERT_EQUAL_INT(0, world.model.joints);
  expect(What::none, add_joint(world, JointType::spherical, 0, 1, V(0, 0, 0), V(0, 0, 0), index));
  expect(What::joint_capacity, add_joint(world, JointType::spherical, 0, 1, V(0, 0, 0), V(1, 0, 0), index));
}

// The last test: it fills the world up.
void capacities() {
  int index = 0;
  auto box = ball();
  box.shape = geometry::box<double>(0.1, 0.1, 0.1);
  expect(What::none, add_body(world, box, index));
  BodyDescription<double, 3> post;  // fixed
  post.shape = geometry::sphere<double>(0.2);
  expect(What::none, add_body(world, post, index));
  body_fails(What::body_capacity, [](auto&) {});
  contact_fails(What::both_fixed, [](auto& c) { c.b = 3; });
  contact::PatchLaw<double> two;
  two.columns = 2;
  two.spacing = 1e-3;
  two.compliance = 1e-8;
  two.poisson = 0.3;
  // A box on a half-space remembers 8 corners: with 2 elements each that is more than 10 slots.
  contact_fails(What::slot_capacity, [&](auto& c) { c.b = 2, c.patch = &two; });
  ContactDescription<double, 3> c;
  c.b = 1;
  c.patch = &two;
  expect(What::none, add_contact(world, c, index));
  contact::PatchLaw<double> other = two;
  other.poisson = 0.2;
  contact_fails(What::patch_capacity, [&](auto& d) { d.patch = &other; });
  c.b = 2;
  c.patch = nullptr;
  expect(What::none, add_contact(world, c, index));
  contact_fails(What::contact_capacity, [](auto&) {});
}

constexpr Capacity lean(Parts parts) {
  return {.bodies = 2,
          .slots = 1,
          .active = 1,
          .patches = 1,
          .patch_elements = 1,
          .pairs = geometry::pair(geometry::PlanarKind::half_space, geometry::PlanarKind::ellipse),
          .parts = parts};
}

// A disc and an ellipse on the ground; null: without a contact.
template <Capacity C>
Error build(World<double, 2, C>& lean_world, const Method& method,
            const ContactDescription<double, 2>* contact, bool disc = false) {
  lean_world = {};
  int index = 0;
  const auto error = configure(lean_world, 1e-3, math::Vector<double, 2>(0, -9.81), method);
  if (error != What::none || contact == nullptr) return error;
  TEST_ASSERT_FALSE(
      (add_body(lean_world, {.shape = geometry::half_space(math::Vector2<double>(0, 1), 0.0)}, index)));
  BodyDescription<double, 2> body;
  body.mass = 1;
  body.inertia(0, 0) = 0.01;
  body.shape = disc ? geometry::disc(0.1) : geometry::ellipse(0.1, 0.05);
  body.pose.y = disc ? 0.1 : 0.05;
  body.velocity.linear[0] = 0.3;
  body.velocity.angular[0] = -1;
  TEST_ASSERT_FALSE(add_body(lean_world, body, index));
  return add_contact(lean_world, *contact, index);
}

void missing_parts_are_refused() {
  World<double, 2, lean(0)> bare;
  Method by_box;
  by_box.pyramid = contact::Pyramid::box;
  expect(What::none, build(bare, by_box, nullptr));
  Method method;
  method.normal = NormalRule::song;
  expect(What::part, build(bare, method, nullptr));
  method = {};
  method.fixed_point = 1;
  expect(What::part, build(bare, method, nullptr));

  contact::PatchLaw<double> law;
  law.stiffness = 1e4;
  law.damping = 10;
  ContactDescription<double, 2> c{.b = 1};
  c.friction.kinetic = 0.3;
  expect(What::none, build(bare, {}, &c));
  expect(What::unsupported_pair, build(bare, {}, &c, true));
  c.restitution = 0.5;
  expect(What::part, build(bare, {}, &c));
  c.restitution = 0;
  c.friction.kind = contact::FrictionKind::static_kinetic;
  c.friction.resting = 0.5;
  expect(What::part, build(bare, {}, &c));
  c.friction.kind = contact::FrictionKind::constant;
  c.patch = &law;
  expect(What::none, build(bare, by_box, &c));

  law.columns = 3;
  expect(What::part, build(bare, by_box, &c));
  law.printed = true;
  expect(What::patch_elements, build(bare, by_box, &c));
  law = {};
  const double K[] = {1, 0, 0, 1};
  law.K = K;
  expect(What::part, build(bare, by_box, &c));
  law.K = nullptr;
  law.C = K;
  expect(What::part, build(bare, by_box, &c));
}

// What is left out changes no bit of what is left.
void missing_parts_change_nothing_else() {
  static World<double, 2, lean(0)> bare;
  static World<double, 2, lean(every_part)> whole;
  static Workspace<double, 2, lean(0)> bare_workspace;
  static Workspace<double, 2, lean(every_part)> whole_workspace;
  Method by_box;
  by_box.pyramid = contact::Pyramid::box;
  contact::PatchLaw<double> law;
  law.stiffness = 1e4;
  law.damping = 10;
  ContactDescription<double, 2> c{.b = 1};
  c.friction.kinetic = 0.3;
  c.patch = &law;
  expect(What::none, build(bare, by_box, &c));
  expect(What::none, build(whole, by_box, &c));
  for (int k = 0; k < 300; ++k) {
    TEST_ASSERT_TRUE(step(bare, bare_workspace).status == StepStatus::solved);
    TEST_ASSERT_TRUE(step(whole, whole_workspace).status == StepStatus::solved);
    const auto& p = bare.state.pose[1];
    const auto& q = whole.state.pose[1];
    TEST_ASSERT_TRUE(p.x == q.x && p.y == q.y && p.angle == q.angle);
  }
  TEST_ASSERT_TRUE(bare.state.pose[1].x > 0.01);
}

// What a call says of a capacity: which one it would have been, how many that takes and how many there are.
void capacities_are_told_in_numbers() {
  const auto tells = [](const char* text, const Error& error) {
    TEST_ASSERT_EQUAL_STRING(text, Sentence(error).text());
  };
  static World<double, 2, Capacity{.bodies = 3, .contacts = 1, .slots = 5}> tight;
  tells(
      "The step h must be a positive finite number, and is set before anything compliant is added; it is "
      "-0.001.",
      configure(tight, -1e-3, {0, 0}));
  TEST_ASSERT_FALSE(configure(tight, 1e-3, {0, -9.81}));
  const auto ground = geometry::half_space(math::Vector2<double>(0, 1), 0.0);
  const BodyDescription<double, 2> hexagon{
      .mass = 1, .inertia = dynamics::SpinMatrix<double, 2>(0.1), .shape = geometry::polygon(6, 0.1)};
  int index = 0;
  TEST_ASSERT_FALSE(add_body(tight, {.shape = ground}, index));
  TEST_ASSERT_FALSE(add_body(tight, hexagon, index));
  tells("A radius, semi-axis, half extent or length of a shape must be positive, not -0.25: body 2.",
        add_body(tight, {.shape = geometry::disc(-0.25)}, index));
  TEST_ASSERT_FALSE(
      add_body(tight, {.mass = 1, .inertia = hexagon.inertia, .shape = geometry::disc(0.1)}, index));
  tells("More bodies than this world was compiled for: body 3, 4 needed, 3 there.",
        add_body(tight, hexagon, index));
  // A hexagon keeps a place for each of its six corners.
  tells("More contact elements than this world was compiled for: contact 0, 6 needed, 5 there.",
        add_contact(tight, {.a = 0, .b = 1}, index));
  tells("Contact or joint 0 names body 7, and there are 3.", add_contact(tight, {.a = 7, .b = 1}, index));
  TEST_ASSERT_FALSE(add_contact(tight, {.a = 0, .b = 2}, index));
  tells("More contacts than this world was compiled for: contact 1, 2 needed, 1 there.",
        add_contact(tight, {.a = 0, .b = 1}, index));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(configuration);
  RUN_TEST(bodies);
  RUN_TEST(contacts);
  RUN_TEST(joints);
  RUN_TEST(capacities);
  RUN_TEST(missing_parts_are_refused);
  RUN_TEST(missing_parts_change_nothing_else);
  RUN_TEST(capacities_are_told_in_numbers);
  return UNITY_END();
}
