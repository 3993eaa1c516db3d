// Compliant patches (Song 2004 (13)), lumped or distributed: R = E^-1 and B = E^-1 K of all elements of a
// point together, E = h K + C; they are constants, which contact/patch.hpp makes when the step is set. c =
// -B delta, and (gap + delta_n) / h in the normal rows.
#pragma once

#include "tactus/contact/patch.hpp"
#include "tactus/stepper/capacity.hpp"
#include "tactus/stepper/normal_rule.hpp"

namespace tactus::stepper {

struct CompliantPatch {
  template <class Scalar>
  struct Numbers {
    std::int8_t patch = -1;         // of Model::patch; -1: none
    bool first_is_elastic = false;  // of the pair; else the second
  };

  template <Capacity C>
  static constexpr bool kCompiled = C.patches > 0;
  static constexpr bool kExact = false, kRegular = true, kDeforms = true;
  template <int Dim, Capacity C>
  static constexpr int kRows = C.patch_elements > 0 ? C.patch_elements* Dim : Dim;

  template <class Contact>
  static constexpr bool holds(const Contact& contact) {
    return contact.patch >= 0;
  }

  template <class Candidate, class Scalar>
  static bool add_offset(const Candidate& at, Scalar& c) {
    return add_gap(at.m, at.gap, at.next_gap, c);
  }

  template <class Model, class Contact, class Scalar, int N>
  static const Scalar* R(const Model& m, const Contact& contact, Scalar (&)[N]) {
    return of(m, contact).R;
  }

  template <class Model, class Contact, class Scalar>
  static void relax(const Model& m, const Contact& contact, const Scalar* delta, Scalar* out) {
    of(m, contact).relax(delta, out);
  }

  // In the frame of the rows, which is the patch's reversed where the first body is elastic.
  template <int Dim, class Model, class Contact, class Scalar>
  static void spread(const Model& m, const Contact& contact, int element, Scalar& t, Scalar& o) {
    contact::element_offset<Dim>(of(m, contact).law, element, t, o);
    if (!contact.first_is_elastic) return;
    t = -t;
    o = -o;
  }

  // Whether what is deformed stays with the material.
  template <Capacity C, class Model, class Contact>
  static bool material(const Model& m, const Contact& contact) {
    return C.has(material_patches) && contact.elements > 1 && !of(m, contact).law.printed;
  }

  template <int Dim, int Elements, class Model, class Contact, class Scalar, class Gap>
  static bool carry(const Model& m, const Contact& contact, const Scalar (&moved)[Dim - 1], const Gap& gap,
                    Scalar* delta) {
    const auto& patch = of(m, contact);
    return contact::carry<Dim, Elements>(patch.law.columns, patch.law.rows, patch.entry, moved, gap, delta);
  }

  template <class Model, class Contact, class Scalar>
  static Scalar energy(const Model& m, const Contact& contact, const Scalar* delta) {
    return of(m, contact).energy(delta);
  }

 private:
  template <class Model, class Contact>
  static const auto& of(const Model& m, const Contact& contact) {
    return m.patch[static_cast<std::size_t>(contact.patch)];
  }
};

}  // namespace tactus::stepper
