#include "scene_instant.hpp"

#include <cmath>

#include "row_problem.hpp"
#include "sampled_scene.hpp"

namespace tactus::host {
namespace {

using Eigen::VectorXd;

constexpr stepper::Capacity kPlane{.bodies = kMaxBodies,
                                   .contacts = kMaxContactPairs,
                                   .slots = kMaxContactPairs * stepper::kMaxTouches,
                                   .active = 64,
                                   .joints = kMaxJoints,
                                   .patches = 0,
                                   .patch_elements = 0,
                                   .points = 0};
constexpr stepper::Capacity kSpace{.bodies = kMaxBodies + kMaxTips,
                                   .contacts = kMaxContactPairs,
                                   .slots = kMaxContactPairs * stepper::kMaxTouches,
                                   .active = 32,
                                   .joints = kMaxJoints,
                                   .arm_joints = kMaxArmJoints,
                                   .servos = kMaxArmJoints,
                                   .mimics = kMaxArmJoints,
                                   .patches = 0,
                                   .patch_elements = 0,
                                   .points = 0};

// The five-point difference of W v in time, by row of `now`.
template <class World>
VectorXd turning(World& world, double eps, const RowsAt& now, int dim) {
  VectorXd out = VectorXd::Zero(now.b.size());
  const double weight[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const int shift[] = {-2, -1, 1, 2};
  for (int k = 0; k < 4; ++k) {
    const RowsAt there = world.moved(shift[k] * eps);
    out += weight[k] / eps * there.in(now, there.b, dim);
  }
  return out;
}

// Looks at one instant of a scene.
template <int Dim, stepper::Capacity C>
class Look {
 public:
  using World = RigidWorld<Dim, C>;

  Look(const Scene& original, const StepSample& sample, double time, bool single)
      : original_(original),
        sample_(sample),
        time_(time),
        touch_(single ? 1e-5 : kTouch),
        slides_(single ? 1e-4 : kSlides) {}

  SceneInstant instant() {
    out_.time = time_;
    Scene scene = at_sample(original_, sample_);
    const Scene stepped = scene;
    take_torques(scene, time_, slides_);
    const auto world = std::make_unique<World>(scene, time_);
    now_ = world->moved(0);
    b_ = accelerations(*world);
    RowProblem problem(Dim, now_, now_.A / world->h(), b_.array().isFinite().select(b_, 0));
    add_contacts(*world, problem);
    add_stops(problem);
    add_rubs(problem);
    out_.problem = problem.take();
    take_velocities();
    to_entry(out_.problem);
    if (!gives_way()) look_at_step(stepped);
    return out_;
  }

  SceneInstant step_alone() {
    if (!gives_way()) look_at_step(at_sample(original_, sample_));
    return out_;
  }

 private:
  // b = W M^-1 f + W-dot v.
  VectorXd accelerations(World& world) const {
    const RowsAt loaded = world.loaded(), rest = world.at_rest();
    double fastest = 1;
    for (const auto& body : sample_.bodies)
      for (const double v : body.velocity) fastest = std::fmax(fastest, std::fabs(v));
    for (const auto& arm : sample_.arms)
      for (const double v : arm.qd) fastest = std::fmax(fastest, std::fabs(v));
    VectorXd still = rest.in(now_, rest.b, Dim);
    for (const auto& [slot, e] : now_.element)
      still.segment(e.row, Dim) = loaded.in(now_, loaded.offset, Dim).segment(e.row, Dim);
    const VectorXd b = (loaded.in(now_, loaded.b, Dim) - still - now_.b) / world.h() +
                       turning(world, 1e-3 / fastest, now_, Dim);
    for (const auto& [key, plain] : now_.plain)
      if (!std::isfinite(b[plain.row]))
        lacks(original_, "joints and contacts come and go too fast for an instant");
    return b;
  }

  void add_contacts(const World& world, RowProblem& problem) {
    for (const auto& [slot, e] : now_.element) {
      Touching touch{Touching::Kind::contact, original_.contacts[e.contact].name(), e.gap, 0, {}};
      for (int k = 0; k < Dim; ++k) touch.velocity[static_cast<std::size_t>(k)] = now_.b[e.row + k];
      const bool held = time_ > 0 && pressed(original_.contacts[e.contact], sample_.contacts[e.contact],
                                             slot - world.first_slot(e.contact));
      if (!held && (e.gap > touch_ || touch.velocity[0] > kParts)) continue;
      if (!held) check_closing(touch.pair, -touch.velocity[0], "m/s");
      if (!b_.segment(e.row, Dim).allFinite())
        lacks(original_, fmt::format("{} comes and goes too fast for an instant", touch.pair));
      out_.contacts.push_back(touch);
      problem.add_contact(e.row, e.mu);
    }
    if (out_.contacts.size() > static_cast<std::size_t>(kAccelContacts))
      lacks(original_, fmt::format("{} contacts are over this build's capacity of {}", out_.contacts.size(),
                                   kAccelContacts));
  }

  void check_closing(const std::string& name, double speed, const char* unit) const {
    if (speed > kParts)
      lacks(original_,
            fmt::format("{} closes at {:.6g} {}: an impact has no accelerations", name, speed, unit));
  }

  void add_stops(RowProblem& problem) {
    for (const auto& [key, plain] : now_.plain)
      for (const int side : {1, -1}) {
        const double gap = side > 0 ? -plain.lower : plain.upper, speed = side * now_.b[plain.row];
        if (plain.holds() || gap > touch_ || speed > kParts) continue;
        const Touching stop{Touching::Kind::stop, joint_name(plain.joint), gap, 0, {speed, 0, 0}};
        check_closing("the stop of " + stop.pair, -speed, "a second");
        out_.contacts.push_back(stop);
        problem.add_stop(plain.row, side, 0);
      }
  }

  void add_rubs(RowProblem& problem) {
    for (const auto& [key, plain] : now_.plain) {
      if (plain.holds() || !(plain.friction > 0)) continue;
      out_.contacts.push_back({Touching::Kind::joint, joint_name(plain.joint), 0, plain.friction, {}});
      problem.add_rub(plain.row, plain.friction);
    }
  }

  std::string joint_name(int joint) const {
    for (const Arm& arm : original_.arms) {
      if (joint < static_cast<int>(arm.q.size()))
        return arm.name + "/" + arm.robot.joints[static_cast<std::size_t>(joint)].joint;
      joint -= static_cast<int>(arm.q.size());
    }
    return {};
  }

  // Into the order of a file: all n, all t, all o.
  void to_entry(const InstantProblem& p) {
    AccelEntry& e = out_.entry;
    e.name = original_.name;
    e.plane = Dim == 2;
    e.cone = Dim == 3;
    e.contacts = p.contacts();
    e.rubs = p.joints;
    e.mu = p.mu;
    e.reduced = true;
    if (e.contacts > kAccelContacts + kAccelStops)
      lacks(original_, fmt::format("{} joints that rub or are at a stop are over this build's capacity of {}",
                                   e.contacts, kAccelStops));
    const auto core = [&](int r) { return r % e.contacts * Dim + r / e.contacts; };
    for (int r = 0; r < e.rows(); ++r) {
      e.b.push_back(p.b[core(r)]);
      for (int s = 0; s < e.rows(); ++s) e.A.push_back(p.A(core(r), core(s)));
    }
    for (int k = 0; k < Dim - 1; ++k)
      for (int i = 0; i < e.contacts; ++i)
        e.velocity.push_back(p.velocity[static_cast<std::size_t>(i * (Dim - 1) + k)]);
  }

  void take_velocities() {
    out_.problem.velocity.clear();
    for (const Touching& touch : out_.contacts) {
      const bool slides = std::hypot(touch.velocity[1], touch.velocity[2]) > slides_;
      for (std::size_t k = 1; k < static_cast<std::size_t>(Dim); ++k)
        out_.problem.velocity.push_back(slides ? touch.velocity[k] : 0);
    }
  }

  // What a step of the scene has that rigid contacts have not.
  bool gives_way() const {
    bool gives =
        original_.method == Method::compliant || (original_.method == Method::cone && !original_.exact);
    for (const ContactPair& pair : original_.contacts) gives = gives || pair.patch || pair.restitution > 0;
    return gives;
  }

  // A stop is in it where a joint may come to it: it is as near as the joints are fast, four times as a
  // contact is found.
  void look_at_step(const Scene& scene) {
    const auto world = std::make_unique<World>(scene, time_);
    const RowsAt rows = world->as_stepped();
    RowProblem problem(Dim, rows, rows.A, rows.b);
    for (const auto& [slot, element] : rows.element) {
      out_.in_step.push_back(original_.contacts[element.contact].name());
      problem.add_contact(element.row, element.mu);
    }
    double fastest = 0;
    for (const auto& [key, plain] : rows.plain)
      if (!plain.holds()) fastest = std::fmax(fastest, std::fabs(rows.b[plain.row]));
    const double h = world->h();
    for (const auto& [key, plain] : rows.plain)
      for (const int side : {1, -1}) {
        const double gap = side > 0 ? -plain.lower : plain.upper;
        if (plain.holds() || gap > 4 * h * fastest + kTouch) continue;
        out_.in_step.push_back("stop of " + joint_name(plain.joint));
        problem.add_stop(plain.row, side, -gap / h);
      }
    for (const auto& [key, plain] : rows.plain) {
      if (plain.holds() || !(plain.friction > 0)) continue;
      out_.in_step.push_back(joint_name(plain.joint));
      problem.add_rub(plain.row, plain.friction);
    }
    out_.step = problem.take();
  }

  const Scene& original_;
  const StepSample& sample_;
  double time_, touch_, slides_;
  RowsAt now_;
  VectorXd b_;
  SceneInstant out_;
};

void check_law(const Scene& scene) {
  if (scene.method == Method::implicit)
    lacks(scene, "the implicit law has no rows of an instant; give it as rigid");
  for (const ContactPair& pair : scene.contacts)
    if (pair.ellipsoid) lacks(scene, fmt::format("{}: an instant has no torsion", pair.name()));
}

}  // namespace

SceneInstant instant_of(const Scene& scene, const StepSample& sample, double time, bool single) {
  check_law(scene);
  return scene.plane ? Look<2, kPlane>(scene, sample, time, single).instant()
                     : Look<3, kSpace>(scene, sample, time, single).instant();
}

std::optional<InstantProblem> step_of(const Scene& scene, const StepSample& sample, double time,
                                      std::vector<std::string>& in_step) {
  check_law(scene);
  const SceneInstant seen = scene.plane ? Look<2, kPlane>(scene, sample, time, false).step_alone()
                                        : Look<3, kSpace>(scene, sample, time, false).step_alone();
  in_step = seen.in_step;
  return seen.step;
}

SceneInstant scene_instant(const Scene& scene, double time, bool single) {
  check_law(scene);
  const auto plant = make_plant(scene, single);
  const long steps = std::lround(time / scene.step);
  StepSample sample = plant->initial();
  for (long k = 0; k < steps; ++k) {
    const StepSample& next = plant->step();
    if (next.status == 2)
      throw std::runtime_error(fmt::format("{}: the plant has no answer at {:.6g} s: {}", scene.file,
                                           static_cast<double>(k) * scene.step, next.reason));
    if (k + 1 == steps) sample = next;
  }
  if (steps == 0)
    for (std::size_t i = 0; i < scene.arms.size(); ++i) sample.arms[i] = {scene.arms[i].q, scene.arms[i].qd};
  const double at = static_cast<double>(steps) * scene.step;
  return instant_of(scene, sample, at, single);
}

}  // namespace tactus::host
