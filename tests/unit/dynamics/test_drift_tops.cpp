// The free turn against the equations of motion integrated otherwise, and the closed forms of two tops.
#include "euler.hpp"
#include "free_body.hpp"

using namespace free_body;
using euler::integrated;
using euler::Turning;

namespace {

#ifdef __arm__
constexpr double kSeconds = 1;
constexpr bool kBoard = true;
#else
constexpr double kSeconds = 20;
constexpr bool kBoard = false;
#endif

// 0.1 s at 98 rad/s. Halved steps leave a sixteenth of the error; of order 2 it would be a quarter.
void the_turn_is_of_order_four() {
  const Vector moments = kMoments[0], spin(60, 60, 50);
  Body<double> start(moments, spin, false);
  const Turning truth =
      integrated(moments,
                 {{static_cast<long double>(start.pose.w), static_cast<long double>(start.pose.x),
                   static_cast<long double>(start.pose.y), static_cast<long double>(start.pose.z)},
                  {static_cast<long double>(spin[0]), static_cast<long double>(spin[1]),
                   static_cast<long double>(spin[2])}},
                 0.1, 10000);
  Pose<double> there;
  there.w = static_cast<double>(truth.q[0]), there.x = static_cast<double>(truth.q[1]);
  there.y = static_cast<double>(truth.q[2]), there.z = static_cast<double>(truth.q[3]);
  const Matrix R = geometry::frame(there).R;
  const Vector omega = R * Vector(static_cast<double>(truth.w[0]), static_cast<double>(truth.w[1]),
                                  static_cast<double>(truth.w[2]));
  double last_turn = 0, last_spin = 0;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    Body<double> body = start;
    for (long k = 0; k < std::lround(0.1 / h); ++k) TEST_ASSERT_TRUE(body.step(h));
    // The angle between two orientations near each other.
    const double turn = (body.R() - R).norm() / std::sqrt(2.0);
    const double change = size(Vector(body.spin() - omega)) / size(omega);
    if (last_turn > 0) {
      TEST_ASSERT_DOUBLE_WITHIN(0.1, 4, std::log2(last_turn / turn));
      TEST_ASSERT_DOUBLE_WITHIN(0.1, 4, std::log2(last_spin / change));
    } else {
      TEST_ASSERT_DOUBLE_WITHIN(2e-4, 0, turn);
    }
    last_turn = turn;
    last_spin = change;
  }
}

// pi / 2 over the arithmetic-geometric mean of 1 and k': the complete elliptic integral K.
double complete_integral(double other_modulus) {
  double a = 1, b = other_modulus;
  for (int i = 0; i < 40 && a - b > 1e-16; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::acos(-1.0) / (a + b);
}

// Dzhanibekov's nut: spun about its middle axis it turns over again and again, each time after 2 K(k) / p
// (Landau and Lifshitz, Mechanics, 37). Only in double: the time is a logarithm of the distance from the
// separatrix, which float does not hold.
void a_nut_turns_over_on_time() {
  const Vector I = kMoments[0];
  for (const double h : {1e-3, 2e-3}) {
    const Vector spin(1, 100, 0.5);
    Body<double> nut(I, spin);
    const double twice_energy = I.dot(spin.cwiseProduct(spin)), L = size(Vector(I.cwiseProduct(spin)));
    const bool outer = L * L > twice_energy * I[1];
    const double first = outer ? I[0] : I[2], last = outer ? I[2] : I[0];
    const double lead = (last - I[1]) * (L * L - twice_energy * first);
    const double other_modulus = std::sqrt((last - first) * (L * L - twice_energy * I[1]) / lead);
    const double flip = 2 * complete_integral(other_modulus) / std::sqrt(lead / (I[0] * I[1] * I[2]));
    const Matrix P = axes();
    double before = 0, since = 0, sum = 0;
    int flips = -1;
    for (int k = 1; flips < (kBoard ? 4 : 40); ++k) {
      TEST_ASSERT_TRUE(k < 100000 && nut.step(h));
      const double now = P.col(1).dot(nut.own_spin()), t = k * h;
      if (before * now < 0) {
        const double crossed = t - h * now / (now - before);
        if (++flips > 0) sum += crossed - since;
        since = crossed;
      }
      before = now;
    }
    TEST_ASSERT_DOUBLE_WITHIN(h > 1e-3 ? 1e-4 : 1e-5, 1, sum / flips / flip);
  }
}

// A heavy symmetric top about its tip in slow steady precession: A cos(theta) W^2 - C w W + m g l = 0. The
// torque is a kick at the start of each step, so the top nods by some h / 2 of a turn of its precession,
// 1e-4.
template <class Scalar>
void a_top_precesses(double seconds) {
  const double A = 2e-3, C = 1e-3, mgl = 0.05 * 9.81 * 0.04, theta = 0.6, own = 100, h = 1e-3;
  const double pace =
      (C * own - std::sqrt(C * C * own * own - 4 * A * std::cos(theta) * mgl)) / (2 * A * std::cos(theta));
  Body<Scalar> top({A, A, C}, {0, 0, 0}, false);
  const auto start = turned(std::cos(theta / 2), std::sin(theta / 2), 0, 0);
  top.pose.w = static_cast<Scalar>(start.w), top.pose.x = static_cast<Scalar>(start.x);
  top.pose.y = top.pose.z = 0;
  const Vector axis = top.R().col(2);
  top.velocity.angular =
      Vector(Vector(0, 0, pace) + (own - pace * std::cos(theta)) * axis).template cast<Scalar>();
  const double upright = top.momentum()[2];
  double turned_by = 0, before = std::atan2(axis[1], axis[0]);
  const long steps = std::lround(seconds / h);
  for (long k = 0; k < steps; ++k) {
    const auto at = geometry::frame(top.pose);
    const Scalar kick = static_cast<Scalar>(h * mgl);
    const math::Vector<Scalar, 3> push(-kick * at.R(1, 2), kick * at.R(0, 2), 0);
    top.velocity.angular += math::times<Scalar, 3>(dynamics::world_inverse<Scalar, 3>(top.inertia, at), push);
    TEST_ASSERT_TRUE(top.step(h));
    const Vector now = top.R().col(2);
    const double angle = std::atan2(now[1], now[0]);
    turned_by += std::remainder(angle - before, 2 * std::acos(-1.0));
    before = angle;
    TEST_ASSERT_DOUBLE_WITHIN(2e-4, theta, std::acos(now[2]));
    TEST_ASSERT_DOUBLE_WITHIN(static_cast<double>(100 * std::numeric_limits<Scalar>::epsilon()), 1,
                              top.momentum()[2] / upright);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, pace * seconds, turned_by);
}

void tops_precess_as_they_should() {
  a_top_precesses<float>(kSeconds);
  a_top_precesses<double>(kBoard ? 0.1 : kSeconds);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_turn_is_of_order_four);
  RUN_TEST(a_nut_turns_over_on_time);
  RUN_TEST(tops_precess_as_they_should);
  return UNITY_END();
}
