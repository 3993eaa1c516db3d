// Which elements, joints and arms act on each other: each such island is solved by itself, so that ten boxes
// apart cost ten times what one costs, and none is judged by another's forces.
//
// Cost: about 10 operations an element and joint. It cannot fail.
#pragma once

#include "tactus/step/find.hpp"

namespace tactus::step::detail {

// The unit that a body belongs to, -1 for what is fixed.
template <class Scalar, int Dim, Capacity C>
inline int unit_of(const Model<Scalar, Dim, C>& m, int body) {
  if constexpr (C.arm_joints > 0) {
    if (m.arm.carries(body)) {
      int link = m.arm.mount[at(body)].link;
      while (m.arm.links.link[at(link)].parent >= 0) link = m.arm.links.link[at(link)].parent;
      return C.bodies + link;
    }
  }
  return m.inertia[at(body)].inverse_mass > 0 ? body : -1;
}

template <class Scalar, int Dim, Capacity C>
struct Islander {
  const Model<Scalar, Dim, C>& m;
  Found<Scalar, Dim, C>& found;

  std::uint8_t root_of(int unit) const {
    while (found.root[at(unit)] != unit) unit = found.root[at(unit)];
    return static_cast<std::uint8_t>(unit);
  }
  void join(dynamics::Pair bodies) {
    const int a = unit_of(m, bodies.a), b = unit_of(m, bodies.b);
    if (a < 0 || b < 0) return;
    const auto ra = root_of(a), rb = root_of(b);
    found.root[ra < rb ? rb : ra] = ra < rb ? ra : rb;
  }
  std::uint8_t root_of(dynamics::Pair bodies) const {
    const int a = unit_of(m, bodies.a);
    return root_of(a >= 0 ? a : unit_of(m, bodies.b));
  }
  int island_of(std::uint8_t root) {
    for (int i = 0; i < found.islands; ++i)
      if (found.island[at(i)].root == root) return i;
    found.island[at(found.islands)] = {root, 0, 0};
    return found.islands++;
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
  for (int u = 0; u < kUnits<C>; ++u) found.root[at(u)] = static_cast<std::uint8_t>(u);
  for (int i = 0; i < found.elements; ++i)
    if (found.element[at(i)].within == 0) by.join(found.element[at(i)].bodies);
  for (int i = 0; i < m.joints; ++i) by.join(m.joint[at(i)].bodies);
  found.islands = 0;
  for (int i = 0; i < found.elements; ++i)
    ++found.island[at(by.island_of(by.root_of(found.element[at(i)].bodies)))].elements;
  for (int i = 0; i < m.joints; ++i) by.island_of(by.root_of(m.joint[at(i)].bodies));
  if constexpr (C.arm_joints > 0)
    for (int j = 0; j < m.arm.links.joints; ++j)
      if (m.arm.links.link[at(j)].parent < 0) by.island_of(by.root_of(C.bodies + j));
  int next = 0;
  for (int i = 0; i < found.islands; ++i) {
    auto& island = found.island[at(i)];
    island.first = next;
    if (found.islands == 1) {  // the usual case
      for (; next < found.elements; ++next) found.order[at(next)] = static_cast<std::uint8_t>(next);
      break;
    }
    for (int e = 0; e < found.elements; ++e)
      if (by.root_of(found.element[at(e)].bodies) == island.root)
        found.order[at(next++)] = static_cast<std::uint8_t>(e);
  }
  for (int u = 0; u < kUnits<C>; ++u) found.root[at(u)] = by.root_of(u);
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
  bool has(const Model<Scalar, Dim, C>& m, int body) const {
    if (found.islands == 1) return true;
    const int unit = unit_of(m, body);
    return unit >= 0 && found.root[at(unit)] == root;
  }
};

}  // namespace tactus::step::detail
