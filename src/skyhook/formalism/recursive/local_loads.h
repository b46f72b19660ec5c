// The loads of a contribution at the motion of its frames: the wrench on B, the rates of its inner states c, the forces on its own
// coordinates p, and the algebraic unknowns w that follow from b(motion, c, p, p', w, s) = 0 ([Arnold 2004] (16),
// (29)). With derivatives to the twelve local variables, to c, p, p' and its multipliers lambda, while w and the contact variables s follow.
#pragma once
#include <vector>

#include "skyhook/model/local_conditions.h"
#include "skyhook/model/measuring_law.h"
#include "skyhook/model/sloped_loads.h"

namespace skyhook::formalism::recursive {

using model::LocalConditions;

class LocalLoads {
 public:
  // Room for the largest of several laws.
  void reserve(const model::Declared& declared);

  using Known = model::LoadInput<double>;
  // False: no w was found. `at.s` are the contact variables at this motion, `at.w` where the search begins.
  bool evaluate(const model::ContributionLaw& law, const Known& at);
  // Of a law without w, and what it measures.
  void evaluate(const model::MeasuringLaw& law, const Known& at, std::vector<double>& measured);
  // With w as they are given.
  void evaluate_at(const model::ContributionLaw& law, const Known& at);
  // After evaluate(), of the same motion. `seeded` has the values of the motion and unit derivatives. False: w does not follow.
  // `follow`: with w and s following; else they stand by themselves.
  bool differentiate(const model::ContributionLaw& law, const model::Relative<model::Local>& seeded, const Known& at,
                     const LocalConditions& contact, bool follow);
  // Both at once. False: not all are numbers.
  bool differentiate(const model::SlopedLoads& law, const model::Relative<model::Local>& seeded, const Known& at);

  // After evaluate(), of the same motion: partial() of the columns of lambda alone.
  void differentiate_by_multipliers(const model::ContributionLaw& law, const Known& at);

  model::Wrench<double> wrench;
  std::span<const double> rates() const { return std::span(rates_).first(static_cast<std::size_t>(nc_)); }
  std::span<const double> w() const { return std::span(w_).first(static_cast<std::size_t>(nw_)); }
  std::span<const double> forces() const { return std::span(forces_).first(static_cast<std::size_t>(np_)); }
  // Rows of the Jacobian: force and moment, then the rates and the forces on p. Columns: twelve local variables, then c, p, p', lambda.
  double slope(int row, int column) const { return total_[row * kept() + column]; }
  int of_rate(int c) const { return 6 + c; }
  int of_force(int k) const { return 6 + nc_ + k; }
  int by_state(int c) const { return 12 + c; }
  int by_own(int k) const { return 12 + nc_ + k; }
  int by_own_rate(int k) const { return 12 + nc_ + np_ + k; }
  int by_multiplier(int r) const { return 12 + nc_ + 2 * np_ + r; }
  model::Local to_motion(double value, int row) const;
  // Where w and s stand by themselves: rows as above and then those of b; columns as above and then w, s.
  std::span<const double> b() const { return std::span(b_).first(static_cast<std::size_t>(nw_)); }
  double partial(int row, int column) const { return all_[row * width() + column]; }
  int of_b(int i) const { return 6 + nc_ + np_ + i; }
  int by_unknown(int u) const { return kept() + u; }

 private:
  void take(const Known& at);
  bool look(const model::ContributionLaw& law, const Known& at);
  model::LoadOutput<double> room(const Known& at);
  void look(const model::ContributionLaw& law, const model::Relative<model::Local>& motion,
            model::Wrench<model::Local>& out);
  void write_column(int column, const model::Wrench<model::Local>& from, int direction);
  void columns(const model::ContributionLaw& law, const model::Relative<model::Local>& motion, int first, int count);
  double& at(int row, int column) { return all_[row * width() + column]; }
  int given() const { return nc_ + 2 * np_ + nl_; }  // c, p, p', lambda
  int own() const { return given() + nw_ + ns_; }
  int kept() const { return 12 + given(); }
  int width() const { return 12 + own(); }
  int outputs() const { return 6 + nc_ + np_ + nw_; }

  int nc_ = 0, np_ = 0, nl_ = 0, nw_ = 0, ns_ = 0;
  std::vector<double> rates_, forces_, w_, b_, values_;  // values_: c, p, p', lambda, w, s
  std::vector<double> all_, total_, matrix_, right_;     // Jacobians: of everything, and with w and s following
  std::vector<model::Local> unknowns_, rates_local_, forces_local_, b_local_;
};

}  // namespace skyhook::formalism::recursive
