// Draws about the scenes of host_sim/scenes: whatever the genes, a scene that can be.
//
//     test_random_scenes SCENES
#include <cmath>

#include "plant.hpp"
#include "random_scenes.hpp"
#include "scene_reader.hpp"
#include "unity.h"

using namespace tactus::host;

namespace {

std::string folder;
constexpr double kSeconds = 0.025;

Scene base(const std::string& name) {
  return read_scene(folder + "/" + name + ".json");
}

void check_body(const Scene& scene, const Body& body) {
  TEST_ASSERT_TRUE(*body.mass > 0 && *body.mass < 100);
  const auto& i = body.inertia;
  TEST_ASSERT_TRUE(i[0] > 0);
  if (scene.plane) return;
  // Moments of inertia are sums of two squares each: none exceeds the other two together.
  for (std::size_t k = 0; k < 3; ++k)
    TEST_ASSERT_TRUE(i[k] <= (i[(k + 1) % 3] + i[(k + 2) % 3]) * (1 + 1e-9));
  double norm = 0;
  for (std::size_t k = 3; k < 7; ++k) norm += body.pose[k] * body.pose[k];
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, norm);
}

// Bodies that start inside one another are shot apart: such a draw would be of another kind.
void check_scene(const std::string& name, const Scene& scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.moving(i)) check_body(scene, scene.bodies[i]);
  for (const ContactPair& pair : scene.contacts) {
    TEST_ASSERT_TRUE(pair.mu.kinetic >= 0 && pair.mu.kinetic <= 1.5);
    TEST_ASSERT_TRUE(pair.restitution >= 0 && pair.restitution <= 0.9);
  }
  const auto plant = make_plant(scene, false);
  for (const ContactSample& contact : plant->initial().contacts)
    TEST_ASSERT_TRUE_MESSAGE(contact.gap > -1e-8, name.c_str());
  TEST_ASSERT_TRUE_MESSAGE(std::isfinite(plant->step().kinetic), name.c_str());
}

// The ends of all ranges, and what lies between.
void test_every_draw_can_be() {
  for (const std::string& name : random_scene_names()) {
    const Scene from = base(name);
    Numbers random(1, 0);
    for (const double end : {0.0, 1.0}) {
      Genes genes(100, end);
      check_scene(name, draw_scene(name, from, kSeconds, random, genes));
      TEST_ASSERT_EQUAL_UINT(100, genes.size());
    }
    for (int k = 0; k < 100; ++k) {
      Genes genes;
      check_scene(name, draw_scene(name, from, kSeconds, random, genes));
      for (const double gene : genes) TEST_ASSERT_TRUE(gene >= 0 && gene <= 1);
    }
  }
}

void check_same(const Scene& a, const Scene& b) {
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Body &x = a.bodies[i], &y = b.bodies[i];
    TEST_ASSERT_TRUE(x.mass == y.mass && x.pose == y.pose && x.velocity == y.velocity);
    TEST_ASSERT_EQUAL_UINT(x.force.rows.size(), y.force.rows.size());
    for (std::size_t r = 0; r < x.force.rows.size(); ++r)
      TEST_ASSERT_TRUE(x.force.rows[r].t == y.force.rows[r].t &&
                       x.force.rows[r].value == y.force.rows[r].value);
  }
  for (std::size_t i = 0; i < a.arms.size(); ++i)
    TEST_ASSERT_TRUE(a.arms[i].qd == b.arms[i].qd &&
                     a.arms[i].torque.rows[1].value == b.arms[i].torque.rows[1].value);
  for (std::size_t i = 0; i < a.contacts.size(); ++i)
    TEST_ASSERT_TRUE(a.contacts[i].mu.kinetic == b.contacts[i].mu.kinetic);
}

void test_genes_are_the_draw() {
  for (const std::string& name : random_scene_names()) {
    const Scene from = base(name);
    Numbers one(7, 0), same(7, 0), other(8, 0);
    Genes genes, again, others;
    const Scene first = draw_scene(name, from, kSeconds, one, genes);
    check_same(first, draw_scene(name, from, kSeconds, same, again));
    check_same(first, draw_scene(name, from, kSeconds, other, genes));  // nothing is missing in them
    TEST_ASSERT_TRUE(genes == again);
    draw_scene(name, from, kSeconds, other, others);
    TEST_ASSERT_FALSE(genes == others);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  folder = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_every_draw_can_be);
  RUN_TEST(test_genes_are_the_draw);
  return UNITY_END();
}
