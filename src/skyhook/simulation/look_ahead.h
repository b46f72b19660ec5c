// What vehicles meet on their way: bumps of a road, defects of a track, transitions. An integrator looks at the ends of its steps; on an even
// road these grow long, and what lies between two of them would be seen by nobody. So the run looks ahead of each wheel, and a step goes no
// further than its ends can tell of. docs/theory/09_hybrid_systems.md
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/base/boxed.h"
#include "skyhook/formalism/state.h"
#include "skyhook/model/over_ground.h"
#include "skyhook/simulation/snapshot.h"

namespace skyhook::simulation {

class LookAhead {
 public:
  // From here on: of the equations that hold.
  void begin(const std::shared_ptr<const Equations>& active, const std::shared_ptr<const Equations>& all);

  // How far a step that begins at t may go, behind one of size h. `state` is asked for where something must be looked at anew.
  using StateAt = std::function<const formalism::State&(double t)>;
  double limit(double t, double h, const StateAt& state);
  // Whose way ahead has set the last limit, if that is this one, by its name; null: nobody's has.
  const std::string* who_set(double limit) const { return limit == limit_ ? by_ : nullptr; }

 private:
  // One of those who go over a surface or along a track: what it sees at t0 - grain, t0, t0 + grain, ... of its window.
  enum class Kind { wrench, law, joint };
  struct Rider {
    Kind kind;
    std::size_t number;  // among those of its kind: Parts::wrenches, Parts::laws, joints of the model
    const std::string* name;
    const model::OverGround* ground;
    double grain = std::numeric_limits<double>::infinity();  // s
    int last = 0;              // number of the last look that a step may end at; 0: nothing was looked at
    int begun = 0;             // where the last step has begun
    bool is_even = false;      // there is nothing up to there
    std::vector<double> seen;  // last + 3 of each sight
    std::array<double, model::OverGround::most_sights> surprise{};  // at the ends of the last steps
  };
  void add_wheels(const Equations& equations);
  void add_joints(const Equations& equations);
  bool is_looked_at(const model::TrackLine& line) const;
  model::Relative<double> motion_of(const Rider& rider) const;
  void look(const formalism::State& state, double reach);
  void note_end(Rider& rider, double t) const;
  double limit_of(const Rider& rider, double t) const;
  int last_even(const Rider& rider) const;
  bool may_go(const Rider& rider, int steps) const;
  struct Sight;
  static Sight sight_of(const Rider& rider, int i);

  Boxed<Evaluator> evaluator_;
  std::vector<char> marked_;  // contributions that ride
  std::vector<Rider> riders_;
  double t0_ = 0, until_ = -1;  // of the window
  double reach_ = 0;            // how far steps may go in it
  double limit_ = 0;
  const std::string* by_ = nullptr;
};

}  // namespace skyhook::simulation
