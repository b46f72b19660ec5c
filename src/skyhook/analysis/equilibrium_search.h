// Ways from a rough start into an equilibrium (docs/theory/13_equilibrium.md). Each begins where it is told and ends at the residual asked
// for, or says that it has not got there.
#pragma once
#include "skyhook/analysis/statics.h"

namespace skyhook::analysis {

class EquilibriumSearch {
 public:
  using State = formalism::State;
  static constexpr double goal = 1e-11, good_enough = 1e-8;

  // After statics.begin(state).
  EquilibriumSearch(Statics& statics, State state);

  bool is_found() const { return size_ < good_enough; }
  double size() const { return size_; }
  int iterations() const { return iterations_; }
  bool ran_away() const { return ran_away_; }  // nothing stops it: further attempts are of no use
  const State& state() const { return here_.state; }
  const model::Model& model() const { return statics_.equations().model(); }

  // Downhill with fictitious time: a step is taken where K + s M is positive and the work of the forces along it is not negative.
  bool descend(int most);
  // Fictitious motion with inertia and the dampers of the model, brought to rest wherever forces brake it: it passes over
  // shallow hollows and narrow bends that stop the descent.
  bool relax(int most);
  // Newton's method, each step shortened until the residual falls: into the nearest equilibrium, stable or not.
  bool newton(int most);
  void restart();     // from where the search began
  void look_again();  // something has changed beside the position

 private:
  struct Point {
    State state;
    Vector lambda, tau, g, rate;
    std::vector<Statics::Switch> switches;
  };
  Point point() const;
  void go_back(const Point& to);
  double shorten(Statics::Step& step, double radius) const;
  bool move(const Statics::Step& step, int contact);
  bool move_on_rows(const Statics::Step& step, int contact);
  bool has_run_away() const;

  Statics& statics_;
  std::vector<int> angles_;  // velocity coordinates that turn something
  Point start_, here_;
  double size_ = 0;
  int iterations_ = 0;
  bool ran_away_ = false;
};

}  // namespace skyhook::analysis
