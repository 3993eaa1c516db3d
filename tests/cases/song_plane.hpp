// Planar scenes on soft patches, drawn from a seed, each with what an oracle has to know of its geometry.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "tactus/contact/patch_matrices.hpp"
#include "tactus/geometry/shape.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/oracle/dense.hpp"

namespace song_plane {

using namespace tactus;
using corpus::Random;
using oracle::Column;
using oracle::Real;

struct Body {
  double mass = 0, inertia = 0;
  geometry::PlanarShape<double> shape{};
  std::array<double, 3> pose{}, velocity{};
  std::array<double, 3> force{};  // times sin(turns t)
  double turns = 0;
};

// What the oracle is told of a touching point: body -1 is the floor.
struct Point {
  int a = -1, b = 0;
  Real gap, n[2], at_a[2], at_b[2];  // points in the world
  Real curvature;
};

// A scene: bodies, the contacts that touch, and the points in the order in which patches stand in `patches`.
struct Case {
  const char* name;
  double h;
  int steps;
  std::vector<Body> bodies;
  struct Pair {
    int a, b;  // 0 is the floor
    double mu;
    contact::PatchLaw<double> law;
    int points;
  };
  std::vector<Pair> pairs;
  std::function<std::vector<Point>(const Column& q)> touch;
};

inline contact::PatchLaw<double> random_patch(Random& random, int elements, double spacing) {
  contact::PatchLaw<double> law;
  law.columns = static_cast<std::uint8_t>(elements);
  law.spacing = spacing;
  law.compliance = 1e-9 * std::exp(random.uniform(0, 7));
  law.poisson = random.uniform(0, 0.5);
  law.printed = true;
  return law;
}

inline Case disc(std::uint64_t seed, int elements) {
  Random random(seed);
  const double R = random.uniform(0.03, 0.3), m = random.uniform(0.1, 3), h = random.uniform(2e-4, 2e-3);
  Body b{.mass = m,
         .inertia = m * R * R * random.uniform(0.3, 0.7),
         .shape = geometry::disc<double>(R),
         .pose = {0, R + random.uniform(0, 2e-3), random.uniform(-1, 1)},
         .velocity = {random.uniform(-1, 1), 0, random.uniform(-10, 10)},
         .force = {random.uniform(-2, 2) * m, random.uniform(0, 15) * m, 0},
         .turns = random.uniform(20, 60)};
  return {"disc",
          h,
          400,
          {b},
          {{0, 1, random.uniform(0.1, 0.8), random_patch(random, elements, random.uniform(1e-4, 2e-3)), 1}},
          [R](const Column& q) {
            return std::vector<Point>{{-1, 0, q[1] - R, {0, 1}, {q[0], 0}, {q[0], q[1] - R}, 1 / Real(R)}};
          }};
}

inline Case ellipse(std::uint64_t seed, int elements) {
  Random random(seed);
  const double a = random.uniform(0.08, 0.2), b = a * random.uniform(0.4, 0.8), m = random.uniform(0.05, 0.5);
  const double angle = random.uniform(0.8, 1.3), h = random.uniform(1e-4, 4e-4);
  Body body{.mass = m,
            .inertia = m * (a * a + b * b) / 4,
            .shape = geometry::ellipse<double>(a, b),
            .pose = {0, std::hypot(a * std::sin(angle), b * std::cos(angle)), angle},
            .velocity = {}};
  return {"ellipse",
          h,
          1000,
          {body},
          {{0, 1, random.uniform(0.1, 0.4), random_patch(random, elements, 1e-4), 1}},
          [a, b](const Column& q) {
            const Real s = std::sin(q[2]), c = std::cos(q[2]), H = std::hypot(a * s, b * c);
            const Real x = q[0] - (Real(a) * a - Real(b) * b) * s * c / H;
            return std::vector<Point>{
                {-1, 0, q[1] - H, {0, 1}, {x, 0}, {x, q[1] - H}, H * H * H / (Real(a) * a * b * b)}};
          }};
}

// The two corners below the first body, a box of half sides x and y.
inline std::vector<Point> corners(const Column& q, double x, double y) {
  std::vector<Point> points;
  const Real s = std::sin(q[2]), c = std::cos(q[2]);
  for (const int side : {-1, 1}) {
    const Real at_x = q[0] + side * c * x + s * y, at_y = q[1] + side * s * x - c * y;
    points.push_back({-1, 0, at_y, {0, 1}, {at_x, 0}, {at_x, at_y}, 0});
  }
  return points;
}

inline Case box(std::uint64_t seed, int elements) {
  Random random(seed);
  const double x = random.uniform(0.05, 0.2), y = random.uniform(0.03, 0.1), m = random.uniform(0.2, 3);
  const double angle = random.uniform(-0.05, 0.05);
  contact::PatchLaw<double> law = random_patch(random, elements, random.uniform(1e-4, 1e-3));
  if (elements == 1) {
    law = {};
    law.stiffness = 1e4 * std::exp(random.uniform(0, 7));
    law.damping = law.stiffness * random.uniform(1e-4, 3e-3);
  }
  Body body{.mass = m,
            .inertia = m * (x * x + y * y) / 3,
            .shape = geometry::box<double>(x, y),
            .pose = {0, y + x * std::fabs(angle) + random.uniform(0, 5e-3), angle},
            .velocity = {random.uniform(-0.6, 0.6), 0, 0},
            .force = {random.uniform(2, 9) * m, 0, random.uniform(-0.1, 0.1) * m},
            .turns = random.uniform(10, 40)};
  return {"box on two corners",
          random.uniform(5e-4, 2e-3),
          400,
          {body},
          {{0, 1, random.uniform(0.2, 0.6), law, 2}},
          [x, y](const Column& q) { return corners(q, x, y); }};
}

// A disc that rolls on a box that slides.
inline Case disc_on_box(std::uint64_t seed) {
  Random random(seed);
  const double x = 0.4, y = random.uniform(0.03, 0.06), R = random.uniform(0.03, 0.1);
  const double m = random.uniform(1, 3), light = random.uniform(0.1, 0.5);
  Body below{.mass = m,
             .inertia = m * (x * x + y * y) / 3,
             .shape = geometry::box<double>(x, y),
             .pose = {0, y, 0},
             .velocity = {random.uniform(0.2, 0.6), 0, 0}};
  Body above{.mass = light,
             .inertia = light * R * R / 2,
             .shape = geometry::disc<double>(R),
             .pose = {0.05, 2 * y + R + 1e-3, 0},
             .velocity = {0, 0, random.uniform(-5, 5)},
             .force = {light, 0, 0},
             .turns = 25};
  contact::PatchLaw<double> feet;
  feet.stiffness = 2e5;
  feet.damping = 300;
  return {"disc on a box",
          1e-3,
          300,
          {below, above},
          {{0, 1, random.uniform(0.2, 0.5), feet, 2},
           {1, 2, random.uniform(0.2, 0.5), random_patch(random, 3, 5e-4), 1}},
          [x, y, R](const Column& q) {
            auto points = corners(q, x, y);
            const Real s = std::sin(q[2]), c = std::cos(q[2]), n[2] = {-s, c};
            const Real over = (q[3] - q[0]) * n[0] + (q[4] - q[1]) * n[1];  // the disc's centre
            points.push_back({0,
                              1,
                              over - y - R,
                              {n[0], n[1]},
                              {q[3] - (over - y) * n[0], q[4] - (over - y) * n[1]},
                              {q[3] - R * n[0], q[4] - R * n[1]},
                              1 / Real(R)});
            return points;
          }};
}

}  // namespace song_plane
