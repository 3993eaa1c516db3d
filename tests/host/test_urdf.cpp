// Robots from URDF files: what is refused and in which words, masses on fixed joints, and the constants that
// `tactus model` writes, compiled.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

#include "finger.hpp"
#include "input_error.hpp"
#include "tactus/dynamics/arm_dynamics.hpp"
#include "unity.h"
#include "urdf.hpp"

using namespace tactus;
using namespace tactus::host;

namespace {

const char* kFile = "test_urdf.urdf";

UrdfRobot read(const std::string& text) {
  std::ofstream(kFile) << text;
  return read_urdf(kFile);
}

template <class Error>
void refuse(const std::string& text, const char* words) {
  try {
    read(text);
  } catch (const Error& error) {
    TEST_ASSERT_TRUE_MESSAGE(std::string(error.what()).find(words) != std::string::npos, error.what());
    TEST_ASSERT_EQUAL_INT(0, std::string(error.what()).find(kFile));
    return;
  }
  TEST_FAIL_MESSAGE(text.c_str());
}

// A link on one joint, with the given pieces.
std::string robot(const std::string& joint_type, const std::string& in_joint,
                  const std::string& inertia = R"(<mass value="1"/>
                    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>)") {
  return fmt::format(R"(<robot name="r"><link name="base"/><link name="a"><inertial>{}</inertial></link>
    <joint name="j" type="{}"><parent link="base"/><child link="a"/>{}</joint></robot>)",
                     inertia, joint_type, in_joint);
}
const std::string kLimit = R"(<limit lower="-1" upper="1" effort="1" velocity="1"/>)";

void test_files_that_are_no_robot() {
  refuse<InputError>("", "document empty");
  refuse<InputError>("<robot", "line 1");
  refuse<InputError>("<car/>", "one element <robot>");
  refuse<InputError>("<robot name=\"r\"/>", "urdfdom refuses");
  refuse<InputError>("<robot name=\"r\"><link name=\"a\"/></robot>", "no joint moves");
  refuse<InputError>(robot("revolute", ""), "urdfdom refuses");  // no limits
  refuse<InputError>(robot("sideways", kLimit), "urdfdom refuses");
  refuse<InputError>(robot("revolute", kLimit + "<axis xyz=\"0 0 0\"/>"), "axis must not be zero");
  refuse<InputError>(robot("revolute", kLimit + "<axis xyz=\"0 0 nan\"/>"), "urdfdom refuses");
  refuse<InputError>(robot("revolute", kLimit + "<origin xyz=\"0 nan 0\"/>"), "urdfdom refuses");
  refuse<InputError>(robot("revolute", R"(<limit lower="1" upper="-1" effort="1" velocity="1"/>)"), "limit");
  refuse<InputError>(robot("revolute", kLimit, R"(<mass value="-1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>)"),
                     "mass");
  refuse<InputError>(robot("revolute", kLimit, R"(<mass value="1"/>
      <inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/>)"),
                     "link \"a\"");
}

void test_what_an_arm_has_not_is_named() {
  refuse<Unsupported>(robot("floating", ""), "floating and planar");
  refuse<Unsupported>(robot("planar", ""), "floating and planar");
  refuse<Unsupported>(robot("revolute", kLimit + "<dynamics damping=\"0.1\"/>"), "damping");
  const UrdfRobot r = read(R"(<robot name="r"><material name="red"/><link name="base"><visual>
      <geometry><sphere radius="1"/></geometry></visual></link><link name="a"/>
      <joint name="j" type="continuous"><parent link="base"/><child link="a"/><calibration rising="0"/></joint></robot>)");
  TEST_ASSERT_EQUAL_INT(3, r.unused.size());
  TEST_ASSERT_EQUAL_STRING("<material>", r.unused[0].c_str());
  TEST_ASSERT_EQUAL_STRING("link \"base\": <visual>", r.unused[1].c_str());
  TEST_ASSERT_EQUAL_STRING("joint \"j\": <calibration>", r.unused[2].c_str());
}

// 2 kg at the origin and, held by a fixed joint, 1 kg at (3, 0, 0): the centre is (1, 0, 0), and about it a
// point mass of 2 at 1 and one of 1 at 2 have Iyy = Izz = 2 + 4 beside their own.
void test_a_fixed_link_weighs_on_the_one_that_carries_it() {
  const UrdfRobot r = read(R"(<robot name="r"><link name="base"/>
    <link name="a"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="b"><inertial><mass value="1"/><inertia ixx="0.5" iyy="0.25" izz="0.4" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="held" type="fixed"><origin xyz="3 0 0" rpy="1.5707963267948966 0 0"/><parent link="a"/><child link="b"/></joint>
    <joint name="j" type="prismatic"><parent link="base"/><child link="a"/><axis xyz="0 2 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>)");
  TEST_ASSERT_EQUAL_INT(1, r.joints.size());
  const dynamics::LinkData& d = r.joints[0].data;
  TEST_ASSERT_EQUAL_DOUBLE(3, d.mass);
  TEST_ASSERT_EQUAL_DOUBLE(1, d.centre[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.5, d.inertia[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1 + 0.4 + 6, d.inertia[1]);  // b lies on its side: its z is -y
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1 + 0.25 + 6, d.inertia[2]);
  TEST_ASSERT_EQUAL_DOUBLE(1, d.axis[1]);
  TEST_ASSERT_EQUAL_INT(0, r.find("b")->carrier);
  TEST_ASSERT_EQUAL_DOUBLE(3, r.find("b")->position[0]);
  TEST_ASSERT_EQUAL_INT(-1, r.find("base")->carrier);
  TEST_ASSERT_NULL(r.find("c"));
}

// Two joints j and k that move and one that does not, with the given pieces in the first two.
std::string pair(const std::string& in_j, const std::string& in_k) {
  return R"(<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="c"/>
    <joint name="held" type="fixed"><parent link="b"/><child link="c"/></joint>
    <joint name="j" type="revolute"><parent link="base"/><child link="a"/>)" +
         in_j + R"(</joint><joint name="k" type="prismatic"><parent link="base"/><child link="b"/>)" + in_k +
         "</joint></robot>";
}
std::string effort(const std::string& number) {
  return R"(<limit lower="-1" upper="1" velocity="1" effort=")" + number + "\"/>";
}

void test_what_motors_give_at_most() {
  const UrdfRobot r = read(pair(effort("2.5"), effort("0")));  // many tools write 0 where they know none
  TEST_ASSERT_EQUAL_DOUBLE(2.5, r.joints[0].data.effort);
  TEST_ASSERT_TRUE(r.joints[1].data.effort == HUGE_VAL);
  TEST_ASSERT_EQUAL_INT(-1, r.joints[0].data.mimic);
  refuse<InputError>(pair(effort("1"), effort("-1")), "joint \"k\": <limit effort> must be positive");
}

void test_joints_that_lead_others() {
  const std::string one = effort("1");
  const auto led = [&](const std::string& by) { return one + "<mimic " + by + "/>"; };
  // A leader may come later.
  const UrdfRobot r = read(pair(led(R"(joint="k" multiplier="-0.5" offset="0.25")"), one));
  TEST_ASSERT_EQUAL_INT(1, r.joints[0].data.mimic);
  TEST_ASSERT_EQUAL_DOUBLE(-0.5, r.joints[0].data.ratio);
  TEST_ASSERT_EQUAL_DOUBLE(0.25, r.joints[0].data.offset);
  TEST_ASSERT_EQUAL_INT(-1, r.joints[1].data.mimic);
  const UrdfRobot plain = read(pair(one, led(R"(joint="j")")));
  TEST_ASSERT_EQUAL_INT(0, plain.joints[1].data.mimic);
  TEST_ASSERT_EQUAL_DOUBLE(1, plain.joints[1].data.ratio);
  TEST_ASSERT_EQUAL_DOUBLE(0, plain.joints[1].data.offset);
  refuse<InputError>(pair(led(R"(joint="j")"), one), "joint \"j\": <mimic>: a joint cannot mimic itself");
  refuse<InputError>(pair(led(R"(joint="x")"), one), "there is no joint \"x\"");
  refuse<InputError>(pair(led(R"(joint="held")"), one), "joint \"held\" is fixed");
  refuse<InputError>(pair(led(R"(joint="k")"), led(R"(joint="j")")), "mimics another");
  refuse<InputError>(pair(led(R"(joint="k" multiplier="0")"), one), "multiplier must be finite and not 0");
}

// finger.hpp has been written by the command when this test was built.
void test_the_constants_are_the_file() {
  const UrdfRobot r = read_urdf(TACTUS_MODELS_DIR "/finger.urdf");
  TEST_ASSERT_EQUAL_INT(std::size(kFinger), r.joints.size());
  dynamics::Arm<double, std::size(kFinger)> arm;
  TEST_ASSERT_FALSE(dynamics::build_arm(kFinger, arm));
  for (std::size_t i = 0; i < r.joints.size(); ++i) {
    const dynamics::LinkData &a = kFinger[i], &b = r.joints[i].data;
    TEST_ASSERT_EQUAL_INT(b.parent, a.parent);
    TEST_ASSERT_TRUE(a.joint == b.joint);
    for (int k = 0; k < 9; ++k) TEST_ASSERT_TRUE(a.rotation[k] == b.rotation[k]);
    for (int k = 0; k < 6; ++k) TEST_ASSERT_TRUE(a.inertia[k] == b.inertia[k]);
    for (int k = 0; k < 3; ++k)
      TEST_ASSERT_TRUE(a.position[k] == b.position[k] && a.axis[k] == b.axis[k] &&
                       a.centre[k] == b.centre[k]);
    TEST_ASSERT_TRUE(a.mass == b.mass && a.friction == b.friction && a.lower == b.lower &&
                     a.upper == b.upper && a.effort == b.effort && a.mimic == b.mimic);
  }
  TEST_ASSERT_EQUAL_STRING("tip", kFingerLinks[std::size(kFingerLinks) - 1].name);
  TEST_ASSERT_EQUAL_INT(2, kFingerLinks[std::size(kFingerLinks) - 1].link);
}

}  // namespace

void setUp() {}
void tearDown() {
  std::remove(kFile);
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_files_that_are_no_robot);
  RUN_TEST(test_what_an_arm_has_not_is_named);
  RUN_TEST(test_a_fixed_link_weighs_on_the_one_that_carries_it);
  RUN_TEST(test_what_motors_give_at_most);
  RUN_TEST(test_joints_that_lead_others);
  RUN_TEST(test_the_constants_are_the_file);
  return UNITY_END();
}
