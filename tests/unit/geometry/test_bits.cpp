// The same bits on every machine: a checksum over all contacts of all supported pairs on random poses.
// Nothing derives the two numbers below; they are what every compiler, processor and optimisation must agree
// on, and they change only together with a kernel. GCC for x86-64, Clang for x86-64 and GCC for Cortex-M run
// this same file.
#include <unity.h>

#include "oracle.hpp"
#include "tests/unit/checksum.hpp"

namespace {

namespace geo = tactus::geometry;
namespace math = tactus::math;

template <class Scalar, int Dim>
void add(Checksum& sum, const Eigen::Matrix<Scalar, Dim, 1>& v) {
  for (int i = 0; i < Dim; ++i) sum.add(v[i]);
}
template <class Contacts>
void add_contacts(Checksum& sum, const Contacts& set) {
  sum.add(set.count);
  for (int i = 0; i < set.count; ++i) {
    sum.add(set[i].gap);
    add(sum, set[i].point_a);
    add(sum, set[i].point_b);
    add(sum, set[i].normal);
    add(sum, set[i].tangent);
    sum.add(set[i].feature);
  }
}

template <class Scalar>
std::uint32_t checksum() {
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  const geo::PlanarShape<Scalar> planar[] = {
      geo::half_space<Scalar>(math::Vector2<Scalar>(s(0.3), 1), s(0.1)),
      geo::disc<Scalar>(s(0.3)),
      geo::ellipse<Scalar>(s(0.4), s(0.1)),
      geo::box<Scalar>(s(0.3), s(0.2)),
      geo::polygon<Scalar>(37, s(0.4)),
      geo::rod<Scalar>(s(0.9))};
  const geo::SpatialShape<Scalar> spatial[] = {
      geo::half_space<Scalar>(math::Vector3<Scalar>(s(0.3), 1, s(0.2)), s(0.1)), geo::sphere<Scalar>(s(0.3)),
      geo::ellipsoid<Scalar>(s(0.4), s(0.1), s(0.2)), geo::box<Scalar>(s(0.3), s(0.2), s(0.1)),
      geo::capsule<Scalar>(s(0.2), s(0.3))};
  oracle::Random random(1);
  Checksum sum;
  for (int i = 0; i < 40; ++i) {
    for (const auto& a : planar) {
      for (const auto& b : planar) {
        const auto pose_a = oracle::pose2<Scalar>(random, 0.5), pose_b = oracle::pose2<Scalar>(random, 0.5);
        geo::PlanarContacts<Scalar> set;
        geo::find_contacts(a, pose_a, b, pose_b, s(0.3), set);
        add_contacts(sum, set);
      }
    }
    for (const auto& a : spatial) {
      for (const auto& b : spatial) {
        const auto pose_a = oracle::pose3<Scalar>(random, 0.5), pose_b = oracle::pose3<Scalar>(random, 0.5);
        geo::SpatialContacts<Scalar> set;
        geo::find_contacts(a, pose_a, b, pose_b, s(0.3), set);
        add_contacts(sum, set);
      }
    }
    for (const double range : {10.0, 1e4, 1e9, 1e30}) {
      const auto turn = math::sin_cos(s(random.uniform(-range, range)));
      sum.add(turn.sin);
      sum.add(turn.cos);
    }
  }
  return sum.value();
}

void float_has_the_same_bits() {
  TEST_ASSERT_EQUAL_HEX32(0x2ca90b79, checksum<float>());
}
void double_has_the_same_bits() {
  TEST_ASSERT_EQUAL_HEX32(0x0963bf8b, checksum<double>());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(float_has_the_same_bits);
  RUN_TEST(double_has_the_same_bits);
  return UNITY_END();
}
