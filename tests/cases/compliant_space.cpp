// Song 2004 in space: influence matrices (App. A), micro-slip of a box, and the rigid limit.
#include <memory>

#include "reference.hpp"
#include "tactus/contact/patch.hpp"

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;

namespace {

// Component-major index of the files (all n, then all t, all o) from the element-major one of the library.
std::size_t file_index(int row, int elements, int dim) {
  return static_cast<std::size_t>((row % dim) * elements + row / dim);
}

template <int Dim, int Columns, int Rows>
void compare_patch(const contact::PatchLaw<double>& law, const Json& xi, const Json* K, const Json* C,
                   double tolerance, const std::string& name) {
  constexpr int elements = Columns * Rows, n = elements * Dim;
  const double unit = law.compliance / law.spacing;
  Worst influence(name + " Xi, relative");
  std::vector<double> mine(n * n);
  double size = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double want = xi[file_index(i, elements, Dim)][file_index(j, elements, Dim)];
      const double have = unit * contact::influence(law, i / Dim, i % Dim, j / Dim, j % Dim);
      size = std::max(size, std::abs(want));
      influence.see(std::abs(have - want));
    }
  }
  influence.value /= size;
  influence.within(tolerance);
  if (K == nullptr) return;
  // R and B for two steps give K and C back: E = h K + C and R = E^-1.
  Worst stiffness(name + " R (h K + C) = 1"), ratio(name + " B = R K, relative");
  for (const double h : {1e-4, 1e-2}) {
    contact::Patch<double, Dim, elements> patch;
    TEST_ASSERT_TRUE(contact::configure(patch, law, h) == contact::PatchError::none);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double unity = 0, b = 0, b_size = 0;
        for (int k = 0; k < n; ++k) {
          const auto fk = file_index(k, elements, Dim), fj = file_index(j, elements, Dim);
          unity += patch.R[i * n + k] * (h * (*K)[fk][fj].get<double>() + (*C)[fk][fj].get<double>());
          b += patch.R[i * n + k] * (*K)[fk][fj].get<double>();
          b_size = std::max(b_size, std::abs(patch.B[i * n + k]));
        }
        stiffness.see(std::abs(unity - (i == j ? 1 : 0)));
        ratio.see(std::abs(b - patch.B[i * n + j]) / b_size);
      }
    }
  }
  stiffness.within(tolerance);
  ratio.within(tolerance);
}

void influence_matrices() {
  const Json plane = reference::load("planar/influence_matrix.json");
  contact::PatchLaw<double> law;
  law.columns = 3;
  law.spacing = plane["rho0"];
  law.compliance = plane["eps"];
  law.poisson = plane["nu"];
  compare_patch<2, 3, 1>(law, plane["Xi_line3_2d"], &plane["K_line3_2d"], &plane["C_line3_2d"], 1e-10,
                         "line of 3");
  law.rows = 3;
  compare_patch<3, 3, 3>(law, plane["Xi_grid3x3_3d_corrected"], nullptr, nullptr, 1e-10, "grid of 9");
  const Json space = reference::load("spatial/influence.json");
  law.spacing = space["rho0"];
  law.compliance = space["eps"];
  compare_patch<3, 3, 3>(law, space["Xi_nu03_corrected"], nullptr, nullptr, 1e-12, "grid of 9, unit");
}

// Extreme eigenvalues for every Poisson ratio and size of the files, by R of a vanishing step: R -> sqrt(Xi)
// / 2.
template <int Side>
void eigenvalues_of(double nu, double low, double high) {
  contact::PatchLaw<double> law;
  law.columns = law.rows = Side;
  law.spacing = law.compliance = 1;
  law.poisson = nu;
  constexpr int n = Side * Side * 3;
  static double xi[n * n], v[n * n];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) xi[i * n + j] = contact::influence(law, i / 3, i % 3, j / 3, j % 3);
  TEST_ASSERT_TRUE(contact::detail::diagonalise(xi, v, n));
  double least = xi[0], most = xi[0];
  for (int i = 0; i < n; ++i) {
    least = std::min(least, xi[i * n + i]);
    most = std::max(most, xi[i * n + i]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, low, least);
  if (high > 0) TEST_ASSERT_DOUBLE_WITHIN(1e-12, high, most);
}

void eigenvalues() {
  const Json r = reference::load("spatial/influence.json")["results"];
  for (const auto& [name, nu] : {std::pair{"nu0", 0.0}, {"nu0.3", 0.3}, {"nu0.45", 0.45}, {"nu0.5", 0.5}}) {
    const Json& want = r[std::string(name) + "_corrected_corrected"];
    eigenvalues_of<3>(nu, want["min_eig"], want["max_eig"]);
  }
  eigenvalues_of<2>(0.3, r["ns2"][3], 0);
  eigenvalues_of<4>(0.3, r["ns4"][3], 0);
  eigenvalues_of<5>(0.3, r["ns5"][3], 0);
}

// One patch of 9, or four, under a box that a growing force pushes until it slides.
template <Capacity C>
void microslip(const char* name, const std::vector<dynamics::Vector<double, 3>>& centres, double height) {
  const Json json = reference::load("spatial/box_microslip.json");
  const Json& p = json["params"];
  const Json& want = json["cases"][name];
  const double h = want["h"], m = p["box"]["m"], mu = p["mu"], g = p["gravity"];
  const double lx = p["box"]["lx"], ly = p["box"]["ly"], lz = p["box"]["lz"];
  Method method;
  method.normal = NormalRule::song;
  method.pyramid = contact::Pyramid::box;
  auto scene = std::make_unique<Scene<3, C>>(h, dynamics::Vector<double, 3>(0, 0, -g), method);
  scene->floor();
  BodyDescription<double, 3> box;
  box.mass = m;
  box.inertia = Eigen::Vector3d(ly * ly + lz * lz, lx * lx + lz * lz, lx * lx + ly * ly).asDiagonal();
  box.inertia *= m / 12;
  box.shape = geometry::box<double>(lx / 2, ly / 2, lz / 2);
  box.pose.position[2] = height;
  scene->add(box);
  contact::PatchLaw<double> law;
  law.columns = law.rows = 3;
  law.spacing = p["rho0"];
  law.compliance = p["eps"];
  law.poisson = p["poisson"];
  ContactDescription<double, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = mu;
  contact.patch = &law;
  contact.points = centres.data();
  contact.point_count = static_cast<int>(centres.size());
  scene->touch(contact);
  Worst x(std::string(name) + " x (m)"), v("... vx (m/s)"), force("... force sums (N)"),
      each("... forces of the elements (N)");
  std::size_t row = 0, snap = 0;
  int wrong_counts = 0;
  double gross = 0, moved = 0;
  const auto start = scene->pose(1);
  const int elements = static_cast<int>(centres.size()) * 9;
  for (int k = 1; row < want["curve"].size(); ++k) {
    const double t = k * h;
    // The force of the step is that at its end, as the curve's first column and the file's F_applied say.
    scene->world.state.force[1].linear[0] = 1.1 * mu * m * g * std::min(1.0, std::max(0.0, (t - 0.2) / 0.8));
    const auto report = scene->step();
    moved += scene->pose(1).position[0] - start.position[0];
    scene->pose(1) = start;  // the file's W is that of the start
    const auto& ws = scene->workspace;
    int slipping = 0;
    for (int i = 0; i < ws.elements; ++i)
      slipping += ws.outcome[static_cast<std::size_t>(i)].mode == contact::Mode::slip ? 1 : 0;
    if (gross == 0 && slipping == elements) gross = t;
    const Json& curve = want["curve"][row];
    if (std::abs(curve[0].get<double>() - t) < 1e-9) {
      x.see(std::abs(moved - curve[2].get<double>()));
      v.see(std::abs(scene->velocity(1).linear[0] - curve[3].get<double>()));
      force.see(std::abs(report.contact[0].force[0] - curve[4].get<double>()));
      force.see(std::abs(report.contact[0].force[1] - curve[5].get<double>()));
      wrong_counts += slipping == curve[6].get<int>() ? 0 : 1;
      ++row;
    }
    if (snap < want["snapshots"].size() && std::abs(want["snapshots"][snap]["t"].get<double>() - t) < 1e-9) {
      const Json& s = want["snapshots"][snap++];
      for (int i = 0; i < elements; ++i)
        for (const auto& [c, key] : {std::pair{0, "lam_n"}, {1, "lam_t"}, {2, "lam_o"}})
          each.see(std::abs(ws.lambda[static_cast<std::size_t>(3 * i + c)] -
                            s[key][static_cast<std::size_t>(i)].template get<double>()));
    }
  }
  x.within(1e-8);
  v.within(1e-8);
  force.within(1e-8);
  each.within(1e-8);
  TEST_ASSERT_EQUAL_INT(0, wrong_counts);
  TEST_ASSERT_DOUBLE_WITHIN(1.01 * h, want["gross_slip_time"].get<double>(), gross);
}

constexpr Capacity kOnePatch{.bodies = 2,
                             .contacts = 1,
                             .slots = 9,
                             .active = 9,
                             .unknowns = 45,
                             .patches = 1,
                             .patch_elements = 9,
                             .points = 1};
constexpr Capacity kFourPatches{.bodies = 2,
                                .contacts = 1,
                                .slots = 36,
                                .active = 36,
                                .unknowns = 180,
                                .patches = 1,
                                .patch_elements = 9,
                                .points = 4};

void microslip_one_patch() {
  microslip<kOnePatch>("one_patch_lcp", {{0, 0, -0.0001}}, 0.0001);
}

void microslip_four_patches() {
  const double z = -0.025;
  microslip<kFourPatches>("four_patches_lcp",
                          {{-0.04, -0.04, z}, {-0.04, 0.04, z}, {0.04, -0.04, z}, {0.04, 0.04, z}}, 0.025);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(influence_matrices);
  RUN_TEST(eigenvalues);
  RUN_TEST(microslip_one_patch);
  RUN_TEST(microslip_four_patches);
  return UNITY_END();
}
