// Scenes under the geometrically implicit law: the core's implicit stepper behind the same interface.
#include <fmt/format.h>

#include <algorithm>

#include "core_world.hpp"
#include "plant.hpp"
#include "scene_reader.hpp"
#include "tactus/stepper/implicit.hpp"

namespace tactus::host {
namespace {

namespace implicit = stepper::implicit;

constexpr int kPieces = 64;  // implicit surfaces of one body
constexpr implicit::Capacity kCapacity{
    .bodies = kMaxBodies, .moving = kMaxBodies, .contacts = kMaxContactPairs, .pieces = kPieces};

// What the law does not have, as one line for the user.
void demand_law(const Scene& scene) {
  const auto lacks = [&](const std::string& what) {
    throw Unsupported(fmt::format("{}: {}", scene.file, what));
  };
  if (!scene.arms.empty()) lacks("arms: the implicit law has none");
  if (!scene.joints.empty()) lacks("joints: the implicit law has none");
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    if (scene.contacts[i].restitution > 0)
      lacks(fmt::format("contacts[{}].restitution: the implicit law is inelastic", i));
    if (scene.contacts[i].mu.kind != Friction::Kind::constant)
      lacks(fmt::format("contacts[{}].mu: the implicit law has one constant coefficient", i));
  }
}

template <class Scalar, int Dim>
void add_shape(const Scene& scene, const std::string& key, const Shape& shape,
               geometry::Surface<Scalar, Dim, kPieces>& surface) {
  if (!shape.row) {
    for (std::size_t i = 0; i < shape.parts.size(); ++i)
      add_shape<Scalar, Dim>(scene, fmt::format("{}.intersection[{}]", key, i), shape.parts[i], surface);
    return;
  }
  refuse(scene, key, geometry::add<Scalar, Dim, kPieces>(surface, core_shape<Scalar, Dim>(shape)));
}

template <class Vector>
std::array<double, 3> wide(const Vector& v) {
  std::array<double, 3> out{};
  for (int i = 0; i < v.size(); ++i) out[static_cast<std::size_t>(i)] = static_cast<double>(v[i]);
  return out;
}

template <class Scalar, int Dim>
class ImplicitPlant : public Plant {
 public:
  explicit ImplicitPlant(const Scene& scene) : scene_(scene) {
    build();
    sample_.bodies.resize(scene.bodies.size());
    sample_.contacts.resize(scene.contacts.size());
    for (ContactSample& contact : sample_.contacts) contact.element.resize(1);
    sample_bodies();
    for (std::size_t i = 0; i < scene.contacts.size(); ++i) sample_geometry(i);
    initial_ = sample_;
  }

  const StepSample& initial() const override { return initial_; }

  void advance() override { move(); }

  const StepSample& step() override {
    const auto report = move();
    const auto& certificate = report.certificate;
    sample_.status = report.status == implicit::Status::solved ? 0 : 2;
    sample_.reason = sentence(report.status);
    sample_.pivots = report.iterations;
    sample_.warm = report.iterations == 0;
    sample_.residual =
        static_cast<double>(std::max({certificate.places, certificate.pace, certificate.alignment}));
    sample_bodies();
    for (std::size_t i = 0; i < sample_.contacts.size(); ++i) {
      ContactSample& contact = sample_.contacts[i];
      const auto& from = report.contact[i];
      contact.force = contact.element[0] = wide(from.force);
      contact.torsion = static_cast<double>(from.torsion);
      contact.mode = static_cast<int>(from.mode);
      if (!from.near) {
        sample_geometry(i);
        continue;
      }
      contact.gap = static_cast<double>(from.gap);
      contact.point = wide(from.point);
      contact.normal = wide(from.normal);
      contact.tangent = wide(from.tangent);
    }
    return sample_;
  }

 private:
  void build() {
    demand_law(scene_);
    const auto check = [&](const Error& error, const std::string& key) { refuse(scene_, key, error); };
    math::Vector<Scalar, Dim> gravity;
    for (int i = 0; i < Dim; ++i) gravity[i] = to<Scalar>(scene_.gravity[static_cast<std::size_t>(i)]);
    check(configure(world_, to<Scalar>(scene_.step), gravity), "time.step");
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const Body& from = scene_.bodies[i];
      const std::string key = fmt::format("bodies[{}]", i);
      implicit::BodyDescription<Scalar, Dim, kPieces> body;
      body.mass = to<Scalar>(from.mass.value_or(0));
      if (from.mass) body.inertia = core_inertia<Scalar, Dim>(from.inertia);
      add_shape<Scalar, Dim>(scene_, key + ".shape", from.shape, body.surface);
      check(geometry::check(body.surface), key + ".shape");
      body.pose = core_pose<Scalar>(from.pose, std::integral_constant<int, Dim>{});
      body.velocity = core_motion<Scalar, Dim>([&](std::size_t k) { return from.velocity[k]; });
      int index = 0;
      check(add_body(world_, body, index), key);
    }
    for (std::size_t i = 0; i < scene_.contacts.size(); ++i) {
      const ContactPair& from = scene_.contacts[i];
      implicit::ContactDescription<Scalar, Dim> pair;
      pair.a = from.body[0];
      pair.b = from.body[1];
      pair.friction.mu = to<Scalar>(from.mu.kinetic);
      if constexpr (Dim == 3) {
        if (from.ellipsoid)
          for (int k = 0; k < 3; ++k)
            pair.friction.axis[k] = to<Scalar>((*from.ellipsoid)[static_cast<std::size_t>(k)]);
      }
      int index = 0;
      check(add_contact(world_, pair, index), fmt::format("contacts[{}]", i));
    }
  }

  auto move() {
    const double t = scene_.step * static_cast<double>(taken_++);
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const Forcing& force = scene_.bodies[i].force;
      if (!force.rows.empty())
        world_.state.force[i] = core_motion<Scalar, Dim>([&](std::size_t k) { return force.at(t, k); });
    }
    return implicit::step(world_, workspace_);
  }

  void sample_bodies() {
    const auto& state = world_.state;
    sample_.kinetic = sample_.potential = 0;
    for (std::size_t i = 0; i < sample_.bodies.size(); ++i) {
      BodySample& body = sample_.bodies[i];
      fill_body<Scalar, Dim>(state.pose[i], state.velocity[i], body);
      if (!scene_.moving(i)) continue;
      sample_.kinetic += static_cast<double>(dynamics::kinetic_energy<Scalar, Dim>(
          world_.model.inertia[i], geometry::frame(state.pose[i]), state.velocity[i]));
      for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k)
        sample_.potential -=
            *scene_.bodies[i].mass * scene_.gravity[k] * (body.pose[k] - scene_.bodies[i].pose[k]);
    }
  }

  // Of a pair that is too far apart to be part of a step.
  void sample_geometry(std::size_t i) {
    const auto& model = world_.model;
    const auto pair = model.contact[i].bodies;
    geometry::ClosestPoints<Scalar, Dim> at;
    if (!geometry::find<Scalar, Dim, kPieces>(
            {&model.surface[pair.a], geometry::frame(world_.state.pose[pair.a])},
            {&model.surface[pair.b], geometry::frame(world_.state.pose[pair.b])}, model.length, at))
      return;
    using Vector = math::Vector<Scalar, Dim>;
    const Vector apart = at.b - at.a;
    const Vector normal =
        math::direction<Scalar, Dim>(at.gap < 0 ? Vector(-apart) : apart, Vector::Unit(Dim - 1));
    ContactSample& contact = sample_.contacts[i];
    contact.gap = static_cast<double>(at.gap);
    contact.point = wide(at.b);
    contact.normal = wide(normal);
    contact.tangent = wide(geometry::tangent<Scalar>(normal));
  }

  const Scene scene_;
  implicit::World<Scalar, Dim, kCapacity> world_;
  implicit::Workspace<Scalar, Dim, kCapacity> workspace_;
  StepSample sample_, initial_;
  long taken_ = 0;
};

}  // namespace

std::unique_ptr<Plant> make_implicit_plant(const Scene& scene, bool single) {
  if (scene.plane && single) return std::make_unique<ImplicitPlant<float, 2>>(scene);
  if (scene.plane) return std::make_unique<ImplicitPlant<double, 2>>(scene);
  if (single) return std::make_unique<ImplicitPlant<float, 3>>(scene);
  return std::make_unique<ImplicitPlant<double, 3>>(scene);
}

}  // namespace tactus::host
