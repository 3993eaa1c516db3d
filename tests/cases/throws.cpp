// 10,000 thrown rods and boxes by each law of impacts, in the plane and in space: what an impact, and what a
// whole throw, adds to their energy (stepper/impacts.hpp).
#include <memory>
#include <random>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr double kG = 9.81;
constexpr int kThrows = 1250;  // of each law, dimension and precision
constexpr Capacity kSize{.bodies = 2, .contacts = 1, .slots = 8, .active = 8};

class Random {
 public:
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }

 private:
  std::mt19937 engine_{7};
};

template <class Scalar, int Dim>
struct Throw : Stage<Dim, kSize, Scalar> {
  using Vector = math::Vector<Scalar, Dim>;
  double gravity, drop = 0;  // J, m g H at the start

  Throw(Random& g, ImpactLaw law, double h, double weight)
      : Stage<Dim, kSize, Scalar>(h, Scalar(-weight) * Vector::Unit(Dim - 1), {.impact = law}),
        gravity(weight) {
    this->floor();
    const double a = 0.1, b = g.uniform(0.01, 0.1), c = g.uniform(0.02, 0.1);
    const bool flat = g.uniform(0, 1) < 0.25;
    BodyDescription<Scalar, Dim> d;
    d.mass = 1;
    double height = 0;
    const double angle = flat ? g.uniform(-1e-3, 1e-3) : g.uniform(-3, 3);
    if constexpr (Dim == 2) {
      d.inertia(0) = Scalar((a * a + b * b) / 3);
      d.shape = geometry::box<Scalar>(Scalar(a), Scalar(b));
      height = a * std::abs(std::sin(angle)) + b * std::abs(std::cos(angle));
      d.pose = {0, Scalar(height + 5e-4), Scalar(angle)};
      d.velocity.angular[0] = Scalar(g.uniform(-10, 10));
    } else {
      d.inertia = math::Vector<Scalar, 3>(Scalar((b * b + c * c) / 3), Scalar((a * a + c * c) / 3),
                                          Scalar((a * a + b * b) / 3))
                      .asDiagonal();
      d.shape = geometry::box<Scalar>(Scalar(a), Scalar(b), Scalar(c));
      const double along = g.uniform(0, 6.2831853);  // of the axis, in the floor
      d.pose.w = Scalar(std::cos(angle / 2));
      d.pose.x = Scalar(std::sin(angle / 2) * std::cos(along));
      d.pose.y = Scalar(std::sin(angle / 2) * std::sin(along));
      const auto R = geometry::frame(d.pose).R;
      height = a * std::abs(double{R(2, 0)}) + b * std::abs(double{R(2, 1)}) + c * std::abs(double{R(2, 2)});
      d.pose.position[2] = Scalar(height + 5e-4);
      for (int k = 0; k < 3; ++k) d.velocity.angular[k] = Scalar(g.uniform(-10, 10));
      d.velocity.linear[1] = Scalar(g.uniform(-2, 2));
    }
    drop = kG * (height + 5e-4);
    d.velocity.linear[0] = Scalar(g.uniform(-2, 2));
    d.velocity.linear[Dim - 1] = Scalar(-g.uniform(0, 3));
    this->add(d);
    const bool elastic = g.uniform(0, 1) < 0.1, slippery = g.uniform(0, 1) < 0.1;
    this->touch(0, 1, slippery ? 0 : g.uniform(0, 1), elastic ? 1 : g.uniform(0, 1));
  }
  double kinetic() const {
    [[maybe_unused]] const auto& pose = this->world.state.pose[1];
    const auto& v = this->world.state.velocity[1];
    const auto& inertia = this->world.model.inertia[1];
    double sum = 0;
    for (int k = 0; k < Dim; ++k) sum += double{v.linear[k]} * double{v.linear[k]} / 2;
    if constexpr (Dim == 2) {
      sum += double{inertia.tensor(0, 0)} * double{v.angular[0]} * double{v.angular[0]} / 2;
    } else {
      const auto R = geometry::frame(pose).R;
      for (int k = 0; k < 3; ++k) {
        double own = 0;
        for (int c = 0; c < 3; ++c) own += double{R(c, k)} * double{v.angular[c]};
        sum += double{inertia.tensor(k, k)} * own * own / 2;
      }
    }
    return sum;
  }
  double energy() const {
    double height = 0;
    if constexpr (Dim == 2)
      height = double{this->world.state.pose[1].y};
    else
      height = double{this->world.state.pose[1].position[2]};
    return kinetic() + gravity * height;
  }
};

// Without gravity nothing else changes the energy of a box in the plane: no step with an impact adds any.
template <class Scalar>
void no_impact_gains() {
  Random g;
  reference::Worst gain(sizeof(Scalar) == 8 ? "gain of an impact, double" : "gain of an impact, float");
  int impacts = 0;
  for (int law = 1; law <= 4; ++law) {
    for (int k = 0; k < kThrows; ++k) {
      auto thrown = std::make_unique<Throw<Scalar, 2>>(g, static_cast<ImpactLaw>(law), 1e-3, 0);
      double before = thrown->kinetic();
      const double unit = before + thrown->drop;
      for (int i = 0; i < 100; ++i) {
        impacts += thrown->Stage<2, kSize, Scalar>::step().impacts;
        const double now = thrown->kinetic();
        gain.see(std::max(0.0, (now - before) / unit));
        before = now;
      }
    }
  }
  std::printf("%d impacts\n", impacts);
  TEST_ASSERT_TRUE(impacts > 4 * kThrows);
  gain.within(sizeof(Scalar) == 8 ? 1e-9 : 1e-5);
}

// The largest gain of a whole throw of 0.3 s.
template <class Scalar, int Dim>
double gain_of_throws(double h) {
  Random g;
  double worst = 0;
  for (int law = 1; law <= 4; ++law) {
    for (int k = 0; k < kThrows; ++k) {
      auto thrown = std::make_unique<Throw<Scalar, Dim>>(g, static_cast<ImpactLaw>(law), h, kG);
      const double start = thrown->energy();
      for (int i = 0; i < static_cast<int>(std::lround(0.3 / h)); ++i)
        TEST_ASSERT_TRUE(step(thrown->world, thrown->workspace).status != StepStatus::failed);
      worst = std::max(worst, thrown->energy() / start - 1);
    }
  }
  std::printf("%s, in %d dimensions, h %.2g ms: a throw gains %.3g at most\n",
              sizeof(Scalar) == 8 ? "double" : "float", Dim, 1e3 * h, worst);
  return worst;
}

// The time of an impact, and the curvature of a turn: of first order in h.
template <class Scalar, int Dim>
void throws_gain_less_than_a_hundredth() {
  TEST_ASSERT_TRUE((gain_of_throws<Scalar, Dim>(1e-3) < 0.01));
  TEST_ASSERT_TRUE((gain_of_throws<Scalar, Dim>(2.5e-4) < 0.0025));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(no_impact_gains<double>);
  RUN_TEST(no_impact_gains<float>);
  RUN_TEST((throws_gain_less_than_a_hundredth<double, 2>));
  RUN_TEST((throws_gain_less_than_a_hundredth<double, 3>));
  RUN_TEST((throws_gain_less_than_a_hundredth<float, 2>));
  RUN_TEST((throws_gain_less_than_a_hundredth<float, 3>));
  return UNITY_END();
}
