// Arms, a box and what they touch; arm_rows.hpp makes rows of them, arm_states.hpp makes hard ones.
//
// One or two serial arms of revolute joints with friction, limits and impedance, a free box, and contacts of
// three kinds: a point of a link with a fixed plane, a point of a link with a face of the box, a corner of
// the box with a fixed plane. Written with +, -, *, / and sqrt and the core's sine, so host and boards make
// the same numbers. No Coriolis terms.
#pragma once

#include <array>
#include <cmath>

#include "tactus/math/trig.hpp"
#include "tactus/math/vector.hpp"

namespace corpus {

using V3 = Eigen::Vector3d;
using M3 = Eigen::Matrix3d;

inline constexpr int kMostJoints = 7, kMostTouches = 10, kMostRows = kMostJoints + 3 * kMostTouches;

struct Link {
  int parent = -1;
  V3 at{0, 0, 0}, axis{0, 0, 1}, centre{0, 0, 0}, inertia{0, 0, 0};  // the last about the centre, diagonal
  double mass = 1, rotor = 0, friction = 0, lower = -10, upper = 10;
  double q = 0, qd = 0, torque = 0, stiffness = 0, damping = 0, rest = 0;
};

enum class TouchKind : std::uint8_t { link_plane, link_face, corner_plane };

struct Touch {
  TouchKind kind = TouchKind::link_plane;
  int link = 0;
  V3 point{0, 0, 0};   // of the link, or of the box
  V3 normal{0, 0, 1};  // of the plane, or of the face in the box's frame
  double offset = 0, mu = 0;
};

struct ArmWorld {
  double h = 1e-3;
  V3 gravity{0, 0, -9.81};
  int links = 0, touches = 0;
  std::array<Link, kMostJoints> link;
  std::array<Touch, kMostTouches> touch;
  bool box = false;
  double mass = 1;
  V3 inertia{1, 1, 1}, half{1, 1, 1}, position{0, 0, 0}, velocity{0, 0, 0}, spin{0, 0, 0};
  M3 turn = M3::Identity();

  int speeds() const { return links + (box ? 6 : 0); }
};

namespace detail {

inline constexpr int kMostSpeeds = kMostJoints + 6;
using Speeds = std::array<double, kMostSpeeds>;
using SpeedMatrix = std::array<Speeds, kMostSpeeds>;

struct Placed {
  std::array<M3, kMostJoints> turn;
  std::array<V3, kMostJoints> origin, axis;
};

inline V3 cross(const V3& a, const V3& b) {
  return tactus::math::cross<double>(a, b);
}

inline std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

inline M3 turn_about(const V3& a, double angle) {
  const auto sc = tactus::math::sin_cos(angle);
  M3 R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R(i, j) = a[i] * a[j] * (1 - sc.cos) + (i == j ? sc.cos : 0.0);
  R(0, 1) -= a[2] * sc.sin, R(1, 0) += a[2] * sc.sin;
  R(0, 2) += a[1] * sc.sin, R(2, 0) -= a[1] * sc.sin;
  R(1, 2) -= a[0] * sc.sin, R(2, 1) += a[0] * sc.sin;
  return R;
}

inline Placed place(const ArmWorld& w) {
  Placed k;
  for (int i = 0; i < w.links; ++i) {
    const Link& l = w.link[at(i)];
    const M3 base = l.parent < 0 ? M3(M3::Identity()) : k.turn[at(l.parent)];
    const V3 from = l.parent < 0 ? V3(0, 0, 0) : k.origin[at(l.parent)];
    k.origin[at(i)] = from + base * l.at;
    k.turn[at(i)] = base * turn_about(l.axis, l.q);
    k.axis[at(i)] = k.turn[at(i)] * l.axis;
  }
  return k;
}

// Column j of the Jacobian of the point x of a link.
inline V3 lever(const Placed& k, int j, const V3& x) {
  return cross(k.axis[at(j)], V3(x - k.origin[at(j)]));
}

inline bool moves(const ArmWorld& w, int j, int link) {
  while (link > j) link = w.link[at(link)].parent;
  return link == j;
}

// M with its impedance, and h f.
inline void inertia(const ArmWorld& w, const Placed& k, SpeedMatrix& M, Speeds& push) {
  for (auto& row : M) row.fill(0);
  push.fill(0);
  for (int i = 0; i < w.links; ++i) {
    const Link& l = w.link[at(i)];
    const V3 centre = k.origin[at(i)] + k.turn[at(i)] * l.centre;
    for (int a = 0; a <= i; ++a) {
      if (!moves(w, a, i)) continue;
      const V3 va = lever(k, a, centre);
      const V3 wa = k.turn[at(i)].transpose() * k.axis[at(a)];
      push[at(a)] += w.h * l.mass * va.dot(w.gravity);
      for (int b = 0; b <= i; ++b) {
        if (!moves(w, b, i)) continue;
        const V3 wb = k.turn[at(i)].transpose() * k.axis[at(b)];
        M[at(a)][at(b)] += l.mass * va.dot(lever(k, b, centre)) + wa.dot(V3(l.inertia.cwiseProduct(wb)));
      }
    }
  }
  for (int i = 0; i < w.links; ++i) {
    const Link& l = w.link[at(i)];
    M[at(i)][at(i)] += l.rotor + w.h * l.damping + w.h * w.h * l.stiffness;
    push[at(i)] += w.h * (l.torque + l.stiffness * (l.rest - l.q - w.h * l.qd) - l.damping * l.qd);
  }
  if (!w.box) return;
  const int n = w.links;
  const M3 I = w.turn * w.inertia.asDiagonal() * w.turn.transpose();
  const V3 gyro = cross(w.spin, V3(I * w.spin));
  for (int a = 0; a < 3; ++a) {
    M[at(n + a)][at(n + a)] = w.mass;
    push[at(n + a)] = w.h * w.mass * w.gravity[a];
    push[at(n + 3 + a)] = -w.h * gyro[a];
    for (int b = 0; b < 3; ++b) M[at(n + 3 + a)][at(n + 3 + b)] = I(a, b);
  }
}

inline void cholesky(SpeedMatrix& M, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double x = M[at(i)][at(j)];
      for (int k = 0; k < j; ++k) x -= M[at(i)][at(k)] * M[at(j)][at(k)];
      M[at(i)][at(j)] = i == j ? std::sqrt(x) : x / M[at(j)][at(j)];
    }
}

// x := L^-1 x
inline void down(const SpeedMatrix& L, int n, Speeds& x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[at(i)] -= L[at(i)][at(k)] * x[at(k)];
    x[at(i)] /= L[at(i)][at(i)];
  }
}

inline void up(const SpeedMatrix& L, int n, Speeds& x) {
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[at(i)] -= L[at(k)][at(i)] * x[at(k)];
    x[at(i)] /= L[at(i)][at(i)];
  }
}

}  // namespace detail

}  // namespace corpus
