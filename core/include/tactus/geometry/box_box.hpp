// Box against box in space: up to eight points face to face, one at crossing edges.
//
// The facets of the Minkowski difference of two boxes have the normals of the faces of both (3 + 3) and the
// products of an edge of each (9). The largest separation over these 15 is the signed gap in penetration,
// exactly, and a lower bound of the distance otherwise.
//   Face: the facing side of the other box is clipped to the reference face (four planes, at most 8 corners);
//   the gaps are the heights above the reference face. In a tie the reference is a face of body a, and a face
//   comes before an edge. An edge pair within 1.1 degrees of the face's normal also gives way to the face, so
//   that a resting box keeps its corners; the least gap is then at most 2e-4 of itself too large. Edges: the
//   nearest points of the two edges.
// Apart, the answer is exact where a point attains the lower bound. Where none does, two corners, or a corner
// and an edge, are nearest: then 16 corners are held against the other box and 144 pairs of edges against
// each other, and one point results. That is the worst case of this room; the README gives its cost.
#pragma once

#include <array>

#include "tactus/geometry/contact.hpp"
#include "tactus/geometry/distance.hpp"
#include "tactus/geometry/pose.hpp"
#include "tactus/geometry/segment.hpp"

namespace tactus::geometry::detail {

template <class Scalar>
struct BoxAt {
  Vector3<Scalar> half;
  SpatialFrame<Scalar> frame;

  Vector3<Scalar> axis(int i) const { return frame.R.col(i); }
};

template <class Scalar>
struct SeparatingAxis {
  Scalar separation = -std::numeric_limits<Scalar>::infinity();
  int i = -1, j = -1;                                 // axis of a, axis of b; one of them -1 for a face
  Vector3<Scalar> normal = Vector3<Scalar>::UnitZ();  // from a to b
};

constexpr int next(int i) {
  return i == 2 ? 0 : i + 1;
}

template <class Scalar>
struct BoxSeparation {
  SeparatingAxis<Scalar> face, edge;
};

// Everything in a's frame: R = A^T B, t from a to b. A product's components follow from R: for a_i x b_j they
// are 0 along i and -R(k, j), R(next i, j) along the other two, with k = next next i.
template <class Scalar>
BoxSeparation<Scalar> separate(const BoxAt<Scalar>& a, const BoxAt<Scalar>& b, const Matrix3<Scalar>& R,
                               const Vector3<Scalar>& t, Scalar rounding) {
  BoxSeparation<Scalar> best;
  const auto sign = [](Scalar x) { return x < 0 ? static_cast<Scalar>(-1) : static_cast<Scalar>(1); };
  const Vector3<Scalar> t_b = rotate_back(R, t);
  for (int i = 0; i < 3; ++i) {
    const Scalar reach =
        (b.half.x() * std::abs(R(i, 0)) + b.half.y() * std::abs(R(i, 1))) + b.half.z() * std::abs(R(i, 2));
    const Scalar separation = std::abs(t[i]) - a.half[i] - reach;
    if (separation > best.face.separation) best.face = {separation, i, -1, sign(t[i]) * a.axis(i)};
  }
  SeparatingAxis<Scalar> of_b;
  for (int j = 0; j < 3; ++j) {
    const Scalar reach =
        (a.half.x() * std::abs(R(0, j)) + a.half.y() * std::abs(R(1, j))) + a.half.z() * std::abs(R(2, j));
    const Scalar separation = std::abs(t_b[j]) - b.half[j] - reach;
    if (separation > of_b.separation) of_b = {separation, -1, j, sign(t_b[j]) * b.axis(j)};
  }
  if (of_b.separation > best.face.separation + rounding) best.face = of_b;

  for (int i = 0; i < 3; ++i) {
    const int i1 = next(i), i2 = next(i1);
    for (int j = 0; j < 3; ++j) {
      const int j1 = next(j), j2 = next(j1);
      const Scalar length2 = R(i1, j) * R(i1, j) + R(i2, j) * R(i2, j);
      if (length2 < kParallel<Scalar>) continue;
      const Scalar level = t[i2] * R(i1, j) - t[i1] * R(i2, j);
      const Scalar reach = (a.half[i1] * std::abs(R(i2, j)) + a.half[i2] * std::abs(R(i1, j))) +
                           (b.half[j1] * std::abs(R(i, j2)) + b.half[j2] * std::abs(R(i, j1)));
      const Scalar length = std::sqrt(length2), separation = (std::abs(level) - reach) / length;
      if (separation > best.edge.separation) {
        const Scalar s = sign(level) / length;
        const Vector3<Scalar> n = (s * R(i1, j)) * a.axis(i2) - (s * R(i2, j)) * a.axis(i1);
        best.edge = {separation, i, j, n};
      }
    }
  }
  return best;
}

// A corner of the facing side in the reference face's coordinates: u and v in the face, w above it.
template <class Scalar>
using ClipCorners = std::array<Vector3<Scalar>, 8>;

// Keeps what lies at sign * corner[k] <= limit; a convex polygon gains at most one corner by a cut.
template <class Scalar>
int cut(const ClipCorners<Scalar>& in, int count, int k, Scalar sign, Scalar limit,
        ClipCorners<Scalar>& out) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const auto& p = in[static_cast<std::size_t>(i)];
    const auto& q = in[static_cast<std::size_t>(i + 1 == count ? 0 : i + 1)];
    const Scalar beyond_p = sign * p[k] - limit, beyond_q = sign * q[k] - limit;
    if (beyond_p <= 0 && kept < 8) out[static_cast<std::size_t>(kept++)] = p;
    if ((beyond_p <= 0) != (beyond_q <= 0) && kept < 8) {
      out[static_cast<std::size_t>(kept++)] = p + (beyond_p / (beyond_p - beyond_q)) * (q - p);
    }
  }
  return kept;
}

// Almost equal boxes give corners a hair apart, and corners in the middle of a straight side. A corner less
// than `near` from the chord of its neighbours goes, unless it is lower than both, so that the least height
// stays. At least two stay, or one where those two are closer than `near`.
template <class Scalar>
int simplify(ClipCorners<Scalar>& corner, int count, Scalar near) {
  const auto drop = [&corner, &count](int i) {
    for (--count; i < count; ++i)
      corner[static_cast<std::size_t>(i)] = corner[static_cast<std::size_t>(i + 1)];
  };
  for (int i = 0; i < count && count > 2;) {
    const Vector3<Scalar>& p = corner[static_cast<std::size_t>(i)];
    const Vector3<Scalar>& before = corner[static_cast<std::size_t>(i == 0 ? count - 1 : i - 1)];
    const Vector3<Scalar>& after = corner[static_cast<std::size_t>(i + 1 == count ? 0 : i + 1)];
    const Vector2<Scalar> arm(p.x() - before.x(), p.y() - before.y());
    const Vector2<Scalar> chord(after.x() - before.x(), after.y() - before.y());
    const Scalar length = norm(chord);
    const Scalar distance = length > near ? std::abs(cross(chord, arm)) / length : norm(arm);
    if (distance < near && (p.z() >= before.z() || p.z() >= after.z())) {
      drop(i);
    } else {
      ++i;
    }
  }
  if (count == 2) {
    const Scalar apart = std::abs(corner[0].x() - corner[1].x()) + std::abs(corner[0].y() - corner[1].y());
    if (apart < near) drop(corner[1].z() < corner[0].z() ? 0 : 1);
  }
  return count;
}

// Adds the points of a face contact and returns the least height, infinity if nothing is left of the facing
// side. `axis` is the face's axis in the reference box, n its normal from the reference to the other box.
template <class Scalar>
Scalar add_face_points(const BoxAt<Scalar>& reference, const BoxAt<Scalar>& other, int axis,
                       const Vector3<Scalar>& n, bool swapped, Scalar rounding, Scalar margin,
                       SpatialContacts<Scalar>& set) {
  const int u = next(axis), v = next(u);
  const Vector3<Scalar> eu = reference.axis(u), ev = reference.axis(v);
  const Vector3<Scalar> m = other.frame.turn_back(n);
  const Vector3<Scalar> size = m.cwiseAbs();
  const int facing = size.z() >= size.x() && size.z() >= size.y() ? 2 : (size.y() >= size.x() ? 1 : 0);
  const Vector3<Scalar> x = other.half[next(facing)] * other.axis(next(facing));
  const Vector3<Scalar> y = other.half[next(next(facing))] * other.axis(next(next(facing)));
  const Scalar towards = m[facing] < 0 ? other.half[facing] : -other.half[facing];
  const Vector3<Scalar> middle =
      other.frame.position + towards * other.axis(facing) - reference.frame.position;

  ClipCorners<Scalar> one, two;
  for (int i = 0; i < 4; ++i) {  // around the side
    const Scalar sx = i == 1 || i == 2 ? static_cast<Scalar>(1) : static_cast<Scalar>(-1);
    const Scalar sy = i >= 2 ? static_cast<Scalar>(1) : static_cast<Scalar>(-1);
    const Vector3<Scalar> p = middle + sx * x + sy * y;
    one[static_cast<std::size_t>(i)] = {dot(eu, p), dot(ev, p), dot(n, p) - reference.half[axis]};
  }
  int count = cut<Scalar>(one, 4, 0, 1, reference.half[u] + rounding, two);
  count = cut<Scalar>(two, count, 0, -1, reference.half[u] + rounding, one);
  count = cut<Scalar>(one, count, 1, 1, reference.half[v] + rounding, two);
  count = cut<Scalar>(two, count, 1, -1, reference.half[v] + rounding, one);

  const Scalar smaller_reference =
      reference.half[u] < reference.half[v] ? reference.half[u] : reference.half[v];
  const Scalar x2 = squared_norm(x), y2 = squared_norm(y), smaller_other = std::sqrt(x2 < y2 ? x2 : y2);
  const Scalar smaller = smaller_reference < smaller_other ? smaller_reference : smaller_other;
  count = simplify(one, count, static_cast<Scalar>(1e-3) * smaller);

  const Axes<Scalar> axes(swapped ? Vector3<Scalar>(-n) : n);
  Scalar least = std::numeric_limits<Scalar>::infinity();
  for (int i = 0; i < count; ++i) {
    const Vector3<Scalar>& p = one[static_cast<std::size_t>(i)];
    least = p.z() < least ? p.z() : least;
    if (p.z() > margin) continue;
    const Vector3<Scalar> foot =
        reference.frame.position + p.x() * eu + p.y() * ev + reference.half[axis] * n;
    const int feature = (swapped ? 1024 : 0) + 256 * axis + 64 * facing + i;
    add<Scalar>(set, p.z(), swapped ? Vector3<Scalar>(foot + p.z() * n) : foot, axes, feature);
  }
  return least;
}

template <class Scalar>
Segment<Scalar> edge_of(const BoxAt<Scalar>& box, int axis, bool positive1, bool positive2) {
  const int k1 = next(axis), k2 = next(k1);
  const Scalar h1 = positive1 ? box.half[k1] : -box.half[k1], h2 = positive2 ? box.half[k2] : -box.half[k2];
  return {box.frame.position + h1 * box.axis(k1) + h2 * box.axis(k2), box.axis(axis), box.half[axis]};
}

// The edge of `box` parallel to its axis `axis` that lies farthest in direction n.
template <class Scalar>
Segment<Scalar> farthest_edge(const BoxAt<Scalar>& box, int axis, const Vector3<Scalar>& n) {
  return edge_of(box, axis, dot(n, box.axis(next(axis))) > 0, dot(n, box.axis(next(next(axis)))) > 0);
}

// Two boxes apart, by trying every corner against the other box and every pair of edges, but what cannot win:
// along a unit n that separates the boxes by `bound`, whatever of a lies at least x behind a's front and of b
// at least y behind b's is at least bound + x + y apart. Nothing is found where all is farther apart than the
// margin.
template <class Scalar>
class ShortestWay {
 public:
  Vector3<Scalar> on_a = Vector3<Scalar>::Zero(), on_b = Vector3<Scalar>::Zero();
  Scalar squared = std::numeric_limits<Scalar>::infinity();

  ShortestWay(const BoxAt<Scalar>& a, const BoxAt<Scalar>& b, const Vector3<Scalar>& n, Scalar bound,
              Scalar margin)
      : front_a_(front(a, n)), front_b_(front(b, -n)), bound_(bound), margin_(margin) {
    for (int k = 0; k < 8; ++k) {
      const Vector3<Scalar> p = corner(a, k), q = corner(b, k);
      if (can_win(front_a_ - dot(n, p))) shorten(p, nearest_in(b, p));
      if (can_win(front_b_ + dot(n, q))) shorten(nearest_in(a, q), q);
    }
    for (int k = 0; k < 12; ++k) {
      const Segment<Scalar> p = edge_of(a, k / 4, (k & 1) != 0, (k & 2) != 0);
      const Scalar behind = front_a_ - dot(n, p.middle) - std::abs(dot(n, p.along)) * p.half;
      if (!can_win(behind)) continue;
      for (int l = 0; l < 12; ++l) {
        const Segment<Scalar> q = edge_of(b, l / 4, (l & 1) != 0, (l & 2) != 0);
        if (!can_win(behind + front_b_ + dot(n, q.middle) - std::abs(dot(n, q.along)) * q.half)) continue;
        const SegmentPair<Scalar> near = nearest(p, q);
        shorten(p.at(near.s), q.at(near.t));
      }
    }
  }

 private:
  Scalar front_a_, front_b_, bound_, margin_;

  static Scalar front(const BoxAt<Scalar>& box, const Vector3<Scalar>& n) {
    const Vector3<Scalar> m = box.frame.turn_back(n);
    return dot(n, box.frame.position) + ((std::abs(m.x()) * box.half.x() + std::abs(m.y()) * box.half.y()) +
                                         std::abs(m.z()) * box.half.z());
  }
  static Vector3<Scalar> corner(const BoxAt<Scalar>& box, int k) {
    return box.frame.to_world({(k & 4) != 0 ? box.half.x() : -box.half.x(),
                               (k & 2) != 0 ? box.half.y() : -box.half.y(),
                               (k & 1) != 0 ? box.half.z() : -box.half.z()});
  }
  static Vector3<Scalar> nearest_in(const BoxAt<Scalar>& box, const Vector3<Scalar>& p) {
    Vector3<Scalar> q = box.frame.to_body(p);
    for (int i = 0; i < 3; ++i) q[i] = clamp(q[i], -box.half[i], box.half[i]);
    return box.frame.to_world(q);
  }
  bool can_win(Scalar behind) const {
    const Scalar least = bound_ + (behind > 0 ? behind : 0);
    return !(least > margin_ || (least > 0 && least * least >= squared));
  }
  void shorten(const Vector3<Scalar>& from, const Vector3<Scalar>& to) {
    const Scalar candidate = squared_norm<Scalar, 3>(to - from);
    if (!(candidate < squared)) return;
    on_a = from;
    on_b = to;
    squared = candidate;
  }
};

template <class Scalar>
void find_boxes(const SpatialShape<Scalar>& shape_a, const SpatialFrame<Scalar>& frame_a,
                const SpatialShape<Scalar>& shape_b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                SpatialContacts<Scalar>& set) {
  const BoxAt<Scalar> a{shape_a.size, frame_a}, b{shape_b.size, frame_b};
  Matrix3<Scalar> R;
  for (int j = 0; j < 3; ++j) R.col(j) = frame_a.turn_back(b.axis(j));
  const Vector3<Scalar> t = frame_a.to_body(frame_b.position);
  const Scalar rounding = 16 * std::numeric_limits<Scalar>::epsilon() *
                          (bounding_radius(shape_a) + bounding_radius(shape_b) + norm(t));

  const BoxSeparation<Scalar> best = separate(a, b, R, t, rounding);
  const Scalar bound =
      best.edge.separation > best.face.separation ? best.edge.separation : best.face.separation;
  if (bound > margin) return;
  const Scalar slant = std::abs(dot(best.edge.normal, best.face.normal));
  const bool by_edge =
      best.edge.separation > best.face.separation + rounding && slant < static_cast<Scalar>(0.9998);
  if (!by_edge) {
    const bool swapped = best.face.i < 0;
    const Vector3<Scalar> n = swapped ? Vector3<Scalar>(-best.face.normal) : best.face.normal;
    const Scalar least =
        add_face_points(swapped ? b : a, swapped ? a : b, swapped ? best.face.j : best.face.i, n, swapped,
                        rounding, margin, set);
    const Scalar allowed = bound > 0 ? bound * static_cast<Scalar>(1.0002) + rounding : bound / 2 + rounding;
    if (least <= allowed) return;
    set.count = 0;
  }
  if (best.edge.i >= 0 && (by_edge || bound <= 0)) {
    const Segment<Scalar> p = farthest_edge<Scalar>(a, best.edge.i, best.edge.normal);
    const Segment<Scalar> q = farthest_edge<Scalar>(b, best.edge.j, -best.edge.normal);
    const SegmentPair<Scalar> near = nearest(p, q);
    const Scalar gap = best.edge.separation;
    const Vector3<Scalar> way = q.at(near.t) - p.at(near.s);
    const bool attained = norm<Scalar, 3>(way - gap * best.edge.normal) <= rounding;
    if (gap <= 0 || attained) {
      const int feature = 2048 + 3 * best.edge.i + best.edge.j;
      return add<Scalar>(set, gap, p.at(near.s), Axes<Scalar>(best.edge.normal), feature);
    }
  }
  const ShortestWay<Scalar> way(a, b, bound == best.face.separation ? best.face.normal : best.edge.normal,
                                bound, margin);
  const Scalar gap = bound > 0 ? std::sqrt(way.squared) : bound;  // infinite where nothing was found
  if (gap > margin) return;
  const Vector3<Scalar> n = direction<Scalar, 3>(way.on_b - way.on_a, best.face.normal);
  add<Scalar>(set, gap, way.on_a, Axes<Scalar>(n), 4096);
}

}  // namespace tactus::geometry::detail
