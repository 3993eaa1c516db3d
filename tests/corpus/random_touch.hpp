// Random worlds of one or two bodies that touch half-spaces and each other, and their step as a contact
// problem s = A p + b by the masses, velocities, forces and gaps alone: what core's step is held against.
//
// Masses over four decades, friction up to 1000, speeds from rest to 3 m/s; bodies are boxes, rods and balls
// of any size and inertia, with a corner, an edge or a side on their half-spaces. Half of them move along
// what they touch, else they strike it.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "tactus/tactus.hpp"
#include "tests/corpus/friction_box.hpp"

namespace corpus {

template <int Dim>
class RandomTouch {
 public:
  using Vector = Eigen::Matrix<double, Dim, 1>;
  static constexpr int kSpin = Dim == 2 ? 1 : 3, kFree = Dim + kSpin;
  static constexpr double kStep = 1e-3;
  static constexpr tactus::stepper::Capacity kSize{.bodies = 8, .contacts = 8, .slots = 64, .active = 24};
  using World = tactus::stepper::World<double, Dim, kSize>;
  using Workspace = tactus::stepper::Workspace<double, Dim, kSize>;

  World world;
  Workspace workspace;
  tactus::stepper::State<double, Dim, kSize> before;
  tactus::stepper::StepReport<double, Dim, kSize> report;
  // Of what core found, in its order: Dim rows an element.
  Eigen::MatrixXd A;
  Eigen::VectorXd b, now;  // now: speeds before the step
  std::vector<double> mu;
  std::vector<bool> closed;

  // False where more than `most` points could touch.
  bool draw(Random& random, int most) {
    world = {};
    good_ = true;
    take(tactus::stepper::configure(world, kStep, gravity(), {}));
    const int bodies = random.uniform(0, 1) < 0.7 ? 1 : 2;
    for (int i = 0; i < bodies; ++i) add_body(random, i);
    if (bodies == 2) touch(random, moving_[0], moving_[1]);
    for (int i = 0; i < bodies; ++i) {
      const int planes = 1 + static_cast<int>(random.uniform(0, bodies == 2 ? 2 : 3));
      for (int k = 0; k < planes; ++k) add_plane(random, i);
    }
    before = world.state;
    report = tactus::stepper::step(world, workspace);
    const int n = workspace.found.elements;
    if (!good_ || n == 0 || n > most) return false;
    write_problem();
    return true;
  }

  // s of the contacts after the step: speeds, and what is left of the gaps.
  Eigen::VectorXd after() const {
    Eigen::VectorXd v(kFree * static_cast<int>(moving_.size()));
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const auto& from = workspace.next.velocity[moving_[i]];  // before it turns with the body
      for (int k = 0; k < Dim; ++k) v[at(i) + k] = from.linear[k];
      for (int k = 0; k < kSpin; ++k) v[at(i) + Dim + k] = from.angular[k];
    }
    return W_ * v + gap_ / kStep;
  }

 private:
  void take(const tactus::Error& error) { good_ = good_ && !error; }
  static int at(std::size_t i) { return static_cast<int>(i) * kFree; }
  static tactus::math::Vector<double, Dim> gravity() {
    tactus::math::Vector<double, Dim> g = tactus::math::Vector<double, Dim>::Zero();
    g[Dim - 1] = -9.81;
    return g;
  }
  static double decades(Random& random, double low, double high) {
    return std::pow(10.0, random.uniform(low, high));
  }

  void add_body(Random& random, int i) {
    namespace geometry = tactus::geometry;
    tactus::stepper::BodyDescription<double, Dim> body;
    Vector half;
    for (int k = 0; k < Dim; ++k) half[k] = decades(random, -1, 0);
    const double radius = half[0], kind = random.uniform(0, 1);
    ball_[i] = kind < 0.3 || i == 1;
    if (ball_[i]) half.setConstant(radius);
    half_[i] = half;
    if constexpr (Dim == 2) {
      if (!ball_[i] && kind > 0.65) half_[i][1] = 0;
      body.shape = ball_[i]      ? geometry::disc<double>(radius)
                   : kind > 0.65 ? geometry::rod<double>(2 * half[0])
                                 : geometry::box<double>(half[0], half[1]);
      body.pose = {0, 0, random.uniform(-3, 3)};
      rotation_[i] = Eigen::Rotation2Dd(body.pose.angle).toRotationMatrix();
    } else {
      body.shape =
          ball_[i] ? geometry::sphere<double>(radius) : geometry::box<double>(half[0], half[1], half[2]);
      const Eigen::Quaterniond q = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1),
                                                      random.uniform(-1, 1), random.uniform(-1, 1))
                                       .normalized();
      body.pose.w = q.w(), body.pose.x = q.x(), body.pose.y = q.y(), body.pose.z = q.z();
      rotation_[i] = q.toRotationMatrix();
    }
    body.mass = mass_[i] = decades(random, -2, 2);
    for (int k = 0; k < kSpin; ++k) {
      inertia_[i][k] = mass_[i] * half.squaredNorm() * random.uniform(0.1, 0.35);
      body.inertia(k, k) = inertia_[i][k];
    }
    const double fast = random.uniform(0, 1) < 0.2 ? 0 : decades(random, -3, 0.5);
    for (int k = 0; k < Dim; ++k) body.velocity.linear[k] = fast * random.uniform(-1, 1);
    for (int k = 0; k < kSpin; ++k) body.velocity.angular[k] = fast * random.uniform(-3, 3);
    for (int k = 0; k < Dim; ++k) body.force.linear[k] = mass_[i] * random.uniform(-15, 15);
    for (int k = 0; k < kSpin; ++k) body.force.angular[k] = mass_[i] * half[0] * random.uniform(-5, 5);
    if (i == 1) put_beside(random, body);
    int index = 0;
    take(tactus::stepper::add_body(world, body, index));
    if (i == 0) moving_.clear();
    moving_.push_back(static_cast<std::size_t>(index));
  }

  // The second body, a ball, on the first one's surface: outside of a face or of a ball.
  void put_beside(Random& random, tactus::stepper::BodyDescription<double, Dim>& body) {
    Vector away = Vector::Zero();
    if (ball_[0]) {
      away = direction(random) * half_[0][0];
    } else {
      const int face = Dim - 1;
      away[face] = half_[0][face];
      away = rotation_[0] * away;
    }
    const Vector centre = away + away.normalized() * half_[1][0];
    if (!(away.norm() > 0)) return;
    set_place(body.pose, centre);
    place_[1] = centre;
  }
  static void set_place(tactus::dynamics::Pose<double, 2>& pose, const Vector& x) {
    pose.x = x[0], pose.y = x[1];
  }
  static void set_place(tactus::dynamics::Pose<double, 3>& pose, const Vector& x) {
    for (int k = 0; k < 3; ++k) pose.position[k] = x[k];
  }

  static Vector direction(Random& random) {
    Vector n;
    do
      for (int k = 0; k < Dim; ++k) n[k] = random.uniform(-1, 1);
    while (!(n.norm() > 0.1 && n.norm() < 1));
    return n.normalized();
  }

  // A half-space that a corner, a side or a ball touches; often one that is opposite or square to the axes.
  void add_plane(Random& random, int i) {
    Vector n = direction(random);
    if (random.uniform(0, 1) < 0.4) {  // along a face
      n.setZero();
      n[static_cast<int>(random.uniform(0, Dim - 1e-9))] = random.uniform(0, 1) < 0.5 ? 1 : -1;
      n = rotation_[i] * n;
    }
    double least = ball_[i] ? -half_[i][0] : 0;
    if (!ball_[i]) least = -(rotation_[i].transpose() * n).cwiseAbs().dot(half_[i]);
    const Vector centre = i == 0 ? Vector(Vector::Zero()) : place_[1];
    const double gap = random.uniform(0, 1) < 0.8 ? 0 : random.uniform(-1e-6, 2e-5);
    tactus::stepper::BodyDescription<double, Dim> plane;
    tactus::math::Vector<double, Dim> normal;
    for (int k = 0; k < Dim; ++k) normal[k] = n[k];
    plane.shape = tactus::geometry::half_space<double>(normal, n.dot(centre) + least - gap);
    int index = 0;
    take(tactus::stepper::add_body(world, plane, index));
    touch(random, static_cast<std::size_t>(index), moving_[static_cast<std::size_t>(i)]);
    if (random.uniform(0, 1) < 0.5) glide(i, n, centre + n * least);
  }

  // Takes the approach to a plane out of a velocity.
  void glide(int i, const Vector& n, const Vector& point) {
    auto& v = world.state.velocity[moving_[static_cast<std::size_t>(i)]];
    const Vector centre = i == 0 ? Vector(Vector::Zero()) : place_[1];
    Eigen::Matrix<double, kFree, 1> row;
    row << n, lever(point - centre, n);
    Eigen::Matrix<double, kFree, 1> x;
    for (int k = 0; k < Dim; ++k) x[k] = v.linear[k];
    for (int k = 0; k < kSpin; ++k) x[Dim + k] = v.angular[k];
    x -= row * (row.dot(x) / row.squaredNorm());
    for (int k = 0; k < Dim; ++k) v.linear[k] = x[k];
    for (int k = 0; k < kSpin; ++k) v.angular[k] = x[Dim + k];
  }

  static Eigen::Matrix<double, kSpin, 1> lever(const Vector& r, const Vector& axis) {
    Eigen::Matrix<double, kSpin, 1> out;
    if constexpr (Dim == 2)
      out << r[0] * axis[1] - r[1] * axis[0];
    else
      out = r.cross(axis);
    return out;
  }

  void touch(Random& random, std::size_t a, std::size_t other) {
    tactus::stepper::ContactDescription<double, Dim> contact;
    contact.a = static_cast<int>(a);
    contact.b = static_cast<int>(other);
    contact.friction.kinetic =
        random.uniform(0, 1) < 0.1 ? 0 : decades(random, -1, random.uniform(0, 1) < 0.2 ? 3 : 0.6);
    int index = 0;
    take(tactus::stepper::add_contact(world, contact, index));
  }

  void write_problem() {
    const int n = workspace.found.elements, free = kFree * static_cast<int>(moving_.size());
    W_ = Eigen::MatrixXd::Zero(Dim * n, free);
    Eigen::MatrixXd light = Eigen::MatrixXd::Zero(free, free);
    Eigen::VectorXd v(free), load(free);
    gap_ = Eigen::VectorXd::Zero(Dim * n);
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const auto& state = before.velocity[moving_[i]];
      const auto& force = before.force[moving_[i]];
      for (int k = 0; k < Dim; ++k) {
        light(at(i) + k, at(i) + k) = 1 / mass_[i];
        v[at(i) + k] = state.linear[k];
        load[at(i) + k] = force.linear[k] + mass_[i] * gravity()[k];
      }
      for (int k = 0; k < kSpin; ++k)
        v[at(i) + Dim + k] = state.angular[k], load[at(i) + Dim + k] = force.angular[k];
      Eigen::Matrix<double, kSpin, kSpin> I =
          Eigen::Matrix<double, kSpin, 1>(inertia_[i]).cwiseInverse().asDiagonal();
      if constexpr (Dim == 3) I = rotation_[i] * I * rotation_[i].transpose();
      light.block(at(i) + Dim, at(i) + Dim, kSpin, kSpin) = I;
    }
    mu.clear();
    for (int e = 0; e < n; ++e) {
      const auto& element = workspace.found.element[static_cast<std::size_t>(e)];
      mu.push_back(world.model.contact[element.contact].friction.kinetic);
      gap_[Dim * e] = element.gap;
      for (int k = 0; k < Dim; ++k) {
        Vector axis, arm_a, arm_b;
        for (int c = 0; c < Dim; ++c) {
          axis[c] = element.frame.axis[k][c];
          arm_a[c] = element.frame.arm_a[c];
          arm_b[c] = element.frame.arm_b[c];
        }
        for (std::size_t i = 0; i < moving_.size(); ++i) {
          if (element.bodies.b == moving_[i])
            W_.block(Dim * e + k, at(i), 1, kFree) << axis.transpose(), lever(arm_b, axis).transpose();
          if (element.bodies.a == moving_[i])
            W_.block(Dim * e + k, at(i), 1, kFree) << -axis.transpose(), -lever(arm_a, axis).transpose();
        }
      }
    }
    A = kStep * W_ * light * W_.transpose();
    now = W_ * v;
    rate = kStep * W_ * light * load;
    b = now + rate + gap_ / kStep;
    closed.clear();
    for (int e = 0; e < n; ++e)
      closed.push_back(!(gap_[Dim * e] > 1e-6) && !(std::fabs(now[Dim * e]) > 1e-3));
  }

 public:
  Eigen::VectorXd rate;  // what loads do to speeds in the step

 private:
  bool good_ = true;
  std::vector<std::size_t> moving_;
  bool ball_[2] = {};
  Vector half_[2], place_[2];
  Eigen::Matrix<double, Dim, Dim> rotation_[2];
  double mass_[2] = {};
  Eigen::Matrix<double, kSpin, 1> inertia_[2];
  Eigen::MatrixXd W_;
  Eigen::VectorXd gap_;
};

}  // namespace corpus
