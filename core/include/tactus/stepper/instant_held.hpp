// Rows of a world where it stands (instant_rows.hpp), without what holds in them: joints of bodies, mimics.
//
// Their s = 0 is taken out: A and b of the other rows are then those with what it takes in them. Of rows that
// hold the same one takes it. Where joints leave a row no way to move, what rounding has left of it is 0.
//
// Cost: the square of the rows for each that holds. Memory: two numbers a row, on the stack. It cannot fail.
#pragma once

#include "tactus/stepper/instant_rows.hpp"

namespace tactus::stepper {

template <class Scalar, int Dim, Capacity C>
class Elimination {
 public:
  explicit Elimination(InstantRows<Scalar, Dim, C>& rows) : rows_(rows) {
    for (int i = 0; i < rows.count; ++i) {
      mobility_[at(i)] = rows.A(i, i);
      load_[at(i)] = math::magnitude(rows.b[at(i)]);
    }
  }

  void run() {
    Scalar largest = 0;
    for (int best; (best = find_pivot()) >= 0; done_[at(best)] = true) {
      const int p = rows_.plain[at(best)].row;
      largest = math::larger(largest, rows_.A(p, p));
      if (!(rows_.A(p, p) > kNothing * largest)) break;
      take_out(p);
    }
    for (int i = 0; i < rows_.count; ++i)
      if (!(rows_.A(i, i) > kNothing * mobility_[at(i)])) stand_still(i);
  }

 private:
  static constexpr Scalar kNothing = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);
  static constexpr auto at(int i) { return detail::at(i); }

  int find_pivot() const {
    int best = -1;
    for (int i = 0; i < rows_.plains; ++i) {
      const auto& plain = rows_.plain[at(i)];
      if (!plain.holds || done_[at(i)]) continue;
      const int row = best < 0 ? plain.row : rows_.plain[at(best)].row;
      if (best < 0 || rows_.A(plain.row, plain.row) > rows_.A(row, row)) best = i;
    }
    return best;
  }

  void take_out(int p) {
    for (int i = 0; i < rows_.count; ++i) {
      const Scalar factor = rows_.A(i, p) / rows_.A(p, p);
      if (i == p || factor == 0) continue;
      const Scalar taken = factor * rows_.b[at(p)];
      rows_.b[at(i)] -= taken;
      load_[at(i)] = math::larger(load_[at(i)], math::magnitude(taken));
      for (int j = i; j < rows_.count; ++j)
        if (j != p) rows_.A(i, j) = rows_.A(j, i) = rows_.A(i, j) - factor * rows_.A(p, j);
    }
    for (int i = 0; i < rows_.count; ++i)
      if (i != p) rows_.A(i, p) = 0;
  }

  void stand_still(int i) {
    for (int j = 0; j < rows_.count; ++j) rows_.A(i, j) = rows_.A(j, i) = 0;
    if (math::magnitude(rows_.b[at(i)]) <= kNothing * load_[at(i)]) rows_.b[at(i)] = 0;
  }

  InstantRows<Scalar, Dim, C>& rows_;
  detail::Array<Scalar, RowCount<Dim, C>::kAll> mobility_, load_;
  detail::Array<bool, RowCount<Dim, C>::kPlain> done_{};
};

template <class Scalar, int Dim, Capacity C>
inline void eliminate_held(InstantRows<Scalar, Dim, C>& rows) {
  bool any = false;
  for (int i = 0; i < rows.plains; ++i) any = any || rows.plain[detail::at(i)].holds;
  if (any) Elimination<Scalar, Dim, C>(rows).run();
}

}  // namespace tactus::stepper
