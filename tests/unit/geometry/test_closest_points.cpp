// Closest points of implicit surfaces: closed forms, derivatives against differences, edges and corners, bad
// bodies.
#include <cmath>

#include "tactus/geometry/closest_search.hpp"
#include "tactus/geometry/contact.hpp"
#include "tactus/sentence.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::geometry;

namespace {

template <int Pieces>
using Body = Surface<double, 3, Pieces>;
using V3 = math::Vector3<double>;

SpatialPose<double> pose(double x, double y, double z, double w = 1, double i = 0, double j = 0,
                         double k = 0) {
  const double size = std::sqrt(w * w + i * i + j * j + k * k);
  SpatialPose<double> p;
  p.position = {x, y, z};
  p.w = w / size, p.x = i / size, p.y = j / size, p.z = k / size;
  return p;
}

template <int Pieces>
ClosestPoints<double, 3> closest(const Body<Pieces>& a, const SpatialPose<double>& at_a,
                                 const Body<Pieces>& b, const SpatialPose<double>& at_b) {
  ClosestPoints<double, 3> c;
  TEST_ASSERT_TRUE((find<double, 3, Pieces>({&a, frame(at_a)}, {&b, frame(at_b)}, 0.1, c)));
  return c;
}

void near(const V3& want, const V3& got, double tolerance = 1e-14) {
  for (int k = 0; k < 3; ++k) TEST_ASSERT_DOUBLE_WITHIN(tolerance, want[k], got[k]);
}

// |c_b - c_a| - r_a - r_b, also where they overlap.
void spheres() {
  Body<1> a, b;
  TEST_ASSERT_FALSE((add<double, 3, 1>(a, sphere(0.3))));
  TEST_ASSERT_FALSE((add<double, 3, 1>(b, sphere(0.2))));
  for (const double apart : {2.0, 0.6, 0.5, 0.45}) {
    const V3 u = V3(1, -2, 2) / 3;
    const auto c =
        closest(a, pose(0.1, 0.2, 0.3), b, pose(0.1 + apart * u[0], 0.2 + apart * u[1], 0.3 + apart * u[2]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, apart - 0.5, c.gap);
    near(V3(0.1, 0.2, 0.3) + 0.3 * u, c.a);
    near(c.a + (apart - 0.5) * u, c.b);
  }
}

// The lowest point of an ellipsoid is c - R S^2 R^T n / |S R^T n|.
void ellipsoid_over_a_half_space() {
  Body<1> floor, body;
  TEST_ASSERT_FALSE((add<double, 3, 1>(floor, half_space(V3(1, 2, 2), 0.1))));
  TEST_ASSERT_FALSE((add<double, 3, 1>(body, ellipsoid(0.3, 0.2, 0.1))));
  const V3 n = V3(1, 2, 2) / 3;
  for (const double height : {1.0, 0.16, 0.1}) {
    const auto at = pose(height * n[0] + 0.2, height * n[1] - 0.1, height * n[2], 0.3, -0.5, 0.7, 0.2);
    const auto f = frame(at);
    const V3 scaled = V3(0.3, 0.2, 0.1).cwiseProduct(f.turn_back(n));
    const V3 low = f.position - f.turn(V3(0.3, 0.2, 0.1).cwiseProduct(scaled)) / math::norm(scaled);
    const auto c = closest(floor, pose(0, 0, 0), body, at);
    near(low, c.b);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, math::dot(n, low) - 0.1, c.gap);
    near(low - c.gap * n, c.a);
  }
}

// A lens: two balls of radius 1 whose centres are 1.2 apart meet in an edge of radius 0.8. On its side it
// stands on the edge, which two surfaces share.
void lens_on_its_edge() {
  Body<2> floor, lens;
  TEST_ASSERT_FALSE((add<double, 3, 2>(floor, half_space(V3(0, 0, 1), 0.0))));
  TEST_ASSERT_TRUE((add<double, 3, 2>(lens, sphere(1.0), V3(0, 0, 0.6))) == What::none);
  TEST_ASSERT_TRUE((add<double, 3, 2>(lens, sphere(1.0), V3(0, 0, -0.6))) == What::none);
  TEST_ASSERT_TRUE(check(lens) == What::none);
  const double half = std::sqrt(0.5);
  const auto c = closest(floor, pose(0, 0, 0), lens, pose(0.1, 0.2, 1, half, half, 0, 0));
  TEST_ASSERT_EQUAL_INT(2, c.active[1]);
  near({0.1, 0.2, 0.2}, c.b);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.2, c.gap);
  // Flat on its back it stands on one ball.
  const auto flat = closest(floor, pose(0, 0, 0), lens, pose(0, 0, 0.5));
  TEST_ASSERT_EQUAL_INT(1, flat.active[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.1, flat.gap);
}

// A box is six surfaces: a tilted one stands on a corner, three of them; two boxes meet corner to face, edge
// to edge.
void boxes() {
  Body<6> floor, a;
  TEST_ASSERT_FALSE((add<double, 3, 6>(floor, half_space(V3(0, 0, 1), 0.0))));
  TEST_ASSERT_TRUE((add<double, 3, 6>(a, box(0.1, 0.2, 0.3))) == What::none);
  const auto at = pose(0, 0, 1, 1, 0.3, -0.2, 0.1);
  const auto c = closest(floor, pose(0, 0, 0), a, at);
  TEST_ASSERT_EQUAL_INT(3, c.active[1]);
  double low = 1;
  for (int k = 0; k < 8; ++k) {
    const V3 corner((k & 1) != 0 ? 0.1 : -0.1, (k & 2) != 0 ? 0.2 : -0.2, (k & 4) != 0 ? 0.3 : -0.3);
    low = std::fmin(low, frame(at).to_world(corner).z());
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, low, c.gap);
  // Edges that cross at right angles, each box turned by 45 degrees: sqrt(2) times the half width below and
  // above.
  Body<6> b;
  TEST_ASSERT_FALSE((add<double, 3, 6>(b, box(0.1, 0.1, 0.1))));
  const double s = std::sin(3.14159265358979323846 / 8), w = std::cos(3.14159265358979323846 / 8);
  const auto crossed = closest(b, pose(0, 0, 0, w, s, 0, 0), b, pose(0, 0, 0.5, w, 0, s, 0));
  TEST_ASSERT_EQUAL_INT(2, crossed.active[0]);
  TEST_ASSERT_EQUAL_INT(2, crossed.active[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5 - 0.2 * std::sqrt(2.0), crossed.gap);
}

// A deterministic number in [-1, 1].
double number(unsigned& seed) {
  seed = seed * 1664525U + 1013904223U;
  return static_cast<double>(seed >> 8) / 8388608.0 - 1;
}

// Two ellipsoids apart: the KKT conditions, checked here from the shapes alone, make the points the global
// answer.
void random_ellipsoids() {
  unsigned seed = 7;
  int apart = 0;
  for (int run = 0; run < 200; ++run) {
    Body<1> body[2];
    SpatialPose<double> at[2];
    V3 axes[2];
    for (int s = 0; s < 2; ++s) {
      for (int k = 0; k < 3; ++k) axes[s][k] = 0.6 + 0.4 * number(seed);
      TEST_ASSERT_FALSE((add<double, 3, 1>(body[s], ellipsoid(axes[s][0], axes[s][1], axes[s][2]))));
      double q[7];  // one after the other: the order of arguments is the compiler's
      for (double& x : q) x = number(seed);
      at[s] = pose(s * (2 + q[0]), s * q[1], s * q[2], q[3], q[4], q[5], q[6]);
    }
    if (math::norm(at[1].position) < 2) continue;  // no axis is longer than 1
    ClosestPoints<double, 3> c;
    TEST_ASSERT_TRUE((find<double, 3, 1>({&body[0], frame(at[0])}, {&body[1], frame(at[1])}, 0.5, c)));
    TEST_ASSERT_TRUE(c.gap > 0);
    ++apart;
    const V3 n = (c.b - c.a) / math::norm(V3(c.b - c.a));
    for (int s = 0; s < 2; ++s) {
      const V3 x = frame(at[s]).to_body(s == 0 ? c.a : c.b);
      const V3 unit = x.cwiseQuotient(axes[s]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-13, 1, math::dot(unit, unit));
      const V3 outward = frame(at[s]).turn(unit.cwiseQuotient(axes[s]));
      near(s == 0 ? n : V3(-n), outward / math::norm(outward), 1e-11);
    }
  }
  TEST_ASSERT_TRUE(apart > 50);
}

// change() against differences of residual(), in every direction, at points that solve nothing.
void derivatives() {
  Body<2> a, b;
  TEST_ASSERT_FALSE((add<double, 3, 2>(a, ellipsoid(0.3, 0.4, 0.5))));
  TEST_ASSERT_FALSE((add<double, 3, 2>(a, half_space(V3(1, 1, 0.5), 0.2))));
  TEST_ASSERT_FALSE((add<double, 3, 2>(b, ellipsoid(0.6, 0.4, 0.3), V3(0.05, 0, 0.1))));
  unsigned seed = 3;
  ClosestPoints<double, 3> c;
  c.active = {2, 1};
  c.piece = {{{0, 1, 0}, {0, 0, 0}}};
  c.weight = {{{0.7, 0.4, 0}, {1.1, 0, 0}}};
  for (int k = 0; k < 3; ++k) c.a[k] = 0.3 * number(seed), c.b[k] = 0.8 + 0.3 * number(seed);
  c.gap = -0.2;
  const SpatialPose<double> at[2] = {pose(0.1, -0.1, 0.2, 0.5, 0.4, -0.7, 0.2),
                                     pose(1, 0.8, 0.9, 0.6, -0.2, 0.1, 0.9)};
  const double length = 0.3, e = 1e-6;
  for (int trial = 0; trial < 10; ++trial) {
    ClosestChange<double, 3> d;
    for (std::size_t s = 0; s < 2; ++s)
      for (int k = 0; k < 3; ++k) {
        d.move[s][k] = number(seed), d.turn[s][k] = number(seed);
        if (k < c.active[s]) d.weight[s][static_cast<std::size_t>(k)] = number(seed);
      }
    for (int k = 0; k < 3; ++k) d.a[k] = number(seed), d.b[k] = number(seed);
    d.gap = number(seed);
    double change[13], row[2][13];
    ClosestRows<double, 3, 2>({&a, frame(at[0])}, {&b, frame(at[1])}, c, length).change(d, change);
    for (int side = 0; side < 2; ++side) {
      const double step = side == 0 ? -e : e;
      auto moved = c;
      SpatialFrame<double> f[2];
      for (std::size_t s = 0; s < 2; ++s) {
        // The rotation vector to first order, as a quaternion from the left.
        auto p = at[s];
        const V3 u = step / 2 * d.turn[s];
        const V3 q(p.x, p.y, p.z);
        const V3 turned = q + p.w * u + math::cross(u, q);
        p.w -= math::dot(u, q);
        p.x = turned.x(), p.y = turned.y(), p.z = turned.z();
        p.position += step * d.move[s];
        f[s] = frame(p);
        for (std::size_t k = 0; k < c.active[s]; ++k) moved.weight[s][k] += step * d.weight[s][k];
      }
      moved.a += step * d.a;
      moved.b += step * d.b;
      moved.gap += step * d.gap;
      ClosestRows<double, 3, 2>({&a, f[0]}, {&b, f[1]}, moved, length).residual(row[side]);
    }
    for (int r = 0; r < c.unknowns(); ++r)
      TEST_ASSERT_DOUBLE_WITHIN(1e-8, (row[1][r] - row[0][r]) / (2 * e), change[r]);
  }
}

// In the plane: an ellipse on a slope, and a square on its corner.
void plane() {
  Surface<double, 2, 4> slope, ellipse_body, square;
  TEST_ASSERT_FALSE((add<double, 2, 4>(slope, half_space(math::Vector2<double>(-0.6, 0.8), 0.0))));
  TEST_ASSERT_FALSE((add<double, 2, 4>(ellipse_body, ellipse(0.3, 0.1))));
  TEST_ASSERT_TRUE((add<double, 2, 4>(square, polygon(4, 0.2))) == What::none);
  const PlanarFrame<double> f = frame(PlanarPose<double>{-0.6, 0.8, 0.4});
  const math::Vector2<double> n(-0.6, 0.8), local = f.turn_back(n);
  ClosestPoints<double, 2> c;
  TEST_ASSERT_TRUE((find<double, 2, 4>({&slope, {}}, {&ellipse_body, f}, 0.1, c)));
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1 - std::hypot(0.3 * local.x(), 0.1 * local.y()), c.gap);
  TEST_ASSERT_TRUE((find<double, 2, 4>({&slope, {}}, {&square, f}, 0.1, c)));
  TEST_ASSERT_EQUAL_INT(2, c.active[1]);
  const double corner = 0.2 * std::fmax(std::fabs(local.x()), std::fabs(local.y()));
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1 - corner, c.gap);
}

void bad_bodies_are_refused() {
  Body<2> body;
  const auto refuse = [&](What want, const Error& got) {
    TEST_ASSERT_EQUAL_STRING_MESSAGE(sentence(want), sentence(got.what), Sentence(got).text());
  };
  refuse(What::surface_empty, check(body));
  refuse(What::shape_size, add<double, 3, 2>(body, sphere(-1.0)));
  refuse(What::shape_not_finite, add<double, 3, 2>(body, ellipsoid(1.0, std::nan(""), 1.0)));
  refuse(What::shape_normal, add<double, 3, 2>(body, half_space(V3(0, 0, 0), 0.0)));
  refuse(What::shape_place, add<double, 3, 2>(body, sphere(1.0), V3(0, HUGE_VAL, 0)));
  refuse(What::no_surface, add<double, 3, 2>(body, capsule(1.0, 1.0)));
  refuse(What::surface_capacity, add<double, 3, 2>(body, box(1.0, 1.0, 1.0)));
  TEST_ASSERT_EQUAL_INT(0, body.count);
  refuse(What::none, add<double, 3, 2>(body, half_space(V3(0, 0, 1), 1.0)));
  refuse(What::none, check(body));
  refuse(What::none, add<double, 3, 2>(body, half_space(V3(0, 1, 1), 1.0)));
  refuse(What::surface_unbounded, check(body));
  Body<2> off;
  TEST_ASSERT_FALSE((add<double, 3, 2>(off, sphere(1.0), V3(0, 0, 1.5))));
  refuse(What::surface_origin, check(off));
  Surface<double, 2, 8> flat;
  refuse(What::no_surface, add<double, 2, 8>(flat, rod(1.0)));
  refuse(What::surface_capacity, add<double, 2, 8>(flat, polygon(9, 1.0)));
}

// A singular system: the third row is the sum of the others, and so is its right-hand side.
void dependent_rows() {
  double a[] = {2, 1, 0, 1, 0, 3, 3, 1, 3}, b[] = {4, 5, 9}, x[3];
  std::int16_t pivot[3], column[3];
  TEST_ASSERT_EQUAL_INT(2, tactus::math::eliminate(a, 3, 3, b, x, pivot, column, 1e-12));
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 4, 2 * x[0] + x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 5, x[0] + 3 * x[2]);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(spheres);
  RUN_TEST(ellipsoid_over_a_half_space);
  RUN_TEST(lens_on_its_edge);
  RUN_TEST(boxes);
  RUN_TEST(random_ellipsoids);
  RUN_TEST(derivatives);
  RUN_TEST(plane);
  RUN_TEST(bad_bodies_are_refused);
  RUN_TEST(dependent_rows);
  return UNITY_END();
}
