// The loads of a contribution at the motion of its frames: the wrench on B, the rates of its inner states c, and the algebraic unknowns
// w that follow from b(motion, c, w, s) = 0 (S0 (16), (29)). With derivatives to the twelve local variables and to c, while w and
// the contact variables s follow.
#pragma once
#include <vector>

#include "skyhook/model/local_conditions.h"

namespace skyhook::formalism::recursive {

using model::LocalConditions;

class LocalLoads {
 public:
  // Room for the largest of several laws.
  void reserve(const model::Declared& declared);

  // False: no w was found. `s` are the contact variables at this motion, `w` where the search begins.
  bool evaluate(const model::ContributionLaw& law, const model::Relative<double>& motion, std::span<const double> c,
                std::span<const double> s, std::span<const double> w_begin);
  // With w as they are given.
  void evaluate_at(const model::ContributionLaw& law, const model::Relative<double>& motion, std::span<const double> c,
                   std::span<const double> s, std::span<const double> w);
  // After evaluate(), of the same motion. `seeded` has the values of the motion and unit derivatives. False: w does not follow.
  // `follow`: with w and s following; else they stand by themselves.
  bool differentiate(const model::ContributionLaw& law, const model::Relative<model::Local>& seeded,
                     std::span<const double> c, const LocalConditions& contact, bool follow);

  model::Wrench<double> wrench;
  std::span<const double> rates() const { return std::span(rates_).first(static_cast<std::size_t>(nc_)); }
  std::span<const double> w() const { return std::span(w_).first(static_cast<std::size_t>(nw_)); }
  // Rows of the Jacobian: force and moment, then the rates. Columns: twelve local variables, then c.
  double slope(int row, int column) const { return total_[row * (12 + nc_) + column]; }
  model::Local to_motion(double value, int row) const;
  // Where w and s stand by themselves: rows as above and then those of b; columns of the motion, then c, w, s.
  std::span<const double> b() const { return std::span(b_).first(static_cast<std::size_t>(nw_)); }
  double partial(int row, int column) const { return all_[row * width() + column]; }

 private:
  void columns(const model::ContributionLaw& law, const model::Relative<model::Local>& motion, int first, int count);
  double& at(int row, int column) { return all_[row * width() + column]; }
  int width() const { return 12 + nc_ + nw_ + ns_; }
  int outputs() const { return 6 + nc_ + nw_; }

  int nc_ = 0, nw_ = 0, ns_ = 0;
  std::vector<double> rates_, w_, b_, values_;        // values_: c, w, s
  std::vector<double> all_, total_, matrix_, right_;  // Jacobians: of everything, and with w and s following
  std::vector<model::Local> unknowns_, rates_local_, b_local_;
};

}  // namespace skyhook::formalism::recursive
