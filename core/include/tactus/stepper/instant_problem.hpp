// A contact problem of chosen rows of a world (instant_rows.hpp), at the level of accelerations or of a step.
// What is no contact becomes one, so that every law and verdict of contacts is its own:
//
//     a stop    is a contact without friction, n along its joint: 0 <= p _|_ a >= 0
//     a rub     is Coulomb's friction f of a joint at rest, |p| <= f against a: a contact with mu = 1 that is
//               pressed by f, whatever moves: row n is a_n = alpha (c_n - f), and t is the joint
//
// Rows that are left over then, t and o of a stop and o of a rub, are alpha c = 0. alpha, the mobility of the
// joint, has no consequence but that all rows are of one size.
//
// Cost: the square of its rows. Memory: sizeof(InstantProblem). Failure: add() says whether there is room.
#pragma once

#include "tactus/contact/acceleration.hpp"
#include "tactus/stepper/instant_held.hpp"

namespace tactus::stepper {

enum class InstantKind : std::uint8_t { contact, stop, rub };

// One of its contacts. `number` is that of the contact, or of the joint among those of all arms.
template <class Scalar, int Dim>
struct InstantContact {
  InstantKind kind = InstantKind::contact;
  int number = 0, row = 0;  // row: of InstantRows
  Scalar side = 1;          // of a stop: n is so many times the joint
  Scalar gap = 0;           // m, of a stop rad or m
  Scalar mu = 0;            // of a rub N m or N
  Scalar least = 0;         // of a stop: a_n >= least
  math::Vector<Scalar, Dim> velocity = math::Vector<Scalar, Dim>::Zero();  // n, t (, o), m/s
};

template <class Scalar, int Dim, int Contacts>
struct InstantProblem {
  static constexpr int kContacts = Contacts, kRows = Contacts * Dim;

  int count = 0;
  detail::Array<InstantContact<Scalar, Dim>, Contacts> contact;
  detail::Array<Scalar, kRows * kRows> A;  // rows of `count` Dim numbers
  detail::Array<Scalar, kRows> b;
  detail::Array<Scalar, Contacts> mu;
  detail::Array<Scalar, Contacts*(Dim - 1)> velocity;  // as Problem::velocity: zero where it rolls

  bool add(const InstantContact<Scalar, Dim>& one) {
    if (count < Contacts) contact[detail::at(count)] = one;
    return count++ < Contacts;
  }

  // A, b and mu, once all are added. slides: from which speed on, m/s; what is slower rolls.
  template <Capacity C>
  void make(const InstantRows<Scalar, Dim, C>& rows, Scalar slides) {
    for (int i = 0; i < count; ++i) {
      const auto& one = contact[detail::at(i)];
      mu[detail::at(i)] = one.kind == InstantKind::contact ? one.mu : Scalar(one.kind == InstantKind::rub);
      Scalar square = 0;
      for (int k = 1; k < Dim; ++k) square += one.velocity[k] * one.velocity[k];
      for (int k = 1; k < Dim; ++k)
        velocity[detail::at(i * (Dim - 1) + k - 1)] = square > slides * slides ? one.velocity[k] : Scalar(0);
      for (int k = 0; k < Dim; ++k) make_row(rows, i, k);
    }
  }

  contact::acceleration::Problem<Scalar, Dim> problem() const {
    return {{count, A.data(), count * Dim, b.data(), mu.data(), nullptr}, velocity.data()};
  }

 private:
  // Of which row component k is, times what; 0: of none.
  static Scalar share(const InstantContact<Scalar, Dim>& one, int k, int& row) {
    row = one.row + (one.kind == InstantKind::contact ? k : 0);
    if (one.kind == InstantKind::contact) return 1;
    if (one.kind == InstantKind::stop) return k == 0 ? one.side : Scalar(0);
    return k == 1 ? Scalar(1) : Scalar(0);
  }

  template <Capacity C>
  void make_row(const InstantRows<Scalar, Dim, C>& rows, int i, int k) {
    const auto& one = contact[detail::at(i)];
    int from = 0, to = 0;
    const Scalar mine = share(one, k, from), own = rows.A(one.row, one.row);
    const Scalar mobility = own > 0 ? own : Scalar(1);
    Scalar* const row = A.data() + (i * Dim + k) * count * Dim;
    for (int j = 0; j < count; ++j)
      for (int l = 0; l < Dim; ++l) {
        const Scalar other = share(contact[detail::at(j)], l, to);
        row[j * Dim + l] = mine == 0 || other == 0 ? 0 : mine * other * rows.A(from, to);
      }
    Scalar constant = mine == 0 ? 0 : mine * rows.b[detail::at(from)];
    if (mine == 0) row[i * Dim + k] = mobility;
    if (one.kind == InstantKind::stop && k == 0) constant -= one.least;
    if (one.kind == InstantKind::rub && k == 0) constant = -mobility * one.mu;
    b[detail::at(i * Dim + k)] = constant;
  }
};

}  // namespace tactus::stepper
