// Constraint rows dropped as redundant are watched: where they open, the choice has become wrong.
#pragma once
#include <string>
#include <vector>

#include "skyhook/simulation/snapshot.h"

namespace skyhook::simulation {

class RowWatch {
 public:
  RowWatch(double tolerance, double length) : tolerance_(tolerance), length_(length) {}
  // `all` rows, of which those of `active` carry the motion.
  void begin(std::shared_ptr<const Equations> all, std::shared_ptr<const Equations> active);

  bool has_redundant() const { return !redundant_.empty(); }
  // At the last snapshot. Under a formulation that drifts all rows open alike; that is not their fault.
  bool have_strayed(const Snapshot& s) const;
  std::string strayed_reason(const Snapshot& s) const;
  // Near a position where the chosen rows depend on each other the others open first, by their rates, and grow from step to
  // step. Looked at again only when it has become twice as bad: the best rows may be chosen already.
  bool lose_hold(const formalism::State& s);
  bool lose_hold(const Snapshot& s);  // the same where residuals are known
  // Of all rows at a state, as a snapshot has them: position and velocity, 0 where a row does not hold.
  void residuals(double t, CSpan q, CSpan v, Span out);

 private:
  void make_ready();
  double tolerance_, length_;
  std::shared_ptr<const Equations> all_, active_;
  std::vector<int> redundant_;  // row numbers
  bool is_ready_ = false;       // what follows, where somebody asks
  Equations::Workspace workspace_;
  std::vector<double> g_, rate_;
  std::vector<char> is_active_;  // by rows of `all`
  double refused_rate_ = 0;
  struct Rates {
    double redundant = 0, active = 0;
  };
  bool open_fast(const Rates& rates, CSpan v);
};

}  // namespace skyhook::simulation
