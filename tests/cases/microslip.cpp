// Song's micro-slip in space: a box on patches of 3 x 3 elements is pushed ever harder, and its elements
// begin to slip one after another until all of it slides (spatial/box_microslip.json).
#include <algorithm>
#include <memory>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;

namespace {

using Centres = std::vector<math::Vector<double, 3>>;

template <Capacity C>
std::unique_ptr<Stage<3, C>> pushed_box(const Json& p, double h, const Centres& centres, bool cone) {
  const double m = p["box"]["m"], lx = p["box"]["lx"], ly = p["box"]["ly"], lz = p["box"]["lz"];
  Method method;
  method.normal = NormalRule::song;
  method.pyramid = contact::Pyramid::box;
  method.friction = cone ? FrictionLaw::cone : FrictionLaw::pyramid;
  auto scene =
      std::make_unique<Stage<3, C>>(h, math::Vector<double, 3>(0, 0, -p["gravity"].get<double>()), method);
  scene->floor();
  BodyDescription<double, 3> box;
  box.mass = m;
  box.inertia = Eigen::Vector3d(ly * ly + lz * lz, lx * lx + lz * lz, lx * lx + ly * ly).asDiagonal();
  box.inertia *= m / 12;
  box.shape = geometry::box<double>(lx / 2, ly / 2, lz / 2);
  box.pose.position[2] = -centres[0][2];
  scene->add(box);
  contact::PatchLaw<double> law;
  law.columns = law.rows = 3;
  law.spacing = p["rho0"];
  law.compliance = p["eps"];
  law.poisson = p["poisson"];
  law.printed = true;
  ContactDescription<double, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = p["mu"];
  contact.patch = &law;
  contact.points = centres.data();
  contact.point_count = static_cast<int>(centres.size());
  scene->touch(contact);
  return scene;
}

// When each element begins to slip, and the push then in parts of mu m g.
void onsets(const Json& want, const std::vector<double>& have, double h) {
  TEST_ASSERT_EQUAL_size_t(want.size(), have.size());
  for (const Json& row : want) {
    const double t = row[1];
    TEST_ASSERT_DOUBLE_WITHIN(1.01 * h, t, have[row[0].get<std::size_t>()]);
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, 1.1 * (t - 0.2) / 0.8, row[2].get<double>());
  }
}

template <Capacity C>
void microslip(const std::string& name, const Centres& centres) {
  const Json json = reference::load("spatial/box_microslip.json");
  const Json& p = json["params"];
  const Json& want = json["cases"][name];
  const bool cone = name.find("ssn") != std::string::npos;
  const double h = want["h"],
               limit = p["mu"].get<double>() * p["box"]["m"].get<double>() * p["gravity"].get<double>();
  const auto scene = pushed_box<C>(p, h, centres, cone);
  Worst x(name + " x (m)"), v("... vx (m/s)"), force("... force sums (N)"),
      each("... forces of the elements (N)"), whole("... q and v of the box");
  std::size_t row = 0, snap = 0;
  int wrong_counts = 0, wrong_states = 0;
  const auto elements = centres.size() * 9;
  std::vector<double> onset(elements, 0.0);
  std::array<double, 6> q{}, motion{};
  double gross = 0;
  const auto start = scene->pose(1);
  for (int k = 1; row < want["curve"].size(); ++k) {
    const double t = k * h, push = 1.1 * limit * std::min(1.0, std::max(0.0, (t - 0.2) / 0.8));
    // The force of the step is that at its end, as the curve's first column and the file's F_applied say.
    scene->world.state.force[1].linear[0] = push;
    const auto report = scene->step();
    scene->pose(1) = start;  // the file's W is that of the start
    for (std::size_t i = 0; i < 6; ++i) {
      const auto c = static_cast<Eigen::Index>(i % 3);
      motion[i] = i < 3 ? scene->velocity(1).linear[c] : scene->velocity(1).angular[c];
      q[i] += h * motion[i];
    }
    const auto& ws = scene->workspace;
    int slipping = 0;
    for (std::size_t i = 0; i < elements; ++i) {
      const bool slips = ws.answer.outcome[i].mode == contact::Mode::slip;
      slipping += slips ? 1 : 0;
      if (slips && onset[i] == 0) onset[i] = t;
    }
    if (gross == 0 && slipping == static_cast<int>(elements)) gross = t;
    const Json& curve = want["curve"][row];
    if (std::abs(curve[0].get<double>() - t) < 1e-9) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, push, curve[1].get<double>());
      x.see(std::abs(q[0] - curve[2].get<double>()));
      v.see(std::abs(motion[0] - curve[3].get<double>()));
      force.see(std::abs(report.contact[0].force[0] - curve[4].get<double>()));
      force.see(std::abs(report.contact[0].force[1] - curve[5].get<double>()));
      int about = 0;  // an onset may come a step early or late
      for (const Json& begin : want["slip_onsets_element_time_ratio"])
        about += std::abs(begin[1].get<double>() - t) < 1.01 * h ? 1 : 0;
      wrong_counts += std::abs(slipping - curve[6].get<int>()) <= about ? 0 : 1;
      ++row;
    }
    if (snap < want["snapshots"].size() && std::abs(want["snapshots"][snap]["t"].get<double>() - t) < 1e-9) {
      const Json& s = want["snapshots"][snap++];
      whole.see(q, s["q"]);
      whole.see(motion, s["v"]);
      for (std::size_t i = 0; i < elements; ++i) {
        for (const auto& [c, key] : {std::pair{0U, "lam_n"}, {1U, "lam_t"}, {2U, "lam_o"}})
          each.see(std::abs(ws.answer.lambda[3 * i + c] - s[key][i].template get<double>()));
        wrong_states +=
            static_cast<int>(ws.answer.outcome[i].mode) == s["state"][i].template get<int>() ? 0 : 1;
      }
    }
  }
  x.within(1e-8);
  v.within(1e-8);
  force.within(1e-8);
  each.within(1e-8);
  whole.within(1e-8);
  TEST_ASSERT_EQUAL_INT(0, wrong_counts);
  TEST_ASSERT_EQUAL_INT(0, wrong_states);
  TEST_ASSERT_DOUBLE_WITHIN(1.01 * h, want["gross_slip_time"].get<double>(), gross);
  onsets(want["slip_onsets_element_time_ratio"], onset, h);
  const auto first = std::min_element(onset.begin(), onset.end());
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, want["first_slip"][1][0].get<double>(), *first);
  TEST_ASSERT_EQUAL_size_t(want["first_slip"][0].get<std::size_t>(),
                           static_cast<std::size_t>(first - onset.begin()));
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, want["first_slip"][1][1].get<double>(), 1.1 * (*first - 0.2) / 0.8);
}

constexpr Capacity kOnePatch{
    .bodies = 2, .contacts = 1, .slots = 9, .active = 9, .patches = 1, .patch_elements = 9, .points = 1};
constexpr Capacity kFourPatches{
    .bodies = 2, .contacts = 1, .slots = 36, .active = 36, .patches = 1, .patch_elements = 9, .points = 4};

const Centres kOne{{0, 0, -0.0001}};
const Centres kFour{
    {-0.04, -0.04, -0.025}, {-0.04, 0.04, -0.025}, {0.04, -0.04, -0.025}, {0.04, 0.04, -0.025}};

void one_patch_by_the_pyramid() {
  microslip<kOnePatch>("one_patch_lcp", kOne);
}
void one_patch_by_the_cone() {
  microslip<kOnePatch>("one_patch_ssn", kOne);
}
void four_patches_by_the_pyramid() {
  microslip<kFourPatches>("four_patches_lcp", kFour);
}
void four_patches_by_the_cone() {
  microslip<kFourPatches>("four_patches_ssn", kFour);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(one_patch_by_the_pyramid);
  RUN_TEST(one_patch_by_the_cone);
  RUN_TEST(four_patches_by_the_pyramid);
  RUN_TEST(four_patches_by_the_cone);
  return UNITY_END();
}
