// The table of laws: what the rows of a contact's elements obey,
//
//     s = W nu' + c + R lambda,     delta' = delta + h (R lambda - B delta)
//
// with one line a law, and a file for what it is:
//
//   Numbers      of a contact that has the law; Contact inherits them
//   kCompiled    the part of a Capacity that it needs
//   kExact       R = 0: its rows take whatever force they ask for, and so may contradict others
//   kRegular     R is positive definite: its rows cannot depend on others
//   kDeforms     its elements keep a deformation delta, and their frames, from step to step
//   holds        whether a contact has the law
//   add_offset   adds to the normal row's c, which already has -B delta; false: the element has no contact.
//                It is given a Candidate (find.hpp)
//   R            unless exact: of all elements of a point, the model's own or, of one element, written to
//                `own`; Dim rows an element
//   relax        if it deforms: B delta of a point's elements
//   kRows        if it deforms: of a point, at most
//   spread       if it deforms: where an element is, from the middle of its point, m along t and o
//   material     if it deforms: whether what is deformed stays with the material
//   carry        if it deforms: how it does, the point having moved over the material; false: it has none
//   left energy       if it deforms: delta . K delta / 2 of a point's elements
//
// The movements ask here and name no law. Each question is a chain of comparisons in the table's order; what
// is not compiled is not asked for.
#pragma once

#include "tactus/stepper/law_patch.hpp"
#include "tactus/stepper/law_rigid.hpp"

namespace tactus::stepper {

template <class... Law>
struct LawTable {
  template <class Scalar>
  struct Numbers : Law::template Numbers<Scalar>... {};

  template <Capacity C>
  static constexpr bool kGivesWay = ((Law::template kCompiled<C> && !Law::kExact) || ...);
  template <Capacity C>
  static constexpr bool kDeforms = ((Law::template kCompiled<C> && Law::kDeforms) || ...);
};

// The first that holds is a contact's; the last holds for all.
using Laws = LawTable<CompliantPatch,  // R = E^-1, c = -B delta + (gap + delta_n) / h
                      Rigid>;          // R = 0, c = gap / h

// Whether a world has laws with R, or with a deformation.
template <Capacity C>
inline constexpr bool kGivesWay = Laws::kGivesWay<C>;
template <Capacity C>
inline constexpr bool kDeforms = Laws::kDeforms<C>;

namespace detail {

template <Capacity C, class First, class... Others, class Contact, class F>
[[gnu::always_inline]] inline decltype(auto) with_first(LawTable<First, Others...>, const Contact& contact,
                                                        const F& f) {
  if constexpr (sizeof...(Others) == 0) {
    return f(First{});
  } else {
    if constexpr (First::template kCompiled<C>)
      if (First::holds(contact)) return f(First{});
    return with_first<C>(LawTable<Others...>{}, contact, f);
  }
}

// f(law), with that of a contact.
template <Capacity C, class Contact, class F>
[[gnu::always_inline]] inline decltype(auto) with_law(const Contact& contact, const F& f) {
  return with_first<C>(Laws{}, contact, f);
}

template <Capacity C, class Contact>
inline bool is_exact(const Contact& contact) {
  return with_law<C>(contact, [](auto law) { return decltype(law)::kExact; });
}

template <Capacity C, class Contact>
inline bool is_regular(const Contact& contact) {
  return with_law<C>(contact, [](auto law) { return decltype(law)::kRegular; });
}

template <Capacity C, class Contact>
inline bool deforms(const Contact& contact) {
  return with_law<C>(contact, [](auto law) { return decltype(law)::kDeforms; });
}

// Null where the law is exact.
template <Capacity C, class Model, class Contact, class Scalar, int N>
inline const Scalar* R_of(const Model& m, const Contact& contact, Scalar (&own)[N]) {
  return with_law<C>(contact, [&](auto law) -> const Scalar* {
    if constexpr (decltype(law)::kExact)
      return nullptr;
    else
      return law.R(m, contact, own);
  });
}

}  // namespace detail

}  // namespace tactus::stepper
