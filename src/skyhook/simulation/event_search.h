// Where in a step the first event lies, in two phases ([Simeon 1996] §4.3): with the plain dense output down to a small
// interval, then with states put back onto the constraints, which cost a decomposition each.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/simulation/onto_constraints.h"
#include "skyhook/simulation/root_search.h"

namespace skyhook::simulation {

struct EventSearchOptions {
  double tolerance = 1e-6;  // of the positions, for the projection
};

class EventSearch {
 public:
  // The motion within the last step; false: there is none at t. Roughly, to see whether there is something, and exactly.
  struct Interpolate {
    std::function<bool(double t, Span q, Span v)> roughly, exactly;
  };
  // Values of the switching functions.
  using Watch = std::function<bool(const formalism::State&, Span z)>;

  explicit EventSearch(EventSearchOptions options) : options_(options) {}
  // Other constraints from here on, and as many functions; if these are as many as before they keep their signs. The last `quiet` of
  // them have an event only where they are positive at both ends of a step and negative in between: nobody else would see that.
  // The middle of a step shows functions that cross zero and come back. Where it is needed: not while all of them stay at least four times as far
  // from zero as they move in a step, in this one and the one before. That will do for laws, whose values the integrator follows.
  enum class Middle { always, where_needed };
  void begin(const formalism::EquationsOfMotion& eq, std::size_t functions, std::size_t quiet = 0,
             Middle middle = Middle::always);

  // The state from which the next search goes on, where something may have happened. Functions that `fresh` names have just been
  // zero and get their sign when they first have one again. Of the others the first `kept` keep theirs: if what happened has
  // changed one, that is an event right there. All others take the sign they have now, unless they are zero.
  void start(const formalism::State& state, const std::vector<char>& fresh, std::size_t kept, const Watch& watch);
  // After start(): the function counts as positive there, whatever rounding says.
  void set_positive(std::size_t function);
  // The first change of sign behind the last search or start() and not after `to`; its state is put back onto the constraints.
  std::optional<formalism::State> first(double to, const Interpolate& interpolate, const Watch& watch);
  // Behind first(), from where it began up to what it has found: tells functions from `function` on that have the other sign at some
  // points in between all the same. They have crossed zero and come back unseen.
  using Missed = std::function<void(std::size_t function, double t, double z)>;
  void look_back(double from, double to, std::size_t function, const Interpolate& interpolate, const Watch& watch,
                 const Missed& missed);
  double t() const { return t_; }  // from where the next search goes on
  // At the state found, which have changed: until the next start().
  const std::vector<char>& changed() const { return changed_; }
  const std::vector<int>& signs() const { return sign_; }

 private:
  bool plain(double t, Span z, const Interpolate& interpolate, const Watch& watch);
  bool projected(double t, Span z, const Interpolate& interpolate, const Watch& watch);
  void go_on(double t, CSpan z);
  bool arm(double to, const Interpolate& interpolate, const Watch& watch);
  void leave_to_step(CSpan end);
  double first_dip() const;
  bool stay_far() const;
  std::optional<formalism::State> locate(double at, const Interpolate& interpolate, const Watch& watch);
  std::optional<Bracket> narrow(Bracket whole, const Interpolate& interpolate, const Watch& watch);

  EventSearchOptions options_;
  std::optional<OntoConstraints> onto_;
  formalism::State state_;  // the last asked for
  std::vector<int> sign_;
  std::vector<char> changed_;
  std::vector<double> z_, middle_, end_, probe_;
  std::size_t loud_ = 0;  // functions that are not quiet
  double t_ = 0;          // where z_ holds
  Middle looks_at_middle_ = Middle::always;
  bool are_calm_ = false;  // in the last step all have stayed far from zero
};

}  // namespace skyhook::simulation
