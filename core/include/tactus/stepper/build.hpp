// Building a world, with every number checked once, so that a step need not: each call returns an Error
// and, where it is one, changes nothing.
//
//     World<float, 2, C> world;
//     configure(world, h, gravity, method);            // first: patches depend on h, bodies on the law
//     add_body(world, {.shape = half_space, .pose = ...}, ground);         // no mass: fixed
//     add_body(world, {.mass = 0.05F, .inertia = ..., .shape = ..., ...}, ellipse);
//     add_contact(world, {.a = ground, .b = ellipse, .friction = {.kinetic = 0.2F}, .patch = &law}, index);
//     add_joint(world, JointType::revolute, a, b, at, axis, index);
#pragma once

#include "tactus/stepper/build_contact.hpp"
