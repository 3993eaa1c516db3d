// The problem file of `tactus accel`: one contact problem at the level of accelerations (Pang-Trinkle 1996).
#pragma once

#include <string>
#include <vector>

namespace tactus::host {

// Capacities of this build.
inline constexpr int kAccelContacts = 10;
inline constexpr int kAccelFreedoms = 12;
inline constexpr int kAccelJoints = 16;
inline constexpr int kAccelStops = 14;  // beside the contacts of a scene: joints that rub or are at a stop

// As the file has it: rows of contacts in the paper's order, all n, all t, all o; matrices row major.
struct AccelEntry {
  std::string name;
  bool plane = true;
  bool cone = false;  // the law of what rolls
  int contacts = 0;
  int rubs = 0;  // the last of them: joints of a scene (tactus/stepper/instant_problem.hpp)
  std::vector<double> mu, velocity;  // velocity: all v_t, all v_o

  bool reduced = false;  // A and b are given, and nothing is known of bodies
  std::vector<double> A, b;

  int freedoms = 0, joints = 0;
  std::vector<double> M_obj, W, f_obj;  // W: freedoms x rows; f_obj = g_obj + h_obj
  std::vector<double> M_man, J, l_man;  // J: rows x joints; l_man = g_man + h_man
  std::vector<double> tau, thdd;        // zero where the other one is given
  std::vector<bool> driven;             // thdd is given
  std::vector<double> bias;

  int dimension() const { return plane ? 2 : 3; }
  int rows() const { return contacts * dimension(); }
};

// Throws InputError.
AccelEntry parse_accel_file(const std::string& text, const std::string& file);

}  // namespace tactus::host
