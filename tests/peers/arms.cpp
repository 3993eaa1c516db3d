// arms URDF...: kinematics, mass matrix and bias forces of each robot against MuJoCo, which reads the same
// file, in 200 random states; then forward against inverse dynamics. Exit status 1 where they differ by more
// than 1e-9 in double or 1e-4 in float, of the largest number of their kind in that state.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "tactus/dynamics/arm_dynamics.hpp"
#include "urdf.hpp"

using namespace tactus;
using host::kMaxRobotJoints;

namespace {

// The largest difference so far, relative to the largest number it was seen beside.
struct Difference {
  double worst = 0;
  void take(const std::vector<double>& a, const std::vector<double>& b) {
    double top = 0, off = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      top = std::max(top, std::fabs(a[i]));
      off = std::max(off, std::fabs(a[i] - b[i]));
    }
    if (!(off <= worst * top)) worst = off / top;
  }
};

struct Result {
  Difference position, mass, bias, forward;
};

// One state of the robot: MuJoCo's numbers, in the order of core's joints.
struct Truth {
  std::vector<double> q, qd, tau, position, mass, bias;
};

template <class Scalar>
void compare(const host::UrdfRobot& robot, const Truth& truth, Result& result) {
  using Vector = dynamics::JointVector<Scalar, kMaxRobotJoints>;
  dynamics::Arm<Scalar, kMaxRobotJoints> arm;
  for (const auto& joint : robot.joints) add_link(arm, dynamics::to_link<Scalar>(joint.data));
  Vector q{}, qd{}, tau{}, bias{}, again{};
  const std::size_t n = robot.joints.size();
  for (std::size_t i = 0; i < n; ++i) {
    q[i] = static_cast<Scalar>(truth.q[i]);
    qd[i] = static_cast<Scalar>(truth.qd[i]);
    tau[i] = static_cast<Scalar>(truth.tau[i]);
  }
  dynamics::ArmPose<Scalar, kMaxRobotJoints> pose;
  const dynamics::Base<Scalar> base;
  const math::Vector<Scalar, 3> gravity(0, 0, static_cast<Scalar>(-9.81));
  place(arm, base.frame, q, pose);
  std::vector<double> position, mass, biases, torque;
  for (std::size_t i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) position.push_back(static_cast<double>(pose.frame[i].position[k]));
  dynamics::MassMatrix<Scalar, kMaxRobotJoints> M;
  mass_matrix(arm, pose, M);
  inverse_dynamics(arm, pose, base, gravity, qd, static_cast<const Vector*>(nullptr), bias);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) mass.push_back(static_cast<double>(M[i * kMaxRobotJoints + j]));
    biases.push_back(static_cast<double>(bias[i]));
  }
  result.position.take(truth.position, position);
  result.mass.take(truth.mass, mass);
  result.bias.take(truth.bias, biases);
  // tau -> qdd -> tau again.
  Vector qdd{};
  for (std::size_t i = 0; i < n; ++i) qdd[i] = tau[i] - bias[i];
  if (!factor_mass(arm, M)) return void(result.forward.worst = HUGE_VAL);
  solve_mass(arm, M, qdd);
  inverse_dynamics(arm, pose, base, gravity, qd, &qdd, again);
  std::vector<double> given = truth.tau;
  for (std::size_t i = 0; i < n; ++i) torque.push_back(static_cast<double>(again[i]));
  // What cancels in the sum is as large as the bias.
  given.insert(given.end(), truth.bias.begin(), truth.bias.end());
  torque.insert(torque.end(), truth.bias.begin(), truth.bias.end());
  result.forward.take(given, torque);
}

Truth random_state(const mjModel* m, mjData* d, const std::vector<int>& dof, std::mt19937_64& random) {
  std::uniform_real_distribution<double> angle(-3, 3), rate(-4, 4), torque(-10, 10);
  Truth t;
  for (const int i : dof) {
    t.q.push_back(angle(random));
    t.qd.push_back(rate(random));
    t.tau.push_back(torque(random));
    d->qpos[i] = t.q.back();
    d->qvel[i] = t.qd.back();
  }
  mj_forward(m, d);
  std::vector<double> full(static_cast<std::size_t>(m->nv * m->nv));
  mj_fullM(m, full.data(), d->qM);
  for (const int i : dof) {
    for (const int j : dof) t.mass.push_back(full[static_cast<std::size_t>(i * m->nv + j)]);
    t.bias.push_back(d->qfrc_bias[i]);
    for (int k = 0; k < 3; ++k) t.position.push_back(d->xpos[3 * m->dof_bodyid[i] + k]);
  }
  return t;
}

bool check(const char* file) {
  const host::UrdfRobot robot = host::read_urdf(file);
  char error[1000] = "";
  mjModel* m = mj_loadXML(file, nullptr, error, sizeof error);
  if (m == nullptr) {
    std::printf("%s: MuJoCo: %s\n", file, error);
    return false;
  }
  mjData* d = mj_makeData(m);
  m->opt.disableflags |= mjDSBL_LIMIT | mjDSBL_CONTACT;
  std::vector<int> dof;
  for (const auto& joint : robot.joints) {
    const int id = mj_name2id(m, mjOBJ_JOINT, joint.joint.c_str());
    if (id < 0) {
      std::printf("%s: MuJoCo has no joint %s\n", file, joint.joint.c_str());
      return false;
    }
    dof.push_back(m->jnt_dofadr[id]);
  }
  std::mt19937_64 random(1);
  Result in_double, in_float;
  for (int state = 0; state < 200; ++state) {
    const Truth truth = random_state(m, d, dof, random);
    compare<double>(robot, truth, in_double);
    compare<float>(robot, truth, in_float);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  const auto report = [&](const char* type, const Result& r, double limit) {
    const double worst = std::max({r.position.worst, r.mass.worst, r.bias.worst, r.forward.worst});
    std::printf("%-10s %-7s positions %.1e, mass matrix %.1e, bias %.1e, forward and back %.1e%s\n",
                robot.name.c_str(), type, r.position.worst, r.mass.worst, r.bias.worst, r.forward.worst,
                worst <= limit ? "" : "   TOO MUCH");
    return worst <= limit;
  };
  const bool good = report("double", in_double, 1e-9);
  return report("float", in_float, 1e-4) && good;
}

}  // namespace

int main(int argc, char** argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; ++i) good = check(argv[i]) && good;
  std::puts(good ? "200 states of each robot: as MuJoCo says" : "FAILED");
  return good ? 0 : 1;
}
