// Hard states of arms and contacts: joints at rest, driven, or within 2 % of break-away; limits reached,
// violated or just ahead; one to six contacts with gaps of 0, a little more, and -1e-6; corners that are
// redundant; masses as usual or spread over 1e-6 to 1e6.
#pragma once

#include "tests/corpus/arm_rows.hpp"
#include "tests/corpus/friction_box.hpp"

namespace corpus {

// planes: an arm and 1 to 3 fixed planes. corner: a box on one corner and a tip. box: on four corners, and a
// tip. pinch: two arms and a box on four corners. jam: as box, and a point of a link on a plane; crowd: four
// points.
enum class Setting : std::uint8_t { planes, corner, box, pinch, jam, crowd };
inline constexpr int kSettings = 6;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  double u(double low, double high) { return random_.uniform(low, high); }
  int i(int low, int high) {
    return low + static_cast<int>(random_.next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool p(double share) { return u(0, 1) < share; }
  V3 direction() {
    for (;;) {
      const V3 v(u(-1, 1), u(-1, 1), u(-1, 1));
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }

 private:
  Random random_;
};

inline constexpr double kDecades[13] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};

namespace detail {

struct Maker {
  Dice& r;
  ArmWorld w{};
  double size = 0.1, mass = 1;  // of the whole
  Placed k{};

  void add_arm(int joints, bool planar) {
    const int first = w.links;
    double share = 1;
    for (int i = 0; i < joints; ++i, share *= 0.8) {
      Link& l = w.link[at(w.links++)];
      l = {};
      l.parent = i == 0 ? -1 : first + i - 1;
      l.at = i > 0       ? V3(size * r.u(0.3, 1), planar ? 0 : size * r.u(-0.2, 0.2), 0)
             : first > 0 ? V3(0.3 * size * r.direction())
                         : V3(0, 0, 0);
      l.axis = V3(0, 0, 0);
      l.axis[planar ? 1 : r.i(0, 2)] = 1;
      l.mass = mass * size * r.u(0.5, 5) * share;
      l.centre = V3(0.4 * size, 0, planar ? 0 : 0.1 * size * r.u(-1, 1));
      const double length = size * r.u(0.3, 1), I = l.mass * length * length / 12;
      l.inertia = V3(0.1 * I, I, I);
      l.rotor = r.p(0.5) ? 0 : r.u(0, 0.2) * l.mass * length * length;
      l.q = r.u(-1.3, 1.3);
    }
  }

  double friction() { return r.p(0.1) ? 0 : r.u(0.05, 1.2); }
  double gap() {
    switch (r.i(0, 4)) {
      case 0:
        return 1e-5;
      case 1:
        return r.u(0, 1e-3) * size;
      case 2:
        return -1e-6;
      default:
        return 0;
    }
  }
  V3 at_world(int link, const V3& point) const { return k.origin[at(link)] + k.turn[at(link)] * point; }

  void touch_plane(int link, const V3& point) {
    Touch& c = w.touch[at(w.touches++)];
    c = {TouchKind::link_plane, link, point, r.direction(), 0, friction()};
    c.offset = c.normal.dot(at_world(link, point)) - gap();
  }

  void add_box(int joints, Setting setting) {
    w.box = true;
    w.mass = mass * size * r.u(0.5, 20);
    w.half = V3(size * r.u(0.15, 0.5), size * r.u(0.15, 0.5), size * r.u(0.15, 0.5));
    const V3 s = w.half.cwiseProduct(w.half);
    w.inertia = w.mass / 3 * V3(s[1] + s[2], s[0] + s[2], s[0] + s[1]);
    const V3 up = -w.gravity.normalized(), any = std::fabs(up[0]) < 0.6 ? V3(1, 0, 0) : V3(0, 1, 0);
    w.turn.col(2) = up;
    w.turn.col(0) = V3(any - up * up.dot(any)).normalized();
    w.turn.col(1) = cross(up, V3(w.turn.col(0)));
    // A tip touches one of the sides, or with one finger the top.
    const int axis = setting == Setting::pinch ? r.i(0, 1) : r.i(0, 2);
    const double side = axis == 2 || r.p(0.5) ? 1 : -1;
    V3 face(0, 0, 0), where;
    face[axis] = side;
    for (int a = 0; a < 3; ++a) where[a] = a == axis ? side * w.half[a] : w.half[a] * r.u(-0.7, 0.7);
    const V3 tip(0.8 * size, 0, 0);
    w.position = at_world(joints - 1, tip) - w.turn * (where + face * gap());
    w.touch[at(w.touches++)] = {TouchKind::link_face, joints - 1, tip, face, w.half[axis], friction()};
    if (setting == Setting::pinch) {
      where[axis] = -where[axis];
      const V3 x = w.position + w.turn * (where - face * gap());
      const int link = w.links - 1;
      const V3 point = k.turn[at(link)].transpose() * (x - k.origin[at(link)]);
      w.touch[at(w.touches++)] = {TouchKind::link_face, link, point, V3(-face), w.half[axis], friction()};
    }
    const int corners = setting == Setting::corner ? 1 : 4;
    const double below = r.p(0.7) ? 0 : gap(), mu = friction();
    const double floor = up.dot(V3(w.position - w.half[2] * up)) - below;
    for (int i = 0; i < corners; ++i) {
      const V3 corner = corners == 1 ? V3(0, 0, -w.half[2])
                                     : V3((i & 1) != 0 ? w.half[0] : -w.half[0],
                                          (i & 2) != 0 ? w.half[1] : -w.half[1], -w.half[2]);
      w.touch[at(w.touches++)] = {TouchKind::corner_plane, -1, corner, up, floor, mu};
    }
  }

  // Torques that hold the arm, or nearly, or do not; friction, limits and impedances.
  void drive(bool still, double load) {
    SpeedMatrix M;
    Speeds weight;
    ArmWorld bare = w;
    for (Link& l : bare.link) l.torque = l.stiffness = l.damping = 0;
    inertia(bare, k, M, weight);
    double top = 0;
    for (int j = 0; j < w.links; ++j) top = std::fmax(top, std::fabs(weight[at(j)]) / w.h);
    top += 1e-3 * size * mass;
    const double rub = top * kDecades[r.i(4, 6)] * r.u(0.3, 1);
    if (w.box && r.p(0.7)) top = std::fmax(top, load);
    const int how = r.i(0, 2);
    const bool springs = r.p(0.3);
    for (int j = 0; j < w.links; ++j) {
      Link& l = w.link[at(j)];
      const double hold = -weight[at(j)] / w.h;
      l.friction = r.p(0.1) ? 0 : rub * r.u(0.3, 1);
      if (!still) l.qd = r.u(-2, 2);
      const double sign = r.p(0.5) ? 1 : -1;
      l.torque = how == 0   ? r.u(-2, 2) * top
                 : how == 1 ? hold + r.u(-3, 3) * l.friction
                            : hold + sign * l.friction * r.u(0.98, 1.02);
      if (!still) l.torque += r.u(-0.1, 0.1) * top;
      limit(l, still);
      if (!springs) continue;
      l.stiffness = top * r.u(0.5, 20);
      l.damping = top * r.u(0.05, 1);
      l.rest = l.q + r.u(-0.1, 0.1);
    }
  }

  void limit(Link& l, bool still) {
    l.lower = -1.5, l.upper = 1.5;
    const int how = r.i(0, 7);
    if (how == 0) l.lower = l.q;
    if (how == 1) l.upper = l.q;
    if (how == 2) l.lower = l.q - r.u(0, 1e-3);
    if (how == 3) l.upper = l.q + 1e-7;
    if (how > 3 && r.p(0.1)) l.lower = l.q + 1e-6, l.upper = 2;
    if (how < 2 && still) l.qd = 0;
  }
};

}  // namespace detail

// spread: masses of arm and box 1e-3 to 1e3 of each other, and all of them times 1e-3 to 1e3.
inline ArmWorld make_arm_world(Dice& r, Setting setting, int joints, bool spread) {
  detail::Maker m{r};
  ArmWorld& w = m.w;
  m.size = r.p(0.5) ? 0.1 : 0.4;
  m.mass = spread ? kDecades[r.i(3, 9)] : 1;
  const bool planar = r.p(0.3);
  m.add_arm(joints, planar);
  if (setting == Setting::pinch) m.add_arm(joints, planar);
  w.gravity = 9.81 * r.direction();
  m.k = detail::place(w);
  const bool still = r.p(0.6);
  const double arm = m.mass;
  if (spread) m.mass *= kDecades[r.i(3, 9)];
  if (setting == Setting::planes) {
    const int points = r.i(1, 3);
    for (int i = 0; i < points; ++i) {
      const V3 aside(0.5 * m.size, 0.1 * m.size * r.u(-1, 1), 0.1 * m.size * r.u(-1, 1));
      m.touch_plane(i == 0 ? w.links - 1 : r.i(0, w.links - 1), i == 0 ? V3(0.8 * m.size, 0, 0) : aside);
    }
  } else {
    m.add_box(joints, setting);
    if (!still) {
      const V3 up = w.turn.col(2);
      w.velocity = r.direction() * r.u(0, 0.3);
      if (r.p(0.5)) w.velocity -= up * up.dot(w.velocity);
      if (r.p(0.5)) w.spin = r.direction() * r.u(0, 3);
    }
    const int more = setting == Setting::jam ? 1 : setting == Setting::crowd ? 4 : 0;
    for (int i = 0; i < more; ++i)
      m.touch_plane(r.i(0, w.links - 1), V3(0.5 * m.size, 0, 0.1 * m.size * (1 - 0.5 * i)));
  }
  const double load = w.mass * 9.81 * m.size;
  m.mass = arm;
  m.drive(still, load);
  return w;
}

// The torques change by up to `share` of themselves.
inline void change_torques(ArmWorld& w, Dice& r, double share) {
  for (int j = 0; j < w.links; ++j) {
    Link& l = w.link[static_cast<std::size_t>(j)];
    l.torque += r.u(-share, share) * (std::fabs(l.torque) + l.friction);
  }
}

}  // namespace corpus
