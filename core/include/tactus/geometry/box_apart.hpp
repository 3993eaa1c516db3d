// The shortest way between two boxes that are apart.
#pragma once

#include <cmath>
#include <limits>

#include "tactus/geometry/box_at.hpp"

namespace tactus::geometry::detail {

// Tries every pair of edges, but what cannot win: along a unit n that separates the boxes by `bound`, an edge
// of a at least x behind a's front and an edge of b at least y behind b's are at least bound + x + y apart.
// Nothing is found where all are farther apart than the margin. A corner over the middle of a face is not
// looked for: there the face's normal attains the bound.
template <class Scalar>
class ShortestWay {
 public:
  math::Vector3<Scalar> on_a = math::Vector3<Scalar>::Zero(), on_b = math::Vector3<Scalar>::Zero();
  Scalar squared = std::numeric_limits<Scalar>::infinity();

  ShortestWay(const BoxAt<Scalar>& a, const BoxAt<Scalar>& b, const math::Vector3<Scalar>& n, Scalar bound,
              Scalar margin)
      : front_a_(front(a, n)), front_b_(front(b, -n)), bound_(bound), margin_(margin) {
    for (int k = 0; k < 12; ++k) {
      const Segment<Scalar> p = edge_of(a, k / 4, (k & 1) != 0, (k & 2) != 0);
      const Scalar behind = front_a_ - math::dot(n, p.middle) - std::abs(math::dot(n, p.along)) * p.half;
      if (!can_win(behind)) continue;
      for (int l = 0; l < 12; ++l) {
        const Segment<Scalar> q = edge_of(b, l / 4, (l & 1) != 0, (l & 2) != 0);
        if (!can_win(behind + front_b_ + math::dot(n, q.middle) - std::abs(math::dot(n, q.along)) * q.half))
          continue;
        const SegmentPair<Scalar> near = nearest(p, q);
        shorten(p.at(near.s), q.at(near.t));
      }
    }
  }

 private:
  Scalar front_a_, front_b_, bound_, margin_;

  static Scalar front(const BoxAt<Scalar>& box, const math::Vector3<Scalar>& n) {
    const math::Vector3<Scalar> m = box.frame.turn_back(n);
    return math::dot(n, box.frame.position) +
           ((std::abs(m.x()) * box.half.x() + std::abs(m.y()) * box.half.y()) +
            std::abs(m.z()) * box.half.z());
  }
  bool can_win(Scalar behind) const {
    const Scalar least = bound_ + (behind > 0 ? behind : 0);
    return !(least > margin_ || (least > 0 && least * least >= squared));
  }
  void shorten(const math::Vector3<Scalar>& from, const math::Vector3<Scalar>& to) {
    const Scalar candidate = math::squared_norm<Scalar, 3>(to - from);
    if (!(candidate < squared)) return;
    on_a = from;
    on_b = to;
    squared = candidate;
  }
};

}  // namespace tactus::geometry::detail
