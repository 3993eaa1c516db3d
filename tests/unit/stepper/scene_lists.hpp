// Scenes of constants for test_scene*.cpp: of the plane, of space, of arms, and of laws that need parts.
#pragma once

#include "tactus/tactus.hpp"
#include "unity.h"

namespace scene_lists {

using namespace tactus;
using namespace tactus::stepper;
using Plane = geometry::PlanarKind;
using Space = geometry::SpatialKind;

inline constexpr contact::PatchLaw<double> kRow{
    .columns = 3, .spacing = 1e-3, .compliance = 1e-6, .poisson = 0.3};
inline constexpr std::array<double, 2> kFeet[]{{-0.1, -0.15}, {0.1, -0.15}};

inline constexpr SceneBody<2> kPlaneBodies[]{
    {.shape{Plane::half_space, {0.1, 2}, 0.01}},
    {.mass = 1, .inertia{0.01}, .shape{Plane::box, {0.1, 0.05}}, .pose{0, 0.08, 0.1}},
    {.mass = 1,
     .inertia{0.01},
     .shape{.kind = Plane::polygon, .size{0.1}, .sides = 12},
     .pose{1, 0.07},
     .velocity{{1, 0}, {3}}},
    {.mass = 1, .inertia{0.01}, .shape{Plane::rod, {0.4}}, .pose{2, -0.05, 0.05}},
    {.mass = 1, .inertia{0.01}, .shape{Plane::disc, {0.05}}, .pose{0, 0.185}, .force{{0.5, 0}}}};
inline constexpr SceneContact<2> kPlaneContacts[]{
    {.a = 0, .b = 1, .friction{contact::FrictionKind::static_kinetic, 0.3, 0.4}},
    {.a = 2, .b = 0, .friction{.kinetic = 0.3}, .restitution = 0.5},
    {.a = 0, .b = 3, .friction{.kinetic = 0.3}},
    {.a = 1, .b = 4, .friction{.kinetic = 0.3}, .patch = kRow},
    {.a = 0, .b = 4, .points = kFeet}};
inline constexpr SceneJoint<2> kPlaneJoints[]{
    {.type = dynamics::JointType::revolute, .a = 0, .b = 3, .at{1.8, -0.04}}};
inline constexpr Scene<2> kPlane{.step = 1e-3,
                                 .gravity{0, -9.81},
                                 .bodies = kPlaneBodies,
                                 .contacts = kPlaneContacts,
                                 .joints = kPlaneJoints};

inline constexpr contact::PatchLaw<double> kSoft{
    .columns = 2, .rows = 2, .spacing = 1e-3, .compliance = 1e-6, .poisson = 0.3};
inline constexpr contact::PatchLaw<double> kLumped{.stiffness = 1e4, .damping = 10}, kSame = kLumped;

inline constexpr SceneBody<3> kSpaceBodies[]{
    {.shape{Space::half_space, {0, 0, 1}}},
    {.mass = 1,
     .inertia{0.01, 0.02, 0.025, 0.001, 0, -0.001},
     .shape{Space::box, {0.1, 0.2, 0.05}},
     .pose{{0, 0, 0.05}},
     .velocity{{0.3, 0, 0}}},
    {.mass = 1,
     .inertia{0.01, 0.01, 0.01},
     .shape{Space::box, {0.05, 0.05, 0.05}},
     .pose{{0, 0, 0.15}, 0.8, 0, 0, 0.6}},
    {.mass = 1,
     .inertia{0.01, 0.01, 0.01},
     .shape{Space::capsule, {0.1, 0.2}},
     .pose{{2, 0, 0.1}, 0.6, 0, 0.8, 0},
     .velocity{{0, 0.1, 0}, {0, 0, 1}}},
    {.mass = 1, .inertia{0.01, 0.01, 0.01}, .shape{Space::sphere, {0.1}}, .pose{{-2, 0, 0.1}}}};
inline constexpr SceneContact<3> kSpaceContacts[]{
    {.a = 0, .b = 1, .friction{.kinetic = 0.3}},
    {.a = 1, .b = 2, .friction{.kinetic = 0.5}},
    {.a = 0, .b = 3, .friction{.kinetic = 0.3}, .patch = kSoft},
    {.a = 0, .b = 4, .friction{.kinetic = 0.3}, .patch = kLumped},
    {.a = 3, .b = 4, .friction{.kinetic = 0.3}, .patch = kSame}};
inline constexpr Scene<3> kSpace{
    .step = 1e-3, .gravity{0, 0, -9.81}, .bodies = kSpaceBodies, .contacts = kSpaceContacts, .active = 20};

// Two fingers that hang above a table, of 2 joints and of 1, and a box between their tips: the first swings
// against it and pushes it against the other.
inline constexpr dynamics::LinkData kLinks[]{
    {.axis{0, 1, 0}, .mass = 0.1, .centre{0, 0, -0.1}, .inertia{1e-4, 1e-4, 1e-5}, .friction = 0.01},
    {.parent = 0,
     .position{0, 0, -0.2},
     .axis{0, 1, 0},
     .mass = 0.1,
     .centre{0, 0, -0.1},
     .inertia{1e-4, 1e-4, 1e-5},
     .lower = -1,
     .upper = 1}};
inline constexpr double kStart[]{0.1, 0.2}, kTorque[]{0.02};
inline constexpr SceneArm kFingers[]{
    {.links = kLinks, .base{{0.018, 0, 0.45}}, .q = kStart},
    {.links{kLinks, 1}, .base{{0.065, 0, 0.25}}, .qd = kTorque, .torque = kTorque}};
inline constexpr SceneBody<3> kArmBodies[]{
    {.shape{Space::half_space, {0, 0, 1}}},
    {.mass = 0.5, .inertia{1e-3, 1e-3, 1e-3}, .shape{Space::box, {0.05, 0.05, 0.05}}, .pose{{0, 0, 0.05}}},
    {.shape{Space::sphere, {0.01}}, .pose{{0, 0, -0.2}}, .link = 1},
    {.shape{Space::sphere, {0.01}}, .pose{{0, 0, -0.2}}, .link = 2}};
inline constexpr SceneContact<3> kArmContacts[]{{.a = 0, .b = 1, .friction{.kinetic = 0.3}},
                                                {.a = 2, .b = 1, .friction{.kinetic = 0.5}},
                                                {.a = 1, .b = 3, .friction{.kinetic = 0.5}}};
inline constexpr Scene<3> kArms{
    .step = 1e-3, .gravity{0, 0, -9.81}, .bodies = kArmBodies, .contacts = kArmContacts, .arms = kFingers};

// A gripper on a lift: both have motors, and the one finger leads the other. Another lift.
inline constexpr dynamics::LinkData kGripperLinks[]{
    {.joint = dynamics::ArmJoint::prismatic, .mass = 1, .effort = 30},
    {.parent = 0,
     .joint = dynamics::ArmJoint::prismatic,
     .position{0, -0.06, 0},
     .axis{0, 1, 0},
     .mass = 0.1,
     .effort = 5},
    {.parent = 0,
     .joint = dynamics::ArmJoint::prismatic,
     .position{0, 0.06, 0},
     .axis{0, 1, 0},
     .mass = 0.1,
     .mimic = 1,
     .ratio = -1,
     .offset = -0.01}};
inline constexpr double kOpen[]{0, 0, -0.01}, kLift[]{12};
inline constexpr SceneArm kGrippers[]{{.links = kGripperLinks, .q = kOpen, .torque = kLift},
                                      {.links{kGripperLinks, 1}, .base{{1, 0, 0}}}};
inline constexpr SceneBody<3> kGripperBodies[]{{.shape{Space::half_space, {0, 0, 1}, -1}},
                                               {.shape{Space::sphere, {0.01}}, .link = 2}};
inline constexpr SceneContact<3> kGripperContacts[]{{.a = 0, .b = 1}};
inline constexpr Scene<3> kGripper{.step = 1e-3,
                                   .gravity{0, 0, -9.81},
                                   .bodies = kGripperBodies,
                                   .contacts = kGripperContacts,
                                   .arms = kGrippers};

// Laws that a world can be compiled without.
inline constexpr SceneContact<3> kTorsionContacts[]{
    {.a = 0, .b = 1, .friction{.kinetic = 0.3}, .ellipsoid{1, 1, 0.01}}};
inline constexpr Scene<3> kLaws{
    .step = 1e-3,
    .method{.friction = FrictionLaw::cone, .normal = NormalRule::song, .fixed_point = 1},
    .bodies{kSpaceBodies, 2},
    .contacts = kTorsionContacts,
    .energy = true};

inline void expect(What want, int index, const Error& have) {
  TEST_ASSERT_EQUAL_STRING_MESSAGE(sentence(want), sentence(have.what), Sentence(have).text());
  TEST_ASSERT_EQUAL_INT_MESSAGE(index, have.index, Sentence(have).text());
}

}  // namespace scene_lists
