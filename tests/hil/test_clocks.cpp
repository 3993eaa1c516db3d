// Two of the firmware's engines in one process, each with a clock of its own: whatever one does between two
// looks of the other at its counter, each says what it says alone, bit for bit.
#include <pb_encode.h>
#include <unity.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "firmware/clock.hpp"
#include "firmware/engines.hpp"

namespace {

using namespace tactus;

class Machine;

// Time stands still but for looks at it, and in one a tick of another machine may pass.
struct Look {
  std::uint32_t counts = 0;
  std::uint32_t now = 0;
  Machine* other = nullptr;
};
struct Counter {
  Look* look = nullptr;
  std::uint32_t operator()();
  std::uint32_t since(std::uint32_t earlier) { return operator()() - earlier; }
};

constexpr std::uint32_t kTick = 100'000;  // counts
constexpr std::uint32_t kHorizon = 8;

class Machine {
 public:
  Machine(const tactus_wire_Configure& scene, std::uint32_t look) {
    look_.counts = look;
    clock_.limits = firmware::TimeLimits(Counter{&look_});
    TEST_ASSERT_TRUE(engines_.configure(scene, clock_).what == What::none);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Goes on within each look of the other at its counter.
  void interrupt(Machine& other) { other.look_.other = this; }

  void tick() {
    tactus_wire_Prediction out = tactus_wire_Prediction_init_zero;
    clock_.limits.begin(kTick / 2, kTick / 4 * 3, 0);
    engines_.predict(out, clock_);
    cut = cut || out.steps < kHorizon;
    certified = certified || out.verdict == tactus_wire_Verdict_CERTIFIED;
    std::uint8_t bytes[tactus_wire_Prediction_size];
    pb_ostream_t stream = pb_ostream_from_buffer(bytes, sizeof bytes);
    TEST_ASSERT_TRUE(pb_encode(&stream, tactus_wire_Prediction_fields, &out));
    said.emplace_back(bytes, bytes + stream.bytes_written);
  }

  bool cut = false, certified = false;
  std::vector<std::string> said;

 private:
  Look look_;
  firmware::TickClock<firmware::TimeLimits<Counter>> clock_;
  firmware::Engines engines_;
};

std::uint32_t Counter::operator()() {
  if (look->other != nullptr) look->other->tick();
  return look->now += look->counts;
}

template <std::size_t N>
pb_size_t fill(float (&to)[N], std::initializer_list<float> from) {
  std::copy(from.begin(), from.end(), to);
  return static_cast<pb_size_t>(from.size());
}

// A box of 1 kg that comes down on its face or an edge.
tactus_wire_Configure scene(tactus_wire_Law law) {
  const bool plane = law == tactus_wire_Law_IMPLICIT;
  tactus_wire_Configure made = tactus_wire_Configure_init_zero;
  made.plane = plane;
  made.law = law;
  made.gravity_count = plane ? fill(made.gravity, {0, -9.81F}) : fill(made.gravity, {0, 0, -9.81F});
  made.step = 1e-3F;
  made.facets = 8;
  made.horizon = kHorizon;
  made.bodies_count = 2;
  auto &ground = made.bodies[0], &box = made.bodies[1];
  ground.has_shape = box.has_shape = true;
  ground.shape.kind = tactus_wire_ShapeKind_HALF_SPACE;
  box.shape.kind = tactus_wire_ShapeKind_BOX;
  box.mass = 1;
  if (plane) {
    ground.shape.size_count = fill(ground.shape.size, {0, 1});
    ground.pose_count = fill(ground.pose, {0, 0, 0});
    box.shape.size_count = fill(box.shape.size, {0.1F, 0.05F});
    box.inertia_count = fill(box.inertia, {4e-3F});
    box.pose_count = fill(box.pose, {0, 0.06F, 0.1F});
    box.velocity_count = fill(box.velocity, {1, -1, 1});
  } else {
    ground.shape.size_count = fill(ground.shape.size, {0, 0, 1});
    ground.pose_count = fill(ground.pose, {0, 0, 0, 1, 0, 0, 0});
    box.shape.size_count = fill(box.shape.size, {0.1F, 0.1F, 0.05F});
    box.inertia_count = fill(box.inertia, {4e-3F, 4e-3F, 7e-3F, 0, 0, 0});
    box.pose_count = fill(box.pose, {0, 0, 0.06F, 1, 0, 0, 0});
    box.velocity_count = fill(box.velocity, {1, 0, -1, 1, 2, 0});
  }
  made.contacts_count = 1;
  made.contacts[0].b = 1;
  made.contacts[0].friction = 0.3F;
  return made;
}

constexpr std::size_t kTicks = 100;
constexpr std::uint32_t kFast = 10;  // counts a look

// A system of the implicit law is a look; a rigid contact is solved in one or two.
std::uint32_t slow_look(tactus_wire_Law law) {
  return law == tactus_wire_Law_IMPLICIT ? 1500 : 6000;
}

void equal(const Machine& alone, const Machine& beside) {
  TEST_ASSERT_TRUE(beside.said.size() <= alone.said.size());
  for (std::size_t k = 0; k < beside.said.size(); ++k) TEST_ASSERT_TRUE(alone.said[k] == beside.said[k]);
}

// The slow one's clock cuts it, and the fast one's does not; so were one's time the other's, it would show.
void a_tick_within_a_tick(tactus_wire_Law slow_law, tactus_wire_Law fast_law) {
  Machine slow(scene(slow_law), slow_look(slow_law)), fast(scene(fast_law), kFast);
  Machine slow_alone(scene(slow_law), slow_look(slow_law)), fast_alone(scene(fast_law), kFast);
  for (std::size_t k = 0; k < kTicks; ++k) slow_alone.tick();
  TEST_ASSERT_TRUE(slow_alone.cut && slow_alone.certified);
  fast.interrupt(slow);
  for (std::size_t k = 0; k < kTicks && fast.said.size() < 20 * kTicks; ++k) slow.tick();
  TEST_ASSERT_GREATER_THAN_size_t(kTicks, fast.said.size());
  for (std::size_t k = 0; k < fast.said.size(); ++k) fast_alone.tick();
  TEST_ASSERT_FALSE(fast_alone.cut);
  equal(slow_alone, slow);
  equal(fast_alone, fast);
}

void of_the_same_law() {
  a_tick_within_a_tick(tactus_wire_Law_IMPLICIT, tactus_wire_Law_IMPLICIT);
}
void of_two_laws() {
  a_tick_within_a_tick(tactus_wire_Law_IMPLICIT, tactus_wire_Law_BY_CONTACT);
  a_tick_within_a_tick(tactus_wire_Law_BY_CONTACT, tactus_wire_Law_IMPLICIT);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(of_the_same_law);
  RUN_TEST(of_two_laws);
  return UNITY_END();
}
