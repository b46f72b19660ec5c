// The events of the user in a run: values of their formulas, their times, and what they do to the state. The run loop
// locates the crossings and restarts; see docs/theory/09_hybrid_systems.md.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "skyhook/math/dual.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::simulation {

class EventRules {
 public:
  // `all`: the channels of `eq`. Throws ModelError for channels and states that the model does not have.
  EventRules(const Equations& eq, const std::vector<Channel>& all);

  int size() const { return static_cast<int>(rules_.size()); }  // in the order of the file
  const model::EventRule& operator[](int rule) const { return rules_[static_cast<std::size_t>(rule)].given; }

  // Formulas ------------------------------------------------------------------------------------------------------
  int functions() const { return static_cast<int>(functions_.size()); }  // rules with `when`, in the order of the file
  int rule_of(int function) const { return functions_[static_cast<std::size_t>(function)]; }
  // Which evaluation of the snapshot the formulas ask for: evaluate_motion(), evaluate() without or with reactions.
  enum class Needs { motion, accelerations, reactions };
  Needs needs() const { return needs_; }
  // Values of all formulas. Allocates only where a channel does. False: one is not finite, see blame().
  bool evaluate(const Snapshot& s, const Running& running, Span z);
  const std::string& blame() const { return blame_; }
  // What rounding may leave of a zero, at the last evaluation.
  double rounding_of(int function) { return least * scale(rules_[static_cast<std::size_t>(rule_of(function))]); }
  // Is the way from one value to a later one an event? A start at zero is none, arriving at zero is one.
  bool counts(int function, double before, double after) const;
  // A formula had the other sign at t, by z, where no crossing was found: noted if integration with `tolerance` does not explain it.
  void miss(int function, double t, double z, double tolerance);
  bool looks_for_missed() const;  // by formulas of which none is known yet
  std::vector<Warning> missed() const;
  void take_over(const EventRules& before);  // what is known of the formulas of the same rules
  // Where formulas have been zero, but for rounding, in all evaluations: what to tell the user.
  std::vector<Warning> zero_throughout() const;

  // Times ---------------------------------------------------------------------------------------------------------
  // The first time of any rule with `at` that is a later instant than `t`: a multiple, not a sum; infinite where there is none.
  double next_time(double t) const;
  // Is t one of the rule's times, but for rounding (instant.h)?
  bool is_due(int rule, double t) const;

  // Actions -------------------------------------------------------------------------------------------------------
  struct Change {
    std::string state;
    double before, after;
  };
  struct Changes {
    std::vector<Change> list;
    std::string problem;  // why none was made
  };
  bool sets_states(int rule) const { return !rules_[static_cast<std::size_t>(rule)].targets.empty(); }
  // Sets the states that the rule asks for, all from the values before the event. The snapshot is evaluated there, with
  // reactions. Afterwards velocities, and positions if any was set, no longer fit closed loops.
  Changes set_states(int rule, const Snapshot& s, const Running& running, formalism::State& state);
  // What has become of them after all, for the log.
  void read_back(int rule, const formalism::State& state, Changes& changes) const;
  std::vector<std::pair<std::string, std::string>> parameters(int rule) const;  // to be set: name, value
  // For the log: "k = 2500 N/m; ride.displacement_rate from -2 to 1; stop".
  std::string text(int rule, const Changes& changes) const;

 private:
  struct Target {  // of a set_state
    std::size_t action;
    bool is_position;
    int index;
    double reference;  // what the user calls the coordinate's zero
  };
  struct Rule {
    model::EventRule given;
    std::vector<Channel> channels;
    std::vector<Target> targets = {};
    std::vector<double> values = {};  // of the channels, then t
    std::vector<Dual<1>> duals = {};  // as long
    bool is_zero = true;              // so far
    int evaluations = 0;
    std::optional<double> missed = {};  // when
  };

  void fill(Rule& rule, const Snapshot& s, const Running& running) const;
  static constexpr double least = 1e-12;  // what rounding may leave of a value that should be zero, of its scale
  static double scale(Rule& rule);
  static double time_behind(const model::EventRule& rule, double t);

  std::vector<Rule> rules_;
  std::vector<int> functions_;
  Needs needs_ = Needs::motion;
  std::string blame_;
};

}  // namespace skyhook::simulation
