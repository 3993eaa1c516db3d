// Scenes of rigid bodies in contact, of which problems are made: one body with contacts all over it, and
// stacks of boxes. Everything is drawn from a seed by one generator, so a scene is the same on every host.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/oracle/dense.hpp"

namespace corpus {

using oracle::Column;
using oracle::Matrix;
using oracle::Real;
using Three = std::array<double, 3>;

inline constexpr double kStep = 1e-3, kGravity = 9.81, kPi = 3.14159265358979323846;

inline Three cross(const Three& a, const Three& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const Three& a, const Three& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Three scaled(double s, const Three& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
inline Three sum(const Three& a, const Three& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Three unit(const Three& a) {
  return scaled(1 / std::sqrt(dot(a, a)), a);
}
// a turned by an angle about the unit vector n (Rodrigues).
inline Three turned(const Three& a, const Three& n, double angle) {
  const double c = std::cos(angle);
  return sum(sum(scaled(c, a), scaled(std::sin(angle), cross(n, a))), scaled((1 - c) * dot(n, a), n));
}

class Xorshift {
 public:
  explicit Xorshift(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 0x1234567U) {
    for (int i = 0; i < 4; ++i) next();
  }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  bool heads() { return next() >> 63 != 0; }
  Three within(double r) {
    const double x = uniform(-r, r), y = uniform(-r, r);
    return {x, y, uniform(-r, r)};
  }
  // Three numbers, the last one drawn first.
  Three backwards(const Three& low, const Three& high) {
    const double z = uniform(low[2], high[2]), y = uniform(low[1], high[1]);
    return {uniform(low[0], high[0]), y, z};
  }
  Three direction() {
    for (;;) {
      const Three v = within(1);
      const double length = std::sqrt(dot(v, v));
      if (length > 0.1 && length < 1) return scaled(1 / length, v);
    }
  }

 private:
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  std::uint64_t state_;
};

struct ContactScene {
  struct Body {
    double mass;
    Three inertia;              // about its own axes, kg m^2
    std::array<Three, 3> axes;  // of the body, in the world
    Three place;
  };
  struct Contact {
    int on, from;  // the normal pushes `on`; -1 is the ground
    Three point, normal, tangent;
  };
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
  std::vector<double> v, force;  // six a body, gravity included
  double mu = 0;

  void settle() {  // at rest under gravity
    v.assign(6 * bodies.size(), 0);
    force = v;
    for (std::size_t i = 0; i < bodies.size(); ++i) force[6 * i + 2] = -bodies[i].mass * kGravity;
  }

  Matrix inverse_mass() const {
    Matrix light(v.size(), v.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        light(6 * i + k, 6 * i + k) = 1 / Real(bodies[i].mass);
        for (std::size_t l = 0; l < 3; ++l)
          for (std::size_t a = 0; a < 3; ++a)
            light(6 * i + 3 + k, 6 * i + 3 + l) +=
                Real(bodies[i].axes[a][k]) * bodies[i].axes[a][l] / bodies[i].inertia[a];
      }
    }
    return light;
  }

  // Rows n, t, o of each contact, of the points moved by `offset` along its t and o.
  Matrix jacobian(double along_t = 0, double along_o = 0) const {
    Matrix J(3 * contacts.size(), v.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const Contact& k = contacts[c];
      const Three o = cross(k.normal, k.tangent),
                  point = sum(k.point, sum(scaled(along_t, k.tangent), scaled(along_o, o)));
      const Three* const axes[3] = {&k.normal, &k.tangent, &o};
      for (std::size_t r = 0; r < 3; ++r) {
        for (const auto& [body, sign] : {std::pair{k.on, 1.0}, {k.from, -1.0}}) {
          if (body < 0) continue;
          const auto i = static_cast<std::size_t>(body);
          const Three moment = cross(sum(point, scaled(-1, bodies[i].place)), *axes[r]);
          for (std::size_t l = 0; l < 3; ++l) {
            J(3 * c + r, 6 * i + l) = sign * (*axes[r])[l];
            J(3 * c + r, 6 * i + 3 + l) = sign * moment[l];
          }
        }
      }
    }
    return J;
  }
};

inline Three any_tangent(const Three& n, double angle) {
  const Three axis = std::fabs(n[0]) < 0.7 ? Three{1, 0, 0} : Three{0, 1, 0};
  return turned(unit(sum(axis, scaled(-dot(n, axis), n))), n, angle);
}

inline Three box_inertia(double mass, const Three& half) {
  const double x = 4 * half[0] * half[0], y = 4 * half[1] * half[1], z = 4 * half[2] * half[2];
  return {(y + z) * (mass / 12), (x + z) * (mass / 12), (x + y) * (mass / 12)};
}

// One free body, contacts on its surface, normals within a cone about z. `motion` mod 4: at rest, moves in
// all ways, falls, slides and is pushed.
inline ContactScene random_body(Xorshift& r, int contacts, double mu, int motion) {
  ContactScene s;
  const double size = r.uniform(0.03, 0.15), mass = r.uniform(0.05, 2.0);
  const Three axis = r.direction();
  const double angle = r.uniform(0, kPi);
  const Three half = scaled(size, r.backwards({0.5, 0.5, 0.5}, {1, 1, 1}));
  s.bodies.push_back(
      {mass,
       box_inertia(mass, half),
       {turned({1, 0, 0}, axis, angle), turned({0, 1, 0}, axis, angle), turned({0, 0, 1}, axis, angle)},
       {}});
  for (int c = 0; c < contacts; ++c) {
    const Three n = unit(sum({0, 0, 1}, r.within(0.6)));
    const double depth = r.uniform(0.7, 1.0);
    const Three at = scaled(size, unit(sum(scaled(-1, n), r.within(0.7))));
    s.contacts.push_back({0, -1, scaled(depth, at), n, any_tangent(n, r.uniform(0, kPi))});
  }
  s.mu = mu;
  s.settle();
  const auto move = [&](std::vector<double>& of, std::size_t first, const Three& by) {
    for (std::size_t k = 0; k < 3; ++k) of[first + k] += by[k];
  };
  if (motion % 4 == 1) {
    move(s.v, 0, r.within(0.5));
    move(s.v, 3, r.within(5));
  }
  if (motion % 4 == 2) move(s.v, 0, r.backwards({-1, -1, -2}, {1, 1, -0.2}));
  if (motion % 4 == 3) {
    const double y = r.uniform(-0.2, 0.2);
    move(s.v, 0, {r.uniform(-0.2, 0.2), y, 0});
    move(s.force, 0, r.within(10));
  }
  return s;
}

// Boxes on each other on the ground, `per` contacts between two; t turned by `yaw`.
inline ContactScene stack(int boxes, int per, double mu, const Three& half, double mass, double yaw) {
  constexpr double kX[8] = {1, -1, -1, 1, 1, 0, -1, 0}, kY[8] = {1, 1, -1, -1, 0, 1, 0, -1};
  ContactScene s;
  for (int i = 0; i < boxes; ++i)
    s.bodies.push_back(
        {mass, box_inertia(mass, half), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, (2 * i + 1) * half[2]}});
  for (int i = 0; i < boxes; ++i)
    for (int k = 0; k < per; ++k)
      s.contacts.push_back({i,
                            i - 1,
                            {kX[k] * half[0], kY[k] * half[1], 2 * i * half[2]},
                            {0, 0, 1},
                            turned({1, 0, 0}, {0, 0, 1}, yaw)});
  s.mu = mu;
  s.settle();
  return s;
}

}  // namespace corpus
