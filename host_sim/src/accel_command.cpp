// `tactus accel`: one contact problem at the level of accelerations, and what can be said of it.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "accel_file.hpp"
#include "accel_scene.hpp"
#include "accel_verdicts.hpp"
#include "commands.hpp"
#include "input_error.hpp"
#include "json_file.hpp"
#include "scene_reader.hpp"
#include "tactus/contact/acceleration_cone.hpp"
#include "tactus/contact/acceleration_relaxed.hpp"
#include "tactus/contact/fixture_margins.hpp"

namespace tactus::host {
namespace {

namespace acceleration = contact::acceleration;
using acceleration::Law;
using acceleration::Status;
using Json = nlohmann::ordered_json;

constexpr acceleration::SystemSize kSize{
    .contacts = kAccelContacts, .freedoms = kAccelFreedoms, .joints = kAccelJoints};
constexpr int kMost = kAccelContacts + kAccelStops;  // of a reduced problem
constexpr std::size_t kMostSolutions = 16;

const char* word(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::none:
      return "none";
    default:
      return "undecided";
  }
}

// One problem, in core's order of rows (contact by contact), solved in one precision.
template <class Scalar, int Dim>
class Accel {
 public:
  Accel(const AccelEntry& entry, const AccelOptions& options) : e_(entry) {
    budget_.search = options.budget;
    const int rows = e_.rows();
    for (const double mu : e_.mu) mu_.push_back(static_cast<Scalar>(mu));
    for (int i = 0; i < e_.contacts; ++i)
      for (int k = 0; k < Dim - 1; ++k)
        velocity_.push_back(static_cast<Scalar>(e_.velocity[at(k * e_.contacts + i)]));
    if (!e_.reduced) {
      fill();
      if (!reduce(system_, reduction_))
        throw InputError(options.file, "M_obj",
                         "or M_man is too near to singular for this precision: no motion could be computed");
      problem_ = problem(system_, reduction_);
      return;
    }
    A_.resize(at(rows * rows));
    b_.resize(at(rows));
    for (int i = 0; i < rows; ++i) {
      b_[at(core(i))] = static_cast<Scalar>(e_.b[at(i)]);
      for (int j = 0; j < rows; ++j)
        A_[at(core(i) * rows + core(j))] = static_cast<Scalar>(e_.A[at(i * rows + j)]);
    }
    problem_.contact = {e_.contacts, A_.data(), rows, b_.data(), mu_.data(), nullptr};
    problem_.velocity = velocity_.data();
  }

  // The same problem for those who look at it in double.
  InstantProblem instant() const {
    InstantProblem p{Dim, e_.cone, Eigen::MatrixXd(e_.rows(), e_.rows()), Eigen::VectorXd(e_.rows()), e_.mu,
                     {},  0};
    for (int i = 0; i < e_.rows(); ++i) {
      p.b[i] = static_cast<double>(problem_.contact.b[i]);
      for (int j = 0; j < e_.rows(); ++j) p.A(i, j) = static_cast<double>(problem_.A(i, j));
    }
    for (const int i : indices())
      for (int k = 0; k < Dim - 1; ++k) p.velocity.push_back(e_.velocity[at(k * e_.contacts + i)]);
    p.joints = e_.rubs;
    return p;
  }

  // The whole answer; `status` is what the exit status follows. p: this problem in double.
  Json answer(const InstantProblem& p, Status& status) {
    Json out;
    out["name"] = e_.name;
    auto solved = solve_pyramid(problem_, pyramid_, budget_);
    const bool all_slide = std::ranges::all_of(indices(), [&](int i) { return problem_.slides(i); });
    // In the plane, and where nothing rolls, the two laws are one.
    const bool cone = e_.cone && Dim == 3 && !all_slide;
    if (cone) {
      cone_.c.fill(0);
      if (solved.status == Status::solved)
        std::copy_n(pyramid_.c.begin(), static_cast<std::ptrdiff_t>(e_.rows()), cone_.c.begin());
      solved = solve_cone(problem_, cone_);
    }
    const Solutions every = budget_.search > 0 ? every_solution(p) : Solutions{};
    decide(every, cone ? cone_.c.data() : pyramid_.c.data(), cone ? cone_.a.data() : pyramid_.a.data(),
           solved);
    const Existence existence = check_existence(p);
    // Two verdicts that differ are none.
    if (solved.status == Status::none && (existence.guaranteed || !every.different.empty()))
      solved.status = Status::undecided;
    status = solved.status;
    out["status"] = word(status);
    out["law"] = e_.cone ? "cone" : "pyramid";
    if (status == Status::solved) {
      describe(out, cone ? cone_.c.data() : pyramid_.c.data(), cone ? cone_.a.data() : pyramid_.a.data());
      out["residual"] = solved.residual;
    }
    out["pivots"] = solved.pivots;
    bool slides = false;
    for (const int i : indices()) slides = slides || problem_.slides(i);
    if (status != Status::solved && slides) out["relaxed"] = relaxed();
    say_verdicts(out, p, every, existence, status, cone);
    if (fixture_like()) out["fixture"] = fixture();
    return out;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int core(int paper_row) const { return paper_row % e_.contacts * Dim + paper_row / e_.contacts; }
  std::vector<int> indices() const {
    std::vector<int> out;
    for (int i = 0; i < e_.contacts; ++i) out.push_back(i);
    return out;
  }

  void fill() {
    auto& s = system_;
    s.contacts = e_.contacts;
    s.freedoms = e_.freedoms;
    s.joints = e_.joints;
    const auto copy = [](const std::vector<double>& from, auto& to) {
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<Scalar>(from[i]);
    };
    copy(e_.M_obj, s.M_obj);
    copy(e_.f_obj, s.f_obj);
    copy(e_.M_man, s.M_man);
    copy(e_.l_man, s.l_man);
    copy(e_.tau, s.tau);
    copy(e_.thdd, s.thdd);
    for (std::size_t i = 0; i < e_.driven.size(); ++i) s.driven[i] = e_.driven[i];
    for (int i = 0; i < e_.rows(); ++i) {
      const int r = core(i);
      s.bias[at(r)] = static_cast<Scalar>(e_.bias[at(i)]);
      for (int f = 0; f < e_.freedoms; ++f)
        s.W[at(r * e_.freedoms + f)] = static_cast<Scalar>(e_.W[at(f * e_.rows() + i)]);
      for (int j = 0; j < e_.joints; ++j)
        s.J[at(r * e_.joints + j)] = static_cast<Scalar>(e_.J[at(i * e_.joints + j)]);
    }
    std::copy(mu_.begin(), mu_.end(), s.mu.begin());
    std::copy(velocity_.begin(), velocity_.end(), s.velocity.begin());
  }

  // Numbers of one component (n, t, o) of all contacts.
  Json component(const Scalar* x, int k) const {
    Json out = Json::array();
    for (const int i : indices()) out.push_back(x[i * Dim + k]);
    return out;
  }

  Json transitions(const Scalar* c, const Scalar* a) const {
    const char* const words[] = {"breaks", "rolls", "slides"};
    Json out = Json::array();
    const auto sizes = sizes_of(problem_, c);
    for (const int i : indices()) out.push_back(words[static_cast<int>(becomes(problem_, sizes, c, a, i))]);
    return out;
  }

  void describe(Json& out, const Scalar* c, const Scalar* a) {
    const char* force[] = {"c_n", "c_t", "c_o"};
    const char* accel[] = {"a_n", "a_t", "a_o"};
    for (int k = 0; k < Dim; ++k) out[force[k]] = component(c, k);
    for (int k = 0; k < Dim; ++k) out[accel[k]] = component(a, k);
    out["becomes"] = transitions(c, a);
    if (e_.reduced) return;
    const Scalar motion = recover(system_, c, a, reduction_);
    out["qdd"] = std::vector<Scalar>(reduction_.qdd.begin(), reduction_.qdd.begin() + e_.freedoms);
    if (e_.joints > 0) {
      out["thdd"] = std::vector<Scalar>(reduction_.thdd.begin(), reduction_.thdd.begin() + e_.joints);
      out["tau"] = std::vector<Scalar>(reduction_.tau.begin(), reduction_.tau.begin() + e_.joints);
    }
    out["motion_residual"] = motion;
  }

  // What the enumeration knows better: that there is a solution, or none.
  void decide(const Solutions& every, Scalar* c, Scalar* a, acceleration::Answer<Scalar>& solved) const {
    if (!every.sought || solved.status == Status::solved) return;
    if (every.different.empty()) {
      if (every.all) solved.status = Status::none;
      return;
    }
    for (int r = 0; r < e_.rows(); ++r) c[r] = static_cast<Scalar>(every.different.front().c[r]);
    const auto law = e_.cone ? acceleration::Law::cone : acceleration::Law::pyramid;
    solved.residual = measure(problem_, law, c, a);
    if (solved.residual <= acceleration::kSolved<Scalar>) solved.status = Status::solved;
  }

  // ambiguous: accelerations are not unique. impulse: no bounded forces obey Coulomb's law, and no motion of
  // the contacts themselves is to blame.
  void say_verdicts(Json& out, const InstantProblem& p, const Solutions& every, const Existence& existence,
                    Status status, bool cone) {
    // Newton's method has found what the search by boxes has given up on: then that says nothing.
    const bool lost = cone && status == Status::solved && every.different.empty();
    Json solutions;
    if (every.sought && !lost) {
      solutions = solutions_json(p, every);
      if ((status == Status::solved) == every.different.empty()) solutions["all"] = false;
      if (status == Status::undecided) solutions["all"] = false;
    } else if (status == Status::solved && !cone) {
      solutions = all_solutions();
    } else {
      solutions = {{"different", status == Status::solved ? 1 : 0}, {"all", status == Status::none}};
    }
    out["ambiguous"] = solutions["different"] > 1 || every.continuum;
    out["impulse"] = status == Status::none && !existence.impossible;
    out["solutions"] = solutions;
    out["existence"] = existence_json(p, existence);
  }

  // The different accelerations that the pyramid law allows.
  Json all_solutions() {
    std::vector<std::vector<Scalar>> seen;
    const auto n = static_cast<std::ptrdiff_t>(e_.rows());
    Json list = Json::array();
    bool all =
        each_solution(problem_, pyramid_, budget_.search / 10, [&](const Scalar* c, const Scalar* a, Scalar) {
          const auto sizes = sizes_of(problem_, c);
          for (const auto& other : seen) {
            bool same = true;
            for (int r = 0; r < e_.rows(); ++r) same = same && sizes.is_zero((other[at(r)] - a[r]) / 100);
            if (same) return true;
          }
          if (seen.size() == kMostSolutions) return false;
          seen.emplace_back(a, a + n);
          Json one;
          describe(one, c, a);
          list.push_back(one);
          return true;
        });
    Json out;
    out["different"] = seen.size();
    out["all"] = all && seen.size() < kMostSolutions;
    if (seen.size() > 1) out["list"] = list;
    return out;
  }

  Json relaxed() {
    Json out;
    const bool round = e_.cone && Dim == 3;
    const auto answer = solve_relaxed(problem_, round ? Law::cone : Law::pyramid, relaxed_, budget_);
    out["status"] = word(answer.status);
    out["by"] = !round ? "(47)" : answer.inner ? "(46), what rolls by the pyramid inside its cone" : "(46)";
    if (answer.status != Status::solved) return out;
    out["f"] = answer.f;
    if (round) out["least"] = answer.least;
    out["proved"] = answer.proved;
    describe(out, relaxed_.c.data(), relaxed_.a.data());
    out["residual"] = answer.residual;
    return out;
  }

  // At rest, and nothing has a motor: the question of Corollary 1.
  bool fixture_like() const {
    if (e_.reduced) return false;
    for (const double v : e_.velocity)
      if (v != 0) return false;
    for (const double b : e_.bias)
      if (b != 0) return false;
    for (std::size_t j = 0; j < e_.driven.size(); ++j)
      if (!e_.driven[j] || e_.thdd[j] != 0) return false;
    return true;
  }

  Json fixture() {
    const auto verdict = check_fixture(system_, fixture_, e_.cone ? Law::cone : Law::pyramid, budget_);
    const char* stability[] = {"stable", "unstable", "undecided"};
    Json out;
    out["verdict"] = stability[static_cast<int>(verdict.stability)];
    out["reason"] = sentence(verdict.reason);
    out["can_hold"] = verdict.can_hold;
    out["can_move"] = verdict.can_move;
    if (verdict.stability == acceleration::Stability::stable) out["margins"] = margins();
    return out;
  }

  // What unseats the part; null: nothing that was looked at.
  Json margins() {
    const auto found = find_margins(fixture_, budget_);
    Json out, load = Json::array();
    const auto number = [](Scalar x) { return std::isfinite(x) ? Json(x) : Json(); };
    for (int i = 0; i < e_.freedoms; ++i)
      load.push_back({{"down", number(found.load[at(i)].down)}, {"up", number(found.load[at(i)].up)}});
    out["load"] = load;
    out["mu_share"] = found.mu;
    out["certain"] = found.certain;
    return out;
  }

  const AccelEntry& e_;
  acceleration::Budget budget_;
  std::vector<Scalar> A_, b_, mu_, velocity_;
  acceleration::Problem<Scalar, Dim> problem_;
  acceleration::System<Scalar, Dim, kSize> system_;
  acceleration::Reduction<Scalar, Dim, kSize> reduction_;
  acceleration::PyramidWorkspace<Scalar, Dim, kMost> pyramid_;
  acceleration::ConeWorkspace<Scalar, Dim, kMost> cone_;
  acceleration::RelaxedWorkspace<Scalar, Dim, kMost> relaxed_;
  acceleration::FixtureWorkspace<Scalar, Dim, kSize> fixture_;
};

// Beyond these sizes products of accelerations and forces lose their digits or overflow, and no verdict could
// be kept.
template <class Scalar>
void check_sizes(const AccelEntry& entry, const InstantProblem& p, const AccelOptions& options) {
  constexpr double kMostSize = sizeof(Scalar) == 8 ? 1e100 : 1e15;
  const auto check = [&](double size, const char* key, const char* what) {
    if (size == 0 || (size >= 1 / kMostSize && size <= kMostSize)) return;
    throw InputError(
        options.file, key,
        fmt::format("the largest {} is {:.3g}; this precision can tell those between {:g} and {:g}", what,
                    size, 1 / kMostSize, kMostSize));
  };
  if (p.contacts() == 0) return;
  check(p.A.cwiseAbs().maxCoeff(), entry.reduced ? "A" : "M_obj", "acceleration by 1 N");
  check(p.largest_b(), entry.reduced ? "b" : "g_obj", "acceleration without contact forces");
}

template <class Scalar, int Dim>
int run(const AccelEntry& entry, const AccelOptions& options, const SceneInstant* scene = nullptr) {
  const auto accel = std::make_unique<Accel<Scalar, Dim>>(entry, options);
  const InstantProblem p = std::make_unique<Accel<double, Dim>>(entry, options)->instant();
  check_sizes<Scalar>(entry, p, options);
  Status status = Status::undecided;
  Json out = accel->answer(p, status);
  if (scene != nullptr) say_scene(*scene, Dim, out);
  std::puts(out.dump().c_str());
  return status == Status::undecided ? kExitRunFailed : kExitOk;
}

}  // namespace

int run_accel(const AccelOptions& options) {
  if (!options.board.empty() || !options.port.empty()) {
    if (!options.at) throw InputError("--board", "", "asks for an instant of a scene: give --at SECONDS");
    return ask_board(options);
  }
  if (options.at) {
    const SceneInstant scene = scene_instant(read_scene(options.file), *options.at, options.single);
    if (options.single)
      return scene.entry.plane ? run<float, 2>(scene.entry, options, &scene)
                               : run<float, 3>(scene.entry, options, &scene);
    return scene.entry.plane ? run<double, 2>(scene.entry, options, &scene)
                             : run<double, 3>(scene.entry, options, &scene);
  }
  const AccelEntry entry = parse_accel_file(read_file(options.file), options.file);
  if (options.single) return entry.plane ? run<float, 2>(entry, options) : run<float, 3>(entry, options);
  return entry.plane ? run<double, 2>(entry, options) : run<double, 3>(entry, options);
}

}  // namespace tactus::host
