// The words of every Error. One table; {i}, {n} and {h} are the places of index, needed and have, and what
// stands in [brackets] is said where there is an index.
//
//     std::puts(Sentence(error).text());
//
// No printf: numbers are written here, with six digits. A Sentence takes 256 bytes of stack; the table, 6 kB
// of flash in images that use it.
#pragma once

#include <array>
#include <cstddef>

#include "tactus/error.hpp"

namespace tactus {

namespace detail {

struct Words {
  What what;
  const char* text;
};

inline constexpr Words kWords[] = {
    {What::none, "The description is right."},
    {What::step,
     "The step h must be a positive finite number, and is set before anything compliant is added; it is "
     "{h}."},
    {What::gravity, "Gravity must be finite: component {i} is {h}."},
    {What::facets, "A friction pyramid has 4, 8 or 16 facets, not {h}."},
    {What::part, "This world was compiled without part {n} of stepper::Part, which this law needs."},

    {What::body_capacity, "More bodies than this world was compiled for: body {i}, {n} needed, {h} there."},
    {What::moving_capacity,
     "More moving bodies than this world was compiled for: body {i}, {n} needed, {h} there."},
    {What::mass,
     "A mass must be a positive finite number, and a fixed body has mass 0, not {h}[: body {i}]."},
    {What::inertia, "An inertia must be finite, symmetric and positive definite[: body {i}]."},
    {What::pose, "A pose must be finite, its quaternion of unit length[: body {i}]."},
    {What::velocity, "A velocity must be finite, and a fixed body has none[: body {i}]."},
    {What::spin,
     "A body spins too fast for the time step: it would turn by more than 4 rad in it[: body {i}]."},
    {What::force, "An applied force or torque must be finite[: body {i}]."},
    {What::moving_half_space, "A half-space must be fixed: give it no mass[: body {i}]."},

    {What::shape_kind, "The kind of the shape is unknown: number {h}[, body {i}]."},
    {What::shape_not_finite, "A number of the shape is not finite[: body {i}]."},
    {What::shape_size,
     "A radius, semi-axis, half extent or length of a shape must be positive, not {h}[: body {i}]."},
    {What::shape_normal, "The half-space has a normal without a direction[: body {i}]."},
    {What::too_few_sides, "A polygon needs at least {n} sides, not {h}[: body {i}]."},
    {What::too_many_sides, "A polygon has at most {n} sides, not {h}; use a disc[: body {i}]."},
    {What::shape_place, "The place of a shape within an intersection is not finite[: body {i}]."},
    {What::no_surface,
     "This shape is no intersection of half-spaces and ellipsoids; the implicit law cannot have it[: body "
     "{i}]."},
    {What::surface_capacity,
     "More implicit surfaces of one body than this world was compiled for: {n} needed, {h} there[, body "
     "{i}]."},
    {What::surface_empty, "A body needs a shape[: body {i}]."},
    {What::surface_origin, "The body's origin must lie inside every shape of its intersection[: body {i}]."},
    {What::surface_unbounded,
     "Several half-spaces alone are no body: one shape of an intersection must be bounded[: body {i}]."},
    {What::pose_numbers, "A pose has {n} numbers here, not {h}: body {i}."},
    {What::velocity_numbers, "A velocity has {n} numbers here, not {h}: body {i}."},
    {What::force_numbers, "A force has {n} numbers here, not {h}: body {i}."},
    {What::inertia_numbers, "An inertia has {n} numbers here, not {h}: body {i}."},
    {What::carried, "What a link carries has no mass, velocity or force of its own: body {i}."},
    {What::unknown_link, "The link that should carry a shape does not exist: link {h} of {n}."},

    {What::contact_capacity,
     "More contacts than this world was compiled for: contact {i}, {n} needed, {h} there."},
    {What::slot_capacity,
     "More contact elements than this world was compiled for: contact {i}, {n} needed, {h} there."},
    {What::point_capacity,
     "More given contact points than this world was compiled for: contact {i}, {n} needed, {h} there."},
    {What::patch_capacity,
     "More different patches than this world was compiled for: contact {i}, {n} needed, {h} there."},
    {What::unknown_body, "Contact or joint {i} names body {h}, and there are {n}."},
    {What::same_body, "A contact or joint needs two different bodies: number {i} names body {h} twice."},
    {What::both_fixed, "Two fixed bodies cannot be in contact or joined: number {i}."},
    {What::unsupported_pair,
     "There is no contact geometry for this pair of shapes, or it is not compiled in: contact {i}."},
    {What::friction,
     "A friction coefficient and the axes of its ellipsoid must be finite and not negative, static at least "
     "kinetic, its speed positive: contact {i}."},
    {What::ellipsoid,
     "A friction ellipsoid needs finite axes that are not negative, and a rigid contact in a world without "
     "arms: contact {i}."},
    {What::restitution, "A restitution must lie between 0 and 1: contact {i} has {h}."},
    {What::compliant_restitution,
     "A compliant contact has no restitution, its damping says how it rebounds: contact {i} has {h}."},
    {What::points, "A contact has 1 to {n} given points: contact {i} has {h}."},
    {What::point, "A given contact point must be finite, and body a a half-space: contact {i}."},
    {What::patch_elements,
     "A patch needs at least one element and at most as many as compiled for, in the plane in one row: {n} "
     "needed, {h} there[, contact {i}]."},
    {What::patch_spacing, "The spacing of a patch must be a positive finite number, not {h}[: contact {i}]."},
    {What::patch_compliance,
     "The compliance of a patch must be a positive finite number, not {h}[: contact {i}]."},
    {What::patch_poisson, "Poisson's ratio must lie between 0 and 0.5, not {h}[: contact {i}]."},
    {What::patch_stiffness,
     "The stiffness of a contact must be a positive finite number, not {h}[: contact {i}]."},
    {What::patch_damping,
     "The damping of a contact must be finite and not negative, not {h}[: contact {i}]."},
    {What::patch_eigenvalues, "The influence matrix of the patch is not positive definite[: contact {i}]."},
    {What::no_ellipsoid, "Only the implicit law has friction ellipsoids: contact {i}."},
    {What::no_patch, "The implicit law has no patches: contact {i}."},
    {What::no_restitution, "The implicit law is inelastic: contact {i} has a restitution of {h}."},
    {What::no_other_friction, "The implicit law has one constant coefficient: contact {i}."},
    {What::ellipsoid_numbers, "A friction ellipsoid has {n} axes here, not {h}: contact {i}."},

    {What::joint_capacity, "More joints than this world was compiled for: joint {i}, {n} needed, {h} there."},
    {What::joint_anchor, "The anchor of a joint must be finite: joint {i}."},
    {What::joint_axis, "The axis of a joint must be finite and not zero: joint {i}."},
    {What::joint_on_arm, "A joint between bodies cannot hold what a link of an arm carries: joint {i}."},
    {What::no_joints, "The implicit law has no joints: joint {i}."},
    {What::joint_kind, "The kind of joint {i} is unknown: {h}."},
    {What::anchor_numbers, "An anchor has {n} components here, not {h}: joint {i}."},
    {What::axis_numbers, "An axis has {n} components here, not {h}: joint {i}."},

    {What::arm_capacity,
     "An arm needs a joint at least, and all arms at most as many as this world was compiled for: {n} "
     "needed, "
     "{h} there."},
    {What::arm_base, "The base of an arm must be finite, its quaternion of unit length."},
    {What::arm_position,
     "A joint position of an arm must be finite and within the limits of the joint: joint {i} is at {h}, its "
     "limit is {n}."},
    {What::arm_speed, "A joint speed of an arm must be finite: joint {i} has {h}."},
    {What::arm_torque, "A joint torque of an arm must be finite: joint {i} has {h}."},
    {What::arm_mass, "There is a motion of the arm's joints that moves no mass."},
    {What::link_capacity, "The arm has no room for another joint: {n} needed, {h} there."},
    {What::link_parent,
     "The parent of a link must be the base, -1, or a link that was added before: link {i} has {h}."},
    {What::link_frame, "The frame of a link must be finite and a rotation: link {i}."},
    {What::link_axis, "The axis of a link must be a unit vector: link {i}."},
    {What::link_mass,
     "The mass of a link must be finite and not negative, and its centre finite: link {i} has {h}."},
    {What::link_inertia,
     "The inertia of a link must be one that a body can have: symmetric, no eigenvalue above the sum of the "
     "others: link {i}."},
    {What::link_drive, "Rotor inertia and joint friction must be finite and not negative: link {i}."},
    {What::link_limits, "The lower limit of a joint must be below the upper one: link {i} has {n} and {h}."},
    {What::no_arms, "Arms are for space, and not for the implicit law."},
    {What::link_kind, "The kind of link {i} is unknown: {h}."},
    {What::link_pose_numbers, "The pose of a link has {n} numbers, not {h}: link {i}."},
    {What::link_axis_numbers, "The axis of a link has {n} components, not {h}: link {i}."},
    {What::link_centre_numbers, "The centre of mass of a link has {n} components, not {h}: link {i}."},
    {What::link_inertia_numbers, "The inertia of a link has {n} numbers, not {h}: link {i}."},
    {What::link_gains, "Stiffness and damping of a joint must be finite and not negative: link {i}."},

    {What::no_law, "This board's image was built without this law: HELLO names those that it has."},
    {What::no_doubt, "The implicit law has neither doubt nor innovation."},

    {What::unreadable, "The message is longer or other than this board's image knows."},
    {What::mode, "The mode is unknown: {h}."},
    {What::real_time, "Real time needs the UART: reading the FIFO link stops the clock."},
    {What::beats, "A tick takes {n} beats at most, half of what the watchdog waits for, not {h}."},
    {What::horizon_share, "The horizon may take {n} percent of a tick at most, what steps may, not {h}."},
    {What::horizon, "The horizon is 1 to {n} steps, not {h}."},
    {What::nothing_moves, "There is no body that moves."},
    {What::step_too_long,
     "A step from this state takes more than the {h} counts that a tick of {n} leaves it."},
    {What::doubt_members, "Doubt has 2 to {n} members, not {h}."},
    {What::doubt_deviation,
     "A deviation of doubt must be finite and not negative, and below 1 of a mass, not {h}."},
    {What::innovation_limit,
     "A limit of innovation must be positive, its gain at most 1, its ticks at most {n}."},
    {What::gravity_numbers, "Gravity has {n} components here, not {h}."},

    {What::link_effort,
     "What the motor of a joint gives at most must be positive, and infinite where there is no limit: link "
     "{i} has {h}."},
    {What::servo_capacity,
     "More motors with a limit than this world was compiled for: link {i}, {n} needed, {h} there."},
    {What::link_mimic,
     "A joint that mimics another has a finite ratio that is not 0, and a finite offset: link {i}."},
    {What::mimic_leader, "Link {i} mimics joint {h}, and the joints of its arm are {n}, counted from 0."},
    {What::mimic_itself, "A joint cannot mimic itself: link {i}."},
    {What::mimic_chain,
     "Link {i} mimics joint {h}, which mimics another: let both mimic the one that leads."},
    {What::mimic_start,
     "A joint that mimics another starts where that one puts it: link {i} is at {h} and belongs at {n}."},
    {What::mimic_capacity,
     "More joints that mimic another than this world was compiled for: link {i}, {n} needed, {h} there."},
    {What::law_of_bodies, "The implicit law is chosen, or left, before there are bodies: {h} there."},
    {What::uncertainty,
     "What a measured state may be off must be a finite number of at least 0: number {i} is {h}."},
    {What::no_uncertainty, "The implicit law takes a measured state for exact."},
    {What::normal_rule, "The normal rule is unknown: {h}."},
    {What::fixed_point, "A step is repeated {n} times at most, not {h}."},
    {What::recovery_speed,
     "The speed of recovery must be positive, and infinite where there is no bound, as under the implicit "
     "law: it is {h}."},
    {What::impact,
     "The law of an impact is Poisson's, Moreau's, Newton's or the energetic one, their order in turn or "
     "together[: contact {i}]."},
    {What::tick_too_short, "A first answer from this state may take {n} counts, and a tick has {h}."},

    {What::instant_law,
     "An instant has rigid contacts alone, without torsion[: contact {i} has another law]."},
    {What::instant_state, "The state of an instant is not finite, or of the wrong length, or M is singular."},
    {What::instant_points, "More points could touch than there is room for: {n} needed, {h} there."},
    {What::instant_impact, "Contact {i} closes at {h} m/s: an impact has no accelerations."},
    {What::instant_stop, "Joint {i} closes on its stop with {h} a second: an impact has no accelerations."},
    {What::instant_passes, "Contact {i} comes and goes too fast for an instant."},
    {What::instant_capacity,
     "More contacts, stops and joints at rest than an instant has room for: {n} needed, {h} there."},
    {What::instant_mode, "This image tells no instant, or not in real time."},

    {What::patch_damping_ratio,
     "The damping ratio of a patch must be finite and not negative, not {h}[: contact {i}]."},
    {What::patch_stiffness_t,
     "Only one lumped element has a tangential stiffness of its own, finite and not negative, not "
     "{h}[: contact {i}]."},
    {What::patch_matrix,
     "The matrices of a patch must be symmetric, K positive definite, and C, which needs a K, positive "
     "semidefinite[: contact {i}]."},
    {What::elastic_body, "The elastic body of a contact is one of its pair, not body {h}: contact {i}."},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kWords); ++i)
    if (kWords[i].what != static_cast<What>(i)) return false;
  return std::size(kWords) == static_cast<std::size_t>(What::end);
}
static_assert(in_order(), "one row for each What, in their order");

}  // namespace detail

// Without numbers, the places empty.
constexpr const char* sentence(What what) {
  return what < What::end ? detail::kWords[static_cast<std::size_t>(what)].text : "Unknown error.";
}

class Sentence {
 public:
  explicit Sentence(const Error& error) {
    bool said = true;
    for (const char* c = sentence(error.what); *c != '\0'; ++c) {
      if (*c == '[' || *c == ']') {
        said = *c == ']' || error.index >= 0;
      } else if (*c == '{') {
        if (said)
          put(c[1] == 'i' ? static_cast<float>(error.index) : c[1] == 'n' ? error.needed : error.have);
        c += 2;
      } else if (said) {
        put(*c);
      }
    }
  }
  const char* text() const { return text_.data(); }

 private:
  void put(char c) {
    if (size_ + 1 < text_.size()) text_[size_++] = c;  // what is behind it stays zero
  }

  void put(const char* text) {
    for (; *text != '\0'; ++text) put(*text);
  }
  void put(std::uint32_t n) {
    int count = 1;
    for (std::uint32_t rest = n / 10; rest > 0; rest /= 10) ++count;
    put_digits(n, count, count - 1);
  }

  // An integer as it is; else six digits, with an exponent from 1e7 on and below 1e-4.
  void put(float x) {
    if (!(x - x == 0)) return put(x > 0 ? "infinity" : x < 0 ? "-infinity" : "NaN");
    if (x < 0) put('-');
    x = x < 0 ? -x : x;
    if (x < 1e7F && x == static_cast<float>(static_cast<std::uint32_t>(x)))
      return put(static_cast<std::uint32_t>(x));
    int exponent = 0;
    for (; x >= 10; ++exponent) x /= 10;
    for (; x < 1; --exponent) x *= 10;
    auto digits = static_cast<std::uint32_t>(x * 100'000 + 0.5F);
    int count = 6;
    for (; digits % 10 == 0; --count) digits /= 10;
    if (count < 1) count = 1, ++exponent;  // 9.999999 is 10
    put_digits(digits, count, exponent);
  }
  // digits * 10^(exponent + 1 - count)
  void put_digits(std::uint32_t digits, int count, int exponent) {
    const bool plain = exponent >= -4 && exponent < 7;
    for (int zero = -1; plain && zero >= exponent; --zero) put(zero == -1 ? "0." : "0");
    std::uint32_t unit = 1;
    for (int k = 1; k < count; ++k) unit *= 10;
    for (int k = 0; k < count || (plain && k <= exponent); ++k, unit /= 10) {
      if (k == (plain ? exponent + 1 : 1) && k > 0) put('.');
      put(k < count ? static_cast<char>('0' + digits / unit % 10) : '0');
    }
    if (plain) return;
    put(exponent < 0 ? "e-" : "e");
    const int size = exponent < 0 ? -exponent : exponent;
    if (size >= 10) put(static_cast<char>('0' + size / 10));
    put(static_cast<char>('0' + size % 10));
  }

  std::array<char, 256> text_{};
  std::size_t size_ = 0;
};

}  // namespace tactus
