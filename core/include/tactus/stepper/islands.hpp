// Which elements, joints and arms act on each other: each such island is solved by itself, so that ten boxes
// apart cost ten times what one costs, and none is judged by another's forces.
//
// Cost: about 10 operations an element and joint. It cannot fail.
#pragma once

#include "tactus/stepper/find.hpp"

namespace tactus::stepper::detail {

// What moves by itself finds its island by a number that leads to another one or is the island's own: a
// body's leads to its link's, a link's to that of the first link of its arm.
template <class Scalar, int Dim, Capacity C>
struct Islander {
  const Model<Scalar, Dim, C>& m;
  Found<Scalar, Dim, C>& found;

  void begin() {
    for (int i = 0; i < m.bodies; ++i) {
      const bool moves = m.inertia[at(i)].inverse_mass > 0;
      found.root[at(i)] = moves ? static_cast<std::uint8_t>(i) : kFixed;
      if constexpr (C.arm_joints > 0)
        if (m.arm.carries(i))
          found.root[at(i)] = static_cast<std::uint8_t>(C.bodies + m.arm.mount[at(i)].link);
    }
    if constexpr (C.arm_joints > 0) {
      for (int j = 0; j < m.arm.links.joints; ++j) {
        const int parent = m.arm.links.link[at(j)].parent;
        found.root[at(C.bodies + j)] =
            parent < 0 ? static_cast<std::uint8_t>(C.bodies + j) : found.root[at(C.bodies + parent)];
      }
    }
  }
  std::uint8_t root_of(int unit) const {
    if (found.root[at(unit)] == kFixed) return kFixed;
    while (found.root[at(unit)] != unit) unit = found.root[at(unit)];
    return static_cast<std::uint8_t>(unit);
  }
  std::uint8_t root_of(dynamics::Pair bodies) const {
    const auto a = root_of(bodies.a);
    return a != kFixed ? a : root_of(bodies.b);
  }
  void join(dynamics::Pair bodies) { join_units(bodies.a, bodies.b); }
  void join_units(int a, int b) {
    const auto ra = root_of(a), rb = root_of(b);
    if (ra == kFixed || rb == kFixed) return;
    found.root[ra < rb ? rb : ra] = ra < rb ? ra : rb;
  }
  void flatten() {
    for (int i = 0; i < m.bodies; ++i) found.root[at(i)] = root_of(i);
    if constexpr (C.arm_joints > 0)
      for (int u = C.bodies; u < C.bodies + m.arm.links.joints; ++u) found.root[at(u)] = root_of(u);
  }
  Island& island_of(std::uint8_t root) {
    for (int i = 0; i < found.islands; ++i)
      if (found.island[at(i)].root == root) return found.island[at(i)];
    found.island[at(found.islands)] = {root, 0, 0};
    return found.island[at(found.islands++)];
  }
  // Calls f(first, end, root) for the elements of each contact, which follow each other.
  template <class F>
  void each_contact(const F& f) const {
    for (int first = 0, end; first < found.elements; first = end) {
      const auto& e = found.element[at(first)];
      for (end = first + 1; end < found.elements && found.element[at(end)].contact == e.contact;) ++end;
      f(first, end, root_of(e.bodies));
    }
  }
};

template <class Scalar, int Dim, Capacity C>
inline void find_islands(const Model<Scalar, Dim, C>& m, Found<Scalar, Dim, C>& found) {
  if constexpr (kOneIsland<C>) {
    found.islands = found.elements > 0 ? 1 : 0;
    found.island[0] = {0, 0, found.elements};
    return;
  }
  Islander<Scalar, Dim, C> by{m, found};
  by.begin();
  by.each_contact([&](int first, int, std::uint8_t) { by.join(found.element[at(first)].bodies); });
  for (int i = 0; i < m.joints; ++i) by.join(m.joint[at(i)].bodies);
  if constexpr (C.mimics > 0 && C.arm_joints > 0)
    for (int i = 0; i < m.arm.followers.count; ++i)
      by.join_units(C.bodies + m.arm.followers.joint[at(i)].joint,
                    C.bodies + m.arm.followers.joint[at(i)].leader);
  by.flatten();
  found.islands = 0;
  by.each_contact([&](int first, int end, std::uint8_t root) { by.island_of(root).elements += end - first; });
  for (int i = 0; i < m.joints; ++i) by.island_of(by.root_of(m.joint[at(i)].bodies));
  if constexpr (C.arm_joints > 0)
    for (int j = 0; j < m.arm.links.joints; ++j)
      if (m.arm.links.link[at(j)].parent < 0) by.island_of(found.root[at(C.bodies + j)]);
  int next = 0;
  for (int i = 0; i < found.islands; ++i) {
    auto& island = found.island[at(i)];
    island.first = next;
    by.each_contact([&](int first, int end, std::uint8_t root) {
      if (root != island.root) return;
      for (int e = first; e < end; ++e) found.order[at(next++)] = static_cast<std::uint8_t>(e);
    });
  }
}

// The elements of one island, in their order.
template <class Scalar, int Dim, Capacity C>
struct Group {
  const Found<Scalar, Dim, C>& found;
  int first, elements;
  std::uint8_t root;

  Group(const Found<Scalar, Dim, C>& of, const Island& island)
      : found(of), first(island.first), elements(island.elements), root(island.root) {}
  std::size_t index(int k) const {
    if constexpr (kOneIsland<C>) return at(k);
    return found.order[at(first + k)];
  }
  const Element<Scalar, Dim>& operator[](int k) const { return found.element[index(k)]; }
  Scalar mu(int k) const { return found.mu[index(k)]; }
  const Scalar* offset(int k) const { return &found.offset[index(k) * Dim]; }
  // Whether a body moves with the island.
  bool has(int body) const {
    if constexpr (kOneIsland<C>) return true;
    return found.root[at(body)] == root;
  }
};

}  // namespace tactus::stepper::detail
