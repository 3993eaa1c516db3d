#include "scene_instant.hpp"

#include <cmath>

#include "core_world.hpp"
#include "sampled_scene.hpp"
#include "tactus/sentence.hpp"
#include "tactus/stepper/instant.hpp"

namespace tactus::host {
namespace {

using stepper::InstantContact;
using stepper::InstantKind;

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

[[noreturn]] void lacks(const Scene& scene, const std::string& what) {
  throw Unsupported(fmt::format("{}: {}", scene.file, what));
}

// Looks at one instant of a scene.
template <int Dim, stepper::Capacity C>
class Look {
 public:
  Look(const Scene& original, const StepSample& sample, double time, bool single)
      : original_(original),
        sample_(sample),
        time_(time),
        limits_(single ? stepper::kFloatState : stepper::kExactState),
        scene_(at_sample(original, sample)) {
    build_world(scene_, world_);
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const Forcing& force = scene_.bodies[i].force;
      if (force.rows.empty()) continue;
      world_.state.force[i] = core_motion<double, Dim>([&](std::size_t k) { return force.at(time, k); });
    }
  }

  SceneInstant instant() {
    out_.time = time_;
    if constexpr (C.arm_joints > 0) drive_arms(scene_, time_, 0, world_);
    if (time_ > 0) remember_pressed();
    using Problem = stepper::InstantProblem<double, Dim, kAccelContacts + kAccelStops>;
    const auto scratch = std::make_unique<stepper::InstantScratch<double, Dim, C>>();
    const auto problem = std::make_unique<Problem>();
    if (const Error error = stepper::instant(world_.model, world_.state, *ws_, *scratch, limits_, *problem))
      refuse(error);
    for (int i = 0; i < problem->count; ++i) out_.contacts.push_back(touching(problem->contact[index(i)]));
    const auto contacts = std::ranges::count(out_.contacts, Touching::Kind::contact, &Touching::kind);
    if (contacts > kAccelContacts)
      refuse({What::instant_capacity, -1, static_cast<int>(contacts), kAccelContacts});
    out_.problem = to_host(*problem);
    to_entry(out_.problem);
    if (!gives_way()) look_at_step();
    return out_;
  }

  SceneInstant step_alone() {
    if (!gives_way()) look_at_step();
    return out_;
  }

 private:
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  // A point that the last step pressed takes part.
  void remember_pressed() {
    for (std::size_t c = 0; c < original_.contacts.size(); ++c) {
      const auto& contact = world_.model.contact[c];
      for (int point = 0; point < contact.point_slots; ++point)
        if (pressed(original_.contacts[c], sample_.contacts[c], point))
          world_.state.mode[index(contact.first_slot + point)] = {contact::Remembered::closed};
    }
  }

  [[noreturn]] void refuse(const Error& error) const {
    std::string name;
    if (error == What::instant_impact || error == What::instant_passes)
      name = original_.contacts[index(error.index)].name() + ": ";
    if (error == What::instant_stop) name = joint_name(original_, index(error.index)) + ": ";
    lacks(original_, name + Sentence(error).text());
  }

  Touching touching(const InstantContact<double, Dim>& one) const {
    Touching touch;
    touch.kind = static_cast<Touching::Kind>(one.kind);
    const bool contact = one.kind == InstantKind::contact;
    touch.pair =
        contact ? original_.contacts[index(one.number)].name() : joint_name(original_, index(one.number));
    touch.gap = one.gap;
    touch.friction = one.kind == InstantKind::rub ? one.mu : 0;
    for (int k = 0; k < Dim; ++k) touch.velocity[index(k)] = one.velocity[k];
    return touch;
  }

  template <class Problem>
  static InstantProblem to_host(const Problem& from) {
    const int n = from.count * Dim;
    InstantProblem to{Dim, Dim == 3, Eigen::MatrixXd(n, n), Eigen::VectorXd(n), {}, {}, 0};
    for (int r = 0; r < n; ++r) {
      to.b[r] = from.b[index(r)];
      for (int c = 0; c < n; ++c) to.A(r, c) = from.A[index(r * n + c)];
    }
    to.mu.assign(from.mu.begin(), from.mu.begin() + from.count);
    to.velocity.assign(from.velocity.begin(), from.velocity.begin() + from.count * (Dim - 1));
    for (int i = 0; i < from.count; ++i) to.joints += from.contact[index(i)].kind == InstantKind::rub ? 1 : 0;
    return to;
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
    const auto core = [&](int r) { return r % e.contacts * Dim + r / e.contacts; };
    for (int r = 0; r < e.rows(); ++r) {
      e.b.push_back(p.b[core(r)]);
      for (int s = 0; s < e.rows(); ++s) e.A.push_back(p.A(core(r), core(s)));
    }
    for (int k = 0; k < Dim - 1; ++k)
      for (int i = 0; i < e.contacts; ++i) e.velocity.push_back(p.velocity[index(i * (Dim - 1) + k)]);
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
  void look_at_step() {
    constexpr int kMost = C.active + 2 * C.arm_joints + C.servos;
    const auto problem = std::make_unique<stepper::InstantProblem<double, Dim, kMost>>();
    const auto rows = std::make_unique<stepper::InstantRows<double, Dim, C>>();
    const double h = world_.model.h;
    if constexpr (C.arm_joints > 0) drive_arms(scene_, time_, h, world_);
    if (const Error error = stepper::read_rows(world_.model, world_.state, false, *ws_, *rows)) refuse(error);
    double fastest = 0;
    for (int i = 0; i < rows->plains; ++i)
      if (const auto& plain = rows->plain[index(i)]; !plain.holds)
        fastest = std::fmax(fastest, std::fabs(rows->b[index(plain.row)]));
    stepper::eliminate_held(*rows);
    const auto add = [&](const InstantContact<double, Dim>& one, const std::string& name) {
      out_.in_step.push_back(name);
      problem->add(one);
    };
    for (int i = 0; i < rows->touches; ++i) {
      const auto& touch = rows->touch[index(i)];
      add({InstantKind::contact, touch.contact, touch.row, 1, touch.gap, touch.mu},
          original_.contacts[index(touch.contact)].name());
    }
    for (int i = 0; i < rows->plains; ++i) {
      const auto& plain = rows->plain[index(i)];
      for (const double side : {1., -1.}) {
        const double gap = side > 0 ? -plain.lower : plain.upper;
        if (plain.holds || gap > 4 * h * fastest + limits_.touch) continue;
        add({InstantKind::stop, plain.joint, plain.row, side, gap, 0, -gap / h},
            "stop of " + joint_name(original_, index(plain.joint)));
      }
    }
    for (int i = 0; i < rows->plains; ++i)
      if (const auto& plain = rows->plain[index(i)]; !plain.holds && plain.friction > 0)
        add({InstantKind::rub, plain.joint, plain.row, 1, 0, plain.friction},
            joint_name(original_, index(plain.joint)));
    problem->make(*rows, limits_.slides);
    out_.step = to_host(*problem);
  }

  const Scene& original_;
  const StepSample& sample_;
  double time_;
  stepper::InstantLimits limits_;
  Scene scene_;
  stepper::World<double, Dim, C> world_;
  std::unique_ptr<stepper::Workspace<double, Dim, C>> ws_ =
      std::make_unique<stepper::Workspace<double, Dim, C>>();
  SceneInstant out_;
};

}  // namespace

void demand_instant(const Scene& scene) {
  if (scene.method == Method::implicit)
    lacks(scene, "the implicit law has no rows of an instant; give it as rigid");
  for (const ContactPair& pair : scene.contacts)
    if (pair.ellipsoid) lacks(scene, fmt::format("{}: an instant has no torsion", pair.name()));
}

namespace {

template <int Dim, stepper::Capacity C>
auto look(const Scene& scene, const StepSample& sample, double time, bool single) {
  demand_instant(scene);
  return std::make_unique<Look<Dim, C>>(scene, sample, time, single);
}

}  // namespace

SceneInstant instant_of(const Scene& scene, const StepSample& sample, double time, bool single) {
  return scene.plane ? look<2, kPlane>(scene, sample, time, single)->instant()
                     : look<3, kSpace>(scene, sample, time, single)->instant();
}

std::optional<InstantProblem> step_of(const Scene& scene, const StepSample& sample, double time,
                                      std::vector<std::string>& in_step) {
  const SceneInstant seen = scene.plane ? look<2, kPlane>(scene, sample, time, false)->step_alone()
                                        : look<3, kSpace>(scene, sample, time, false)->step_alone();
  in_step = seen.in_step;
  return seen.step;
}

SceneInstant scene_instant(const Scene& scene, double time, bool single) {
  demand_instant(scene);
  const Sampled sampled = run_to(scene, time, single);
  return instant_of(scene, sampled.now, sampled.time, single);
}

}  // namespace tactus::host
