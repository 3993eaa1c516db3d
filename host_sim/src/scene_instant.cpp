#include "scene_instant.hpp"

#include <cmath>
#include <map>

#include "core_world.hpp"
#include "plant.hpp"
#include "scene_reader.hpp"

namespace tactus::host {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr stepper::Capacity kPlane{.bodies = kMaxBodies + 1,
                                   .contacts = kMaxContactPairs,
                                   .slots = kMaxContactPairs * stepper::kMaxTouches,
                                   .active = 64,
                                   .joints = kMaxJoints,
                                   .patches = 0,
                                   .patch_elements = 0,
                                   .points = 0};
constexpr stepper::Capacity kSpace{.bodies = kMaxBodies + kMaxTips + 1,
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

constexpr double kScouted = 1e-4;  // m

[[noreturn]] void lacks(const Scene& scene, const std::string& what) {
  throw Unsupported(fmt::format("{}: {}", scene.file, what));
}

// The scene with rigid contacts that do not bounce, at the time of a sample.
Scene at_sample(Scene scene, const StepSample& sample, double time) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    Body& body = scene.bodies[i];
    body.pose = sample.bodies[i].pose;
    if (body.mass) body.velocity = sample.bodies[i].velocity;
  }
  for (std::size_t i = 0; i < scene.arms.size(); ++i) {
    Arm& arm = scene.arms[i];
    arm.q = sample.arms[i].q;
    arm.qd = sample.arms[i].qd;
    Forcing::Row acts{0, {}};
    for (std::size_t j = 0; j < arm.q.size(); ++j) {
      double torque = arm.torque.at(time, j);
      if (arm.impedance)
        torque += arm.impedance->stiffness[j] * (arm.impedance->q.at(time, j) - arm.q[j]) +
                  arm.impedance->damping[j] * (arm.impedance->qd.at(time, j) - arm.qd[j]);
      acts.value.push_back(torque);
    }
    // A joint that moves rubs by all of its friction.
    for (std::size_t j = 0; j < arm.q.size(); ++j) {
      double& friction = arm.robot.joints[j].data.friction;
      if (!(std::fabs(arm.qd[j]) > kSlides)) continue;
      acts.value[j] -= std::copysign(friction, arm.qd[j]);
      friction = 0;
    }
    arm.torque.rows = {acts};
    arm.impedance.reset();
  }
  for (ContactPair& pair : scene.contacts) {
    pair.patch.reset();
    pair.restitution = 0;
  }
  scene.method = Method::rigid;
  return scene;
}

// Rows of all elements that are found, by element, and of what holds, by island.
struct RowsAt {
  struct Element {
    std::size_t contact = 0;
    int slot = 0, row = 0;
    double gap = 0, mu = 0;
  };
  std::map<int, Element> element;  // by slot
  std::map<int, int> held;         // rows of joints and of joints that mimic others, by island and number
  MatrixXd A;
  VectorXd b, offset;  // offset: of contacts
};

template <int Dim, stepper::Capacity C>
class RigidWorld {
 public:
  using State = stepper::State<double, Dim, C>;

  RigidWorld(const Scene& scene, double time) : scene_(scene) {
    build_world(scene, world_);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const Forcing& force = scene.bodies[i].force;
      if (force.rows.empty()) continue;
      world_.state.force[i] = core_motion<double, Dim>([&](std::size_t k) { return force.at(time, k); });
    }
    if constexpr (C.arm_joints > 0) drive_arms(scene, 0, 0, world_);
    gravity_ = world_.model.gravity;
    add_scout();
  }

  RowsAt rows(const State& state) {
    using namespace stepper::detail;
    auto& m = world_.model;
    RowsAt out;
    if (!place(m, state, ws_.placed)) lacks(scene_, "a pose is not finite");
    find(m, state, ws_.placed, ws_.estimate, 0.0, ws_.found);
    if (!ws_.found.good || ws_.found.overflow)
      lacks(scene_, "more points could touch than this build has room for");
    find_islands(m, ws_.found);
    for (int i = 0; i < ws_.found.islands; ++i) {
      const Group<double, Dim, C> group(ws_.found, ws_.found.island[at(i)]);
      couple(m, state, ws_.placed, ws_.estimate, group, ws_.rows);
      append(group, out);
    }
    return out;
  }

  // With loads and velocities: W (v + h M^-1 f) and what stands beside it; the load of gyroscopic torques,
  // which a step leaves to its drift, is added.
  RowsAt loaded() {
    State state = world_.state;
    if constexpr (Dim == 3)
      for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
        if (!scene_.moving(i)) continue;
        const auto I = core_inertia<double, 3>(scene_.bodies[i].inertia);
        const auto& p = state.pose[i];
        const Eigen::Matrix3d R = Eigen::Quaterniond(p.w, p.x, p.y, p.z).toRotationMatrix();
        const Eigen::Vector3d w = state.velocity[i].angular;
        Eigen::Matrix3d body;
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) body(r, c) = I(r, c);
        state.force[i].angular -= w.cross(R * body * R.transpose() * w);
      }
    return rows(state);
  }
  RowsAt as_stepped() { return rows(world_.state); }

  // W v where everything has moved on by `later` with its velocity.
  RowsAt moved(double later) {
    State state = world_.state;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      state.force[i] = {};
      if (scene_.moving(i)) advance(state.pose[i], state.velocity[i], later);
    }
    if constexpr (C.arm_joints > 0)
      for (std::size_t j = 0; j < state.arm.q.size(); ++j) {
        state.arm.q[j] += later * state.arm.qd[j];
        state.arm.torque[j] = 0;
      }
    State still = state;
    stop(still);
    world_.model.gravity.setZero();
    RowsAt out = rows(state);
    out.b -= out.offset + held_offset(still, out);
    // What acts in arms through h alone, products of their speeds, is linear in it.
    if (!scene_.arms.empty()) {
      world_.model.h /= 2;
      const RowsAt half = rows(state);
      if (half.b.size() != out.b.size()) lacks(scene_, "contacts come and go too fast for an instant");
      out.b = 2 * (half.b - half.offset - held_offset(still, half)) - out.b;
      world_.model.h *= 2;
    }
    world_.model.gravity = gravity_;
    return out;
  }

  // What stands beside W v in the rows of joints, by the same rows of bodies at rest.
  VectorXd held_offset(const State& still, const RowsAt& like) {
    VectorXd out = VectorXd::Zero(like.b.size());
    if (like.held.empty()) return out;
    const RowsAt rest = rows(still);
    for (const auto& [key, row] : like.held) {
      const auto same = rest.held.find(key);
      if (same == rest.held.end()) lacks(scene_, "joints and contacts come and go too fast for an instant");
      out[row] = rest.b[same->second];
    }
    return out;
  }
  RowsAt at_rest() {
    State still = world_.state;
    stop(still);
    for (auto& f : still.force) f = {};
    if constexpr (C.arm_joints > 0) still.arm.torque = {};
    world_.model.gravity.setZero();
    const RowsAt out = rows(still);
    world_.model.gravity = gravity_;
    return out;
  }

  double h() const { return world_.model.h; }
  int first_slot(std::size_t contact) const { return world_.model.contact[contact].first_slot; }

 private:
  // A body that touches nothing and is so fast that a step looks kScouted far, whatever else moves.
  void add_scout() {
    stepper::BodyDescription<double, Dim> body;
    body.mass = 1;
    for (int k = 0; k < dynamics::kSpin<Dim>; ++k) body.inertia(k, k) = 1;
    if constexpr (Dim == 2)
      body.shape = geometry::disc<double>(1e-3);
    else
      body.shape = geometry::sphere<double>(1e-3);
    body.velocity.linear[0] = kScouted / world_.model.h;
    refuse(scene_, "bodies", stepper::add_body(world_, body, scout_));
  }
  void stop(State& state) const {
    for (std::size_t i = 0; i < state.velocity.size(); ++i)
      if (static_cast<int>(i) != scout_) state.velocity[i] = {};
    if constexpr (C.arm_joints > 0) state.arm.qd = {};
  }

  static void advance(dynamics::Pose<double, Dim>& pose, const dynamics::Motion<double, Dim>& v, double t) {
    if constexpr (Dim == 2) {
      pose.x += t * v.linear[0];
      pose.y += t * v.linear[1];
      pose.angle += t * v.angular[0];
    } else {
      for (int k = 0; k < 3; ++k) pose.position[k] += t * v.linear[k];
      const Eigen::Vector3d turn(t * v.angular[0], t * v.angular[1], t * v.angular[2]);
      const Eigen::Quaterniond q = Eigen::AngleAxisd(turn.norm(), turn.stableNormalized()) *
                                   Eigen::Quaterniond(pose.w, pose.x, pose.y, pose.z);
      pose.w = q.w(), pose.x = q.x(), pose.y = q.y(), pose.z = q.z();
    }
  }

  template <class Group>
  void append(const Group& group, RowsAt& out) {
    const auto& rows = ws_.rows;
    const auto before = out.b.size();
    std::vector<int> taken;
    for (int r = 0; r < rows.plain; ++r) {
      const auto& law = rows.staircase[static_cast<std::size_t>(r)];
      if (law.friction < law.kNever) {
        if (law.friction > 0)
          lacks(scene_, "an instant has no friction in a joint at rest and no limited motors");
        const double near = 1e-9 / h();
        if (law.lower > -near || law.upper < near) lacks(scene_, "an instant has no joint at its limit");
        continue;
      }
      out.held[group.root * 1024 + r] = static_cast<int>(before) + static_cast<int>(taken.size());
      taken.push_back(r);
    }
    for (int k = 0; k < group.elements; ++k) {
      const auto& e = group[k];
      out.element[e.slot] = {e.contact, e.slot, static_cast<int>(before) + static_cast<int>(taken.size()),
                             e.gap, group.mu(k)};
      for (int c = 0; c < Dim; ++c) taken.push_back(rows.plain + k * Dim + c);
    }
    const auto n = static_cast<Eigen::Index>(taken.size());
    out.A.conservativeResizeLike(MatrixXd::Zero(before + n, before + n));
    out.b.conservativeResizeLike(VectorXd::Zero(before + n));
    out.offset.conservativeResizeLike(VectorXd::Zero(before + n));
    for (Eigen::Index i = 0; i < n; ++i) {
      const int r = taken[static_cast<std::size_t>(i)];
      out.b[before + i] = rows.b[static_cast<std::size_t>(r)];
      if (r >= rows.plain)
        out.offset[before + i] = group.offset((r - rows.plain) / Dim)[(r - rows.plain) % Dim];
      for (Eigen::Index j = 0; j < n; ++j)
        out.A(before + i, before + j) =
            rows.A[static_cast<std::size_t>(r * rows.all + taken[static_cast<std::size_t>(j)])];
    }
  }

  const Scene& scene_;
  stepper::World<double, Dim, C> world_;
  stepper::Workspace<double, Dim, C> ws_;
  math::Vector<double, Dim> gravity_;
  int scout_ = 0;
};

// Keeps the rows of `wanted` and takes out those of joints, whose s is 0.
void reduce_to(const std::vector<int>& wanted, const std::map<int, int>& held, MatrixXd& A, VectorXd& b) {
  const auto n = static_cast<Eigen::Index>(wanted.size()), k = static_cast<Eigen::Index>(held.size());
  std::vector<int> joints;
  for (const auto& [key, row] : held) joints.push_back(row);
  const auto part = [&](const std::vector<int>& rows, const std::vector<int>& columns) {
    MatrixXd out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j)
        out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = A(rows[i], columns[j]);
    return out;
  };
  VectorXd own(n), of_joints(k);
  for (Eigen::Index i = 0; i < n; ++i) own[i] = b[wanted[static_cast<std::size_t>(i)]];
  for (Eigen::Index i = 0; i < k; ++i) of_joints[i] = b[joints[static_cast<std::size_t>(i)]];
  MatrixXd reduced = part(wanted, wanted);
  if (k > 0) {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> inverse;
    inverse.setThreshold(1e-10);
    inverse.compute(part(joints, joints));
    const MatrixXd cross = part(joints, wanted);
    own -= cross.transpose() * inverse.solve(of_joints);
    reduced -= cross.transpose() * inverse.solve(cross);
    reduced = (0.5 * (reduced + reduced.transpose())).eval();
  }
  A = reduced;
  b = own;
}

// The five-point difference of W v in time.
template <class World>
std::map<int, VectorXd> turning(World& world, double eps, const RowsAt& now, int dim) {
  std::map<int, VectorXd> out;  // by row of `now`
  const double weight[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const int shift[] = {-2, -1, 1, 2};
  for (int k = 0; k < 4; ++k) {
    const RowsAt there = world.moved(shift[k] * eps);
    for (const auto& [slot, e] : now.element) {
      const auto same = there.element.find(slot);
      auto& sum = out.try_emplace(e.row, VectorXd::Zero(dim)).first->second;
      if (same == there.element.end())
        sum.setConstant(std::nan(""));
      else
        sum += weight[k] / eps * there.b.segment(same->second.row, dim);
    }
    for (const auto& [key, row] : now.held) {
      const auto same = there.held.find(key);
      auto& sum = out.try_emplace(row, VectorXd::Zero(1)).first->second;
      sum += weight[k] / eps * there.b.segment(same == there.held.end() ? row : same->second, 1);
    }
  }
  return out;
}

// Whether a point was pressed in the last step; a patch has several elements at each.
bool pressed(const ContactPair& pair, const ContactSample& sample, int point) {
  int elements = 1;
  if (pair.patch)
    for (const int n : pair.patch->elements) elements *= n;
  for (int e = point * elements; e < (point + 1) * elements; ++e)
    if (static_cast<std::size_t>(e) < sample.element.size() &&
        sample.element[static_cast<std::size_t>(e)][0] > 0)
      return true;
  return false;
}

template <int Dim, stepper::Capacity C>
SceneInstant look(const Scene& original, const StepSample& sample, double time, bool single) {
  SceneInstant out;
  out.time = time;
  const Scene scene = at_sample(original, sample, time);
  const auto world = std::make_unique<RigidWorld<Dim, C>>(scene, time);
  double fastest = 1;
  for (const auto& body : sample.bodies)
    for (const double v : body.velocity) fastest = std::fmax(fastest, std::fabs(v));
  const RowsAt now = world->moved(0), loaded = world->loaded();
  const auto bias = turning(*world, 1e-3 / fastest, now, Dim);
  // b = W M^-1 f + W-dot v.
  const RowsAt rest = world->at_rest();
  VectorXd b = VectorXd::Zero(now.b.size());
  for (const auto& [slot, e] : now.element) {
    const auto& same = loaded.element.at(slot);
    b.segment(e.row, Dim) =
        (loaded.b.segment(same.row, Dim) - loaded.offset.segment(same.row, Dim) - now.b.segment(e.row, Dim)) /
            world->h() +
        bias.at(e.row);
  }
  for (const auto& [key, row] : now.held)
    b[row] = (loaded.b[loaded.held.at(key)] - rest.b[rest.held.at(key)] - now.b[row]) / world->h() +
             bias.at(row)[0];
  std::vector<int> wanted;
  for (const auto& [slot, e] : now.element) {
    Touching touch{original.contacts[e.contact].name(), e.gap, {}};
    for (int k = 0; k < Dim; ++k) touch.velocity[static_cast<std::size_t>(k)] = now.b[e.row + k];
    const bool held = time > 0 && pressed(original.contacts[e.contact], sample.contacts[e.contact],
                                          slot - world->first_slot(e.contact));
    if (!held && (e.gap > (single ? 1e-5 : kTouch) || touch.velocity[0] > kParts)) continue;
    if (!held && touch.velocity[0] < -kParts)
      lacks(scene, fmt::format("{} closes at {:.6g} m/s: an impact has no accelerations", touch.pair,
                               -touch.velocity[0]));
    if (!b.segment(e.row, Dim).allFinite())
      lacks(scene, fmt::format("{} comes and goes too fast for an instant", touch.pair));
    out.contacts.push_back(touch);
    out.entry.mu.push_back(e.mu);
    for (int k = 0; k < Dim; ++k) wanted.push_back(e.row + k);
  }
  if (out.contacts.size() > static_cast<std::size_t>(kAccelContacts))
    lacks(scene, fmt::format("{} contacts are over this build's capacity of {}", out.contacts.size(),
                             kAccelContacts));
  MatrixXd A = now.A / world->h();
  reduce_to(wanted, now.held, A, b);
  // Into the order of a file: all n, all t, all o.
  AccelEntry& e = out.entry;
  e.name = original.name;
  e.plane = Dim == 2;
  e.cone = Dim == 3;
  e.contacts = static_cast<int>(out.contacts.size());
  e.reduced = true;
  const auto core = [&](int r) { return r % e.contacts * Dim + r / e.contacts; };
  for (int r = 0; r < e.rows(); ++r) {
    e.b.push_back(b[core(r)]);
    for (int s = 0; s < e.rows(); ++s) e.A.push_back(A(core(r), core(s)));
  }
  for (int k = 1; k < Dim; ++k)
    for (const Touching& touch : out.contacts) {
      const bool slides = std::hypot(touch.velocity[1], touch.velocity[2]) > (single ? 1e-4 : kSlides);
      e.velocity.push_back(slides ? touch.velocity[static_cast<std::size_t>(k)] : 0);
    }
  bool gives = original.method == Method::compliant || (original.method == Method::cone && !original.exact);
  for (const Arm& arm : original.arms)
    for (const auto& joint : arm.robot.joints) gives = gives || joint.data.friction > 0 || arm.impedance;
  for (const ContactPair& pair : original.contacts) gives = gives || pair.patch || pair.restitution > 0;
  if (gives) return out;
  const RowsAt step = world->as_stepped();
  InstantProblem p{Dim, Dim == 3, step.A, step.b, {}, {}};
  std::vector<int> all;
  for (const auto& [slot, element] : step.element) {
    out.in_step.push_back(original.contacts[element.contact].name());
    p.mu.push_back(element.mu);
    p.velocity.insert(p.velocity.end(), static_cast<std::size_t>(Dim - 1), 0.0);
    for (int k = 0; k < Dim; ++k) all.push_back(element.row + k);
  }
  reduce_to(all, step.held, p.A, p.b);
  out.step = p;
  return out;
}

}  // namespace

SceneInstant scene_instant(const Scene& scene, double time, bool single) {
  if (scene.method == Method::implicit)
    lacks(scene, "the implicit law has no rows of an instant; give it as rigid");
  for (const ContactPair& pair : scene.contacts)
    if (pair.ellipsoid) lacks(scene, fmt::format("{}: an instant has no torsion", pair.name()));
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
  return scene.plane ? look<2, kPlane>(scene, sample, at, single)
                     : look<3, kSpace>(scene, sample, at, single);
}

}  // namespace tactus::host
