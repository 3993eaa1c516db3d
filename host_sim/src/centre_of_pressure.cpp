#include "centre_of_pressure.hpp"

namespace tactus::host {
namespace {

using Three = std::array<double, 3>;

Three cross(const Three& p, const Three& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}

}  // namespace

// From the nearest point r by s t + u o with (s t + u o) x (fn n) = (moment - r x f) without its part along
// n; in the plane s alone.
void move_to_centre_of_pressure(ContactSample& contact, const Three& moment, const Three& centre, int dim) {
  const auto& n = contact.normal;
  const auto& t = contact.tangent;
  const auto& f = contact.force;
  const bool plane = dim == 2;
  const Three o = plane ? Three{} : cross(n, t);
  Three r{}, force{};
  for (std::size_t c = 0; c < 3; ++c) {
    r[c] = plane && c == 2 ? 0 : contact.point[c] - centre[c];
    force[c] = f[0] * n[c] + f[1] * t[c] + f[2] * o[c];
  }
  const Three known = cross(r, force);
  if (plane) {
    const double s = (moment[0] - known[2]) / cross(t, force)[2];
    for (std::size_t c = 0; c < 2; ++c) contact.point[c] += s * t[c];
    return;
  }
  double along_t = 0, along_o = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    along_t += (moment[c] - known[c]) * t[c];
    along_o += (moment[c] - known[c]) * o[c];
  }
  for (std::size_t c = 0; c < 3; ++c) contact.point[c] += (-along_o * t[c] + along_t * o[c]) / f[0];
}

}  // namespace tactus::host
