#include "plant.hpp"

#include <algorithm>

#include "centre_of_pressure.hpp"
#include "core_world.hpp"
#include "scene_reader.hpp"
#include "tactus/stepper/ambiguity.hpp"
#include "tactus/tactus.hpp"

namespace tactus::host {
namespace {

// Room for every scene that scene_reader.hpp lets pass; what can touch in one step is bounded by `active`.
constexpr int kActivePlane = 128, kActiveSpace = 64;
constexpr stepper::Capacity kPlane{.bodies = kMaxBodies,
                                   .contacts = kMaxContactPairs,
                                   .slots = kMaxContactPairs * stepper::kMaxTouches * 16,
                                   .active = kActivePlane,
                                   .joints = kMaxJoints,
                                   .patches = kMaxContactPairs,
                                   .patch_elements = kMaxElements,
                                   .points = kMaxContactPairs * kMaxPoints};
constexpr stepper::Capacity kSpace{.bodies = kMaxBodies + kMaxTips,
                                   .contacts = kMaxContactPairs,
                                   .slots = kMaxContactPairs * stepper::kMaxTouches * 16,
                                   .active = kActiveSpace,
                                   .joints = kMaxJoints,
                                   .arm_joints = kMaxArmJoints,
                                   .servos = kMaxArmJoints,
                                   .mimics = kMaxArmJoints,
                                   .patches = kMaxContactPairs,
                                   .patch_elements = kMaxElements,
                                   .points = kMaxContactPairs * kMaxPoints,
                                   .torsion = true};

template <int Dim>
constexpr stepper::Capacity kImplicit{.bodies = kMaxBodies,
                                      .contacts = kMaxContactPairs,
                                      .slots = 0,
                                      .active = 0,
                                      .torsion = Dim == 3,
                                      .pieces = 64,
                                      .moving = kMaxBodies};

constexpr double kFar = 1e9;  // m; every point of a pair is nearer

template <class Vector>
std::array<double, 3> wide(const Vector& v) {
  std::array<double, 3> out{};
  for (int i = 0; i < v.size(); ++i) out[static_cast<std::size_t>(i)] = static_cast<double>(v[i]);
  return out;
}

template <class Scalar, int Dim, stepper::Capacity C>
class CorePlant : public Plant {
 public:
  explicit CorePlant(const Scene& scene) : scene_(scene) {
    build_world(scene, world_);
    sample_.bodies.resize(scene.bodies.size());
    sample_.contacts.resize(scene.contacts.size());
    sample_.joints.resize(scene.joints.size());
    for (const Arm& arm : scene.arms) {
      const std::vector<double> zero(arm.q.size());
      sample_.arms.push_back({zero, zero});
    }
    sample_bodies();
    for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
      const auto& pair = world_.model.contact[i];
      const auto elements = static_cast<std::size_t>(pair.point_slots * pair.elements);
      sample_.contacts[i].element.resize(elements);
      sample_.contacts[i].deformation.resize(elements);
      sample_geometry(i);
    }
    initial_ = sample_;
  }

  const StepSample& initial() const override { return initial_; }

  void advance() override { move(); }

  void restart(const predictor::Disturbance<double>& by, int member) override {
    if (!start_) start_ = std::make_unique<stepper::World<Scalar, Dim, C>>(world_);
    world_ = *start_;
    const auto narrow = [](double x) { return static_cast<Scalar>(x); };
    predictor::Disturbance<Scalar> off;
    off.seed = by.seed;
    off.position = narrow(by.position), off.angle = narrow(by.angle);
    off.velocity = narrow(by.velocity), off.angular_velocity = narrow(by.angular_velocity);
    off.friction = narrow(by.friction), off.restitution = narrow(by.restitution);
    off.mass = narrow(by.mass), off.joint = narrow(by.joint);
    predictor::disturb(world_.model, world_.state, off, member);
    taken_ = 0;
  }

  const StepSample& step() override {
    const auto before = scene_.uniqueness ? world_.state : stepper::State<Scalar, Dim, C>{};
    const auto report = move();
    if (scene_.uniqueness) judge(before);
    sample_.status = static_cast<int>(report.status);
    sample_.reason = stepper::sentence(report.reason);
    sample_.pivots = report.pivots;
    sample_.warm = report.warm;
    sample_.residual = static_cast<double>(report.certificate.residual);
    sample_.worst_facet = static_cast<double>(report.facet_error);
    sample_.impacts = report.impacts;
    sample_.lift = static_cast<double>(report.lift);
    sample_bodies();
    if constexpr (C.has_rows()) {
      sample_elements();
      sample_joints();
    }
    for (std::size_t i = 0; i < sample_.contacts.size(); ++i) sample_contact(i, report.contact[i]);
    return sample_;
  }

 private:
  auto move() {
    const double t = scene_.step * static_cast<double>(taken_++);
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const Forcing& force = scene_.bodies[i].force;
      if (!force.rows.empty()) {
        world_.state.force[i] = core_motion<Scalar, Dim>([&](std::size_t k) { return force.at(t, k); });
      }
    }
    if constexpr (C.arm_joints > 0) drive_arms(scene_, t, scene_.step, world_);
    return stepper::step(world_, workspace_);
  }

  // Of the step from a state, with what was applied in it.
  void judge(stepper::State<Scalar, Dim, C> before) {
    if constexpr (C.has_rows()) {
      before.force = world_.state.force;
      const auto seen = stepper::ambiguity(world_.model, before, workspace_);
      sample_.ambiguous = seen.several;
      sample_.impulse = seen.impulse;
      sample_.sought = seen.sought;
    }
  }

  void sample_bodies() {
    const auto& state = world_.state;
    sample_.kinetic = sample_.potential = 0;
    sample_.elastic = static_cast<double>(stepper::elastic_energy(world_.model, state));
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      BodySample& body = sample_.bodies[i];
      const auto& pose = state.pose[i];
      fill_body<Scalar, Dim>(pose, state.velocity[i], body);
      if (!scene_.moving(i)) continue;
      sample_.kinetic += static_cast<double>(dynamics::kinetic_energy<Scalar, Dim>(
          world_.model.inertia[i], geometry::frame(pose), state.velocity[i]));
      for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k) {
        sample_.potential -=
            *scene_.bodies[i].mass * scene_.gravity[k] * (body.pose[k] - scene_.bodies[i].pose[k]);
      }
    }
    sample_arms();
  }

  // After the bodies: adds to their energies.
  void sample_arms() {
    if constexpr (C.arm_joints > 0) {
      auto& state = world_.state;
      const auto& links = world_.model.arm.links;
      stepper::place_carried(world_.model, state);
      std::size_t joint = 0;
      for (ArmSample& arm : sample_.arms) {
        for (std::size_t j = 0; j < arm.q.size(); ++j, ++joint) {
          arm.q[j] = static_cast<double>(state.arm.q[joint]);
          arm.qd[j] = static_cast<double>(state.arm.qd[joint]);
        }
      }
      dynamics::ArmPose<Scalar, C.arm_joints> pose;
      dynamics::MassMatrix<Scalar, C.arm_joints> M;
      dynamics::place(links, geometry::SpatialFrame<Scalar>{}, state.arm.q, pose);
      dynamics::mass_matrix(links, pose, M);
      double height = 0;  // sum of m g . c
      for (std::size_t i = 0; i < static_cast<std::size_t>(links.joints); ++i) {
        for (std::size_t j = 0; j < static_cast<std::size_t>(links.joints); ++j)
          sample_.kinetic +=
              0.5 * static_cast<double>(state.arm.qd[i] * M[i * static_cast<std::size_t>(C.arm_joints) + j] *
                                        state.arm.qd[j]);
        height += static_cast<double>(
            links.link[i].mass *
            math::fused_dot<Scalar, 3>(world_.model.gravity, pose.frame[i].to_world(links.link[i].centre)));
      }
      if (taken_ == 0) arms_height_ = height;
      sample_.potential -= height - arms_height_;
    }
  }

  template <class ContactReport>
  void sample_contact(std::size_t i, const ContactReport& from) {
    ContactSample& contact = sample_.contacts[i];
    contact.force = wide(from.force);
    contact.mode = static_cast<int>(from.mode);
    if constexpr (C.has_rows()) {
      sample_geometry(i);
      if (contact.force[0] > 0)
        move_to_centre_of_pressure(contact, moment_of(i), centre_of(world_.model.contact[i].bodies.b), Dim);
    } else {
      contact.element[0] = contact.force;
      contact.torsion = static_cast<double>(from.torsion);
      if (from.elements > 0)
        take_place(from.gap, from.point, from.normal, from.tangent, contact);
      else
        sample_geometry(i);
    }
  }

  template <class Vector>
  static void take_place(Scalar gap, const Vector& point, const Vector& normal, const Vector& tangent,
                         ContactSample& contact) {
    contact.gap = static_cast<double>(gap);
    contact.point = wide(point);
    contact.normal = wide(normal);
    contact.tangent = wide(tangent);
  }

  void sample_elements() {
    for (ContactSample& contact : sample_.contacts) {
      std::fill(contact.element.begin(), contact.element.end(), std::array<double, 3>{});
      contact.torsion = 0;
    }
    for (std::size_t i = 0; i < sample_.contacts.size(); ++i) {
      const auto& from = world_.model.contact[i];
      if (from.patch < 0) continue;
      for (std::size_t k = 0; k < sample_.contacts[i].deformation.size(); ++k)
        sample_.contacts[i].deformation[k] = wide(world_.state.delta[from.first_slot + k]);
    }
    for (int e = 0; e < workspace_.found.elements; ++e) {
      const auto& element = workspace_.found.element[static_cast<std::size_t>(e)];
      auto& force = sample_.contacts[element.contact].element[static_cast<std::size_t>(
          element.slot - world_.model.contact[element.contact].first_slot)];
      for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k)
        force[k] = static_cast<double>(workspace_.answer.lambda[static_cast<std::size_t>(e * Dim) + k]);
      if constexpr (C.torsion)
        if (world_.model.ellipsoid.any())
          sample_.contacts[element.contact].torsion +=
              static_cast<double>(workspace_.answer.moment[static_cast<std::size_t>(e)]);
    }
  }

  // The anchor is that of the second body, where it was when the rows were taken.
  void sample_joints() {
    for (std::size_t i = 0; i < sample_.joints.size(); ++i) {
      const auto& joint = world_.model.joint[i];
      const auto& given = workspace_.next.joint_force[i];
      const auto force = wide(given.linear),
                 arm = wide(workspace_.placed.body[joint.bodies.b].frame.turn(joint.anchor_b));
      const auto turn = wide(given.angular);
      JointSample& to = sample_.joints[i];
      to.force = force;
      if constexpr (Dim == 2)
        to.moment = {0, 0, turn[0] - (arm[0] * force[1] - arm[1] * force[0])};
      else
        to.moment = {turn[0] - (arm[1] * force[2] - arm[2] * force[1]),
                     turn[1] - (arm[2] * force[0] - arm[0] * force[2]),
                     turn[2] - (arm[0] * force[1] - arm[1] * force[0])};
    }
  }

  // Gap, nearest point and frame at the present poses.
  void sample_geometry(std::size_t i) {
    if constexpr (C.has_rows())
      sample_shapes(i);
    else
      sample_surfaces(i);
  }

  void sample_surfaces(std::size_t i) {
    using Vector = math::Vector<Scalar, Dim>;
    const auto& model = world_.model;
    const auto placed = [&](std::size_t body) {
      return geometry::Placed<Scalar, Dim, C.pieces>{&model.implicit.surface[body],
                                                     geometry::frame(world_.state.pose[body])};
    };
    const auto [a, b] = model.contact[i].bodies;
    geometry::ClosestPoints<Scalar, Dim> at;
    if (!geometry::find<Scalar, Dim, C.pieces>(placed(a), placed(b), model.implicit.length, at)) return;
    const Vector apart = at.b - at.a;
    const Vector normal =
        math::direction<Scalar, Dim>(at.gap < 0 ? Vector(-apart) : apart, Vector::Unit(Dim - 1));
    take_place(at.gap, at.b, normal, Vector(geometry::tangent<Scalar>(normal)), sample_.contacts[i]);
  }

  void sample_shapes(std::size_t i) {
    const auto& pair = world_.model.contact[i].bodies;
    if (world_.model.contact[i].given_points > 0) return sample_points(i);
    std::conditional_t<Dim == 2, geometry::PlanarContacts<Scalar>, geometry::SpatialContacts<Scalar>> set;
    geometry::find_contacts(world_.model.shape[pair.a], geometry::frame(world_.state.pose[pair.a]),
                            world_.model.shape[pair.b], geometry::frame(world_.state.pose[pair.b]),
                            static_cast<Scalar>(kFar), set);
    if (set.count == 0) return;
    int nearest = 0;
    for (int k = 1; k < set.count; ++k) {
      if (set[k].gap < set[nearest].gap) nearest = k;
    }
    const auto& point = set[nearest];
    take_place(point.gap, point.point_b, point.normal, point.tangent, sample_.contacts[i]);
  }

  // The lowest of points that are given.
  void sample_points(std::size_t i) {
    using Vector = math::Vector<Scalar, Dim>;
    const auto& c = world_.model.contact[i];
    const auto& floor = world_.model.shape[c.bodies.a];
    const auto a = geometry::frame(world_.state.pose[c.bodies.a]),
               b = geometry::frame(world_.state.pose[c.bodies.b]);
    const Vector normal = a.turn(floor.size);
    Scalar least = static_cast<Scalar>(kFar);
    for (std::size_t k = 0; k < c.given_points; ++k) {
      const Vector p = b.to_world(world_.model.point[c.first_point + k]);
      const Scalar gap = normal.dot(p - a.position) - floor.offset;
      if (!(gap < least)) continue;
      least = gap;
      take_place(gap, p, normal, Vector(geometry::tangent<Scalar>(normal)), sample_.contacts[i]);
    }
  }

  std::array<double, 3> centre_of(std::size_t body) const {
    const auto& pose = world_.state.pose[body];
    if constexpr (Dim == 2)
      return {static_cast<double>(pose.x), static_cast<double>(pose.y), 0};
    else
      return wide(pose.position);
  }

  // The moment of a contact's forces about its body b.
  std::array<double, 3> moment_of(std::size_t i) const {
    std::array<double, 3> moment{};
    for (int e = 0; e < workspace_.found.elements; ++e) {
      const auto& element = workspace_.found.element[static_cast<std::size_t>(e)];
      if (element.contact != i) continue;
      for (int k = 0; k < Dim; ++k) {
        const auto r = static_cast<std::size_t>(e * Dim + k);
        const auto m = wide(dynamics::moment<Scalar>(element.frame.arm_b, element.frame.axis[k]));
        for (std::size_t c = 0; c < 3; ++c)
          moment[c] += static_cast<double>(workspace_.answer.lambda[r]) * m[c];
      }
    }
    return moment;
  }

  const Scene scene_;
  stepper::World<Scalar, Dim, C> world_;
  stepper::Workspace<Scalar, Dim, C> workspace_;
  std::unique_ptr<stepper::World<Scalar, Dim, C>> start_;  // of ensembles
  StepSample sample_, initial_;
  long taken_ = 0;
  double arms_height_ = 0;  // at the start
};

template <int Dim, stepper::Capacity C>
std::unique_ptr<Plant> plant_of(const Scene& scene, bool single) {
  if (single) return std::make_unique<CorePlant<float, Dim, C>>(scene);
  return std::make_unique<CorePlant<double, Dim, C>>(scene);
}

}  // namespace

std::unique_ptr<Plant> make_plant(const Scene& scene, bool single) {
  const bool implicit = scene.method == Method::implicit;
  if (scene.plane)
    return implicit ? plant_of<2, kImplicit<2>>(scene, single) : plant_of<2, kPlane>(scene, single);
  return implicit ? plant_of<3, kImplicit<3>>(scene, single) : plant_of<3, kSpace>(scene, single);
}

}  // namespace tactus::host
