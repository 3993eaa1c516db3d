// What a pair costs on an emulated Cortex-M in float: instructions of find_contacts, frames given. Prints the
// dearest of many poses for each pair, and holds it against the bound that the room's README states.
#include <unity.h>

#include "boards/board.hpp"
#include "oracle.hpp"

namespace {

namespace geo = tactus::geometry;
namespace math = tactus::math;

void print(const char* name, std::uint32_t mean, std::uint32_t most) {
  char text[80];
  int at = 0;
  const auto put = [&](const char* s) {
    while (*s != '\0' && at < 70) text[at++] = *s++;
  };
  const auto put_number = [&](std::uint32_t n) {
    char digits[12] = {};
    int i = 11;
    do {
      digits[--i] = static_cast<char>('0' + n % 10);
      n /= 10;
    } while (n != 0);
    put(digits + i);
  };
  put(name);
  put(": mean ");
  put_number(mean);
  put(", most ");
  put_number(most);
  text[at] = '\0';
  TEST_MESSAGE(text);
}

// Out of line, so that the cost is that of a call and does not depend on what else is measured.
template <class Contacts, class Shape, class Frame>
[[gnu::noinline]] geo::FindStatus find(const Shape& a, const Frame& frame_a, const Shape& b,
                                       const Frame& frame_b, float margin, Contacts& set) {
  return geo::find_contacts(a, frame_a, b, frame_b, margin, set);
}

// Poses in which most pairs are apart but within the margin, or slightly in penetration.
template <class Contacts, class Shape, class MakeFrame>
void measure(const char* name, const Shape& a, const Shape& b, float margin, std::uint32_t bound,
             MakeFrame make_frame) {
  oracle::Random random(3);
  std::uint32_t most = 0, sum = 0;
  Contacts set;
  for (int i = 0; i < 200; ++i) {
    const auto fa = make_frame(random), fb = make_frame(random);
    const std::uint32_t before = board::counter();
    const auto status = find(a, fa, b, fb, margin, set);
    const std::uint32_t cost = board::counts_since(before);
    TEST_ASSERT_TRUE(status == geo::FindStatus::ok);
    sum += cost;
    most = cost > most ? cost : most;
  }
  print(name, sum / 200, most);
  TEST_ASSERT_TRUE_MESSAGE(most <= bound, name);
}

void planar(const char* name, const geo::PlanarShape<float>& a, const geo::PlanarShape<float>& b,
            std::uint32_t bound, float margin = 10, double range = 0.3) {
  measure<geo::PlanarContacts<float>>(name, a, b, margin, bound, [range](oracle::Random& random) {
    return geo::frame(oracle::pose2<float>(random, range));
  });
}

void spatial(const char* name, const geo::SpatialShape<float>& a, const geo::SpatialShape<float>& b,
             std::uint32_t bound, float margin = 10, double range = 0.3) {
  measure<geo::SpatialContacts<float>>(name, a, b, margin, bound, [range](oracle::Random& random) {
    return geo::frame(oracle::pose3<float>(random, range));
  });
}

// Next to the cusp of the evolute, (a^2 - b^2) / a = 0.075 on the long axis, Newton's method takes all its
// steps.
void the_slowest_ellipses() {
  int calls = 0;
  measure<geo::PlanarContacts<float>>("disc, ellipse, at the cusp", geo::ellipse(0.1F, 0.05F),
                                      geo::disc(0.1F), 10, 1200, [&calls](oracle::Random&) {
                                        const float x = calls++ % 2 == 0 ? 0.0F : 0.075F;
                                        return geo::frame(geo::PlanarPose<float>{x, x * 1e-9F, 0});
                                      });
  measure<geo::SpatialContacts<float>>("sphere, ellipsoid, at the cusp", geo::ellipsoid(0.1F, 0.05F, 0.07F),
                                       geo::sphere(0.1F), 10, 2000, [&calls](oracle::Random&) {
                                         const float x = calls++ % 2 == 0 ? 0.0F : 0.075F;
                                         geo::SpatialPose<float> pose;
                                         pose.position = {x, x * 1e-9F, 0};
                                         return geo::frame(pose);
                                       });
}

void pairs_in_the_plane() {
  const auto ground = geo::half_space<float>(math::Vector2<float>(0, 1), -2);
  const auto disc = geo::disc(0.1F), ellipse = geo::ellipse(0.1F, 0.05F), box = geo::box(0.1F, 0.05F),
             polygon = geo::polygon(1000, 0.1F), rod = geo::rod(0.2F);
  planar("half-space, apart", ground, box, 130, 0.001F);
  planar("bodies, apart", box, box, 130, 0.001F, 100);
  planar("half-space, disc", ground, disc, 300);
  planar("half-space, ellipse", ground, ellipse, 300);
  planar("half-space, box", ground, box, 450);
  planar("half-space, polygon", ground, polygon, 2500);
  planar("half-space, rod", ground, rod, 400);
  planar("disc, disc", disc, disc, 300);
  planar("disc, ellipse", disc, ellipse, 700);
  planar("disc, box", disc, box, 450);
  planar("disc, polygon", disc, polygon, 750);
  planar("disc, rod", disc, rod, 400);
  planar("box, box", box, box, 4000);
  planar("box, rod", box, rod, 2600);
}

void pairs_in_space() {
  const auto ground = geo::half_space<float>(math::Vector3<float>(0, 0, 1), -2);
  const auto sphere = geo::sphere(0.1F), ellipsoid = geo::ellipsoid(0.1F, 0.05F, 0.07F),
             box = geo::box(0.1F, 0.05F, 0.07F), capsule = geo::capsule(0.05F, 0.1F);
  spatial("half-space, apart", ground, box, 180, 0.001F);
  spatial("bodies, apart", box, box, 180, 0.001F, 100);
  spatial("half-space, sphere", ground, sphere, 550);
  spatial("half-space, ellipsoid", ground, ellipsoid, 650);
  spatial("half-space, box", ground, box, 1400);
  spatial("half-space, capsule", ground, capsule, 700);
  spatial("sphere, sphere", sphere, sphere, 650);
  spatial("sphere, ellipsoid", sphere, ellipsoid, 1300);
  spatial("sphere, box", sphere, box, 850);
  spatial("sphere, capsule", sphere, capsule, 750);
  spatial("capsule, capsule", capsule, capsule, 950);
  spatial("capsule, box", capsule, box, 2400);
  spatial("box, box, all poses", box, box, 30000);
  spatial("box, box, within 5 mm", box, box, 5600, 0.005F, 0.1);
  spatial("box, box, overlapping", box, box, 5600, 10, 0.02);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(pairs_in_the_plane);
  RUN_TEST(pairs_in_space);
  RUN_TEST(the_slowest_ellipses);
  return UNITY_END();
}
