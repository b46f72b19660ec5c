// The discrete part of a run: what holds between events, who watches for them, and what they change.
//
// At one instant things happen in this order, whatever brought the run there: events at given times, sampled controllers,
// switching laws, contacts, stick-slip, events of formulas; in each group as the model file has them. Times that differ by
// rounding alone are one instant (instant.h).
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/base/boxed.h"
#include "skyhook/simulation/event_rules.h"
#include "skyhook/simulation/event_search.h"
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/run_warnings.h"
#include "skyhook/simulation/sampler.h"
#include "skyhook/simulation/switched_rows.h"
#include "skyhook/simulation/switching_laws.h"

namespace skyhook::simulation {

// What an instant has changed, in rising order: the more, the less of the integrator's memory stays valid.
enum class Change {
  none,
  input,  // a signal that laws read
  mode,   // the law of an element
  state,  // positions or velocities
  rows,   // the constraints
  model,  // its parameters, see Hybrid::parameters()
};

// A copy shares what is held (equations point to it): whoever takes a run back brings that back as well.
class Hybrid {
 public:
  // `running` is the run's and must live on. `begun`: where the first of the runs began that go on from each other.
  Hybrid(const Prepared& prepared, const model::Experiment& experiment, const Running& running, double begun);

  const std::shared_ptr<const Equations>& active() const { return active_; }  // the independent constraint rows
  const std::shared_ptr<const Equations>& all() const { return all_; }        // and those redundant
  void choose(const std::vector<int>& independent);                           // other rows of the redundant constraints

  // Modes and signals at the start. What is due then happens.
  Change begin(formalism::State& state, std::vector<Happened>& log);
  void save(RunState& to, Saving& saving) const;
  // In place of begin(), from what was saved: only what has not happened at this instant yet happens. Notes tell what starts anew.
  Change resume(const RunState& saved, Restoring& from, formalism::State& state, std::vector<Happened>& log);
  double next_time() const;           // at which something happens for sure
  bool has_event_at(double t) const;  // by the time that a rule gives
  // The first event behind the last one, or the last call, and not after `to`.
  std::optional<formalism::State> first_event(double to, const EventSearch::Interpolate& interpolate);
  // All that happens at the state, which changes with it.
  Change act(formalism::State& state, std::vector<Happened>& log);

  // Drives jump between `before` and the time of the state, which begins as the same: velocities behind it, and all that happens there.
  Change jump(const formalism::State& before, formalism::State& state, std::vector<Happened>& log);

  // From outside, at a state that has been reached: what somebody sets holds until somebody else says otherwise.
  Change set_signal(int signal, double value, const formalism::State& state);
  // After each step, which has begun at `from`: algebraic unknowns and contact variables of contributions stay on their branch, and turns
  // are counted.
  using Within = std::function<bool(double t, Span q, Span v)>;  // the motion in that step; false: there is none at t
  void follow(double from, const formalism::State& state, const Within& within);
  // Where steps begin: angles of cut joints, which are known from their frames but for whole turns, and how fast they turn.
  void find_turns(const formalism::State& state);
  // The workspace whose nodes that has moved, where it was last at this state: whoever asks may take them.
  Equations::Workspace* moved_to(const formalism::State& state);
  // Up to here a step may go where forces or rows read such angles, which they take within half a turn of the last value: at most
  // farthest_turn at the speed it begins with.
  double limit_by_turns(double t) const {
    return reads_turns_ && turning_speed_ > 0 ? t + farthest_turn / turning_speed_ : 1e300;
  }

  bool wants_stop() const { return wants_stop_; }
  const std::string& problem() const { return problem_; }  // why it cannot go on; empty: it can
  // To be set, the last value of each; all since the start. They take effect with take_over() of a Hybrid of the model read anew.
  const Parameters& parameters() const { return parameters_; }
  // Where drives jump with them, contacts and what sticks are decided anew.
  void take_over(const Hybrid& before, bool drives_jump, formalism::State& state, std::vector<Happened>& log);
  std::vector<Warning> warnings() const;

  model::Held& held() { return *held_; }
  const model::Held& held() const { return *held_; }
  const Sampler& sampler() const { return sampler_; }

 private:
  using Needs = EventRules::Needs;
  bool is_empty() const { return functions() == 0 && sampler_.empty() && rules_.size() == 0; }
  // Somebody may set signals although no controller says any; unknowns of contributions have their branch.
  bool holds_nothing() const {
    return is_empty() && held_->signals.empty() && prepared_.active->remembered() == 0 &&
           !prepared_.active->counts_turns();
  }
  // Without what switches, in the coordinates of joints, with what is held: where drives jump and events set states.
  const Equations& lasting();
  formalism::State in_joints(const formalism::State& state);
  formalism::State from_joints(const formalism::State& state);
  // In the order of laws, switched rows, formulas, quiet laws.
  std::size_t functions() const {
    return static_cast<std::size_t>(laws_.count() + rows_.count() + rules_.functions() + laws_.quiet_count());
  }
  static constexpr double farthest_turn = 2;  // rad
  void count_turns(double from, const formalism::State& end, const Within& within);
  void keep_branch(const formalism::State& state);
  void use(std::shared_ptr<const Equations> all, std::shared_ptr<const Equations> active);
  void use_rows(const formalism::State& state);
  void start_search(const formalism::State& state);
  bool see(const formalism::State& state, Needs needs);
  bool watch(const formalism::State& state, Span z);
  EventSearch::Watch watching() {
    return [this](const formalism::State& s, Span z) { return watch(s, z); };
  }
  void look_for_missed(double from, double to, const EventSearch::Interpolate& interpolate);
  void find_next_time(double t);

  Change at_times(formalism::State& state, std::vector<Happened>& log);
  Change sample(const formalism::State& state);
  Change switch_laws(formalism::State& state, std::vector<Happened>& log);
  Change jump_contact(int law, formalism::State& state, std::vector<Happened>& log);
  Change meet_quiet_laws() const;
  Change switch_rows(formalism::State& state, std::vector<Happened>& log);
  Change switch_rows_and_watch(Change so_far, formalism::State& state, std::vector<Happened>& log);
  Change by_formulas(formalism::State& state, std::vector<Happened>& log);
  Change at_start(formalism::State& state, bool with_times, std::vector<Happened>& log);
  Change act_from(const std::vector<double>* before, formalism::State& state, std::vector<Happened>& log);
  void note_jumps(const std::vector<double>& before, const std::vector<double>& behind);
  void find_signs(const formalism::State& state);
  void resume_modes(Restoring& from, const formalism::State& state);
  Change fire(int rule, formalism::State& state, std::vector<Happened>& log);
  void compare(int rule, const EventRules::Changes& asked, const formalism::State& state);
  void look_for_dead_centre(int rule, const EventRules::Changes& asked, const formalism::State& state);
  bool fit(const formalism::State& before, formalism::State& state);

  const Prepared& prepared_;
  const Running& running_;
  double tolerance_, absolute_;
  std::shared_ptr<model::Held> held_;
  std::shared_ptr<const Equations> all_, active_;
  SwitchingLaws laws_;
  SwitchedRows rows_;
  Sampler sampler_;
  EventRules rules_;
  Boxed<Evaluator> evaluator_;
  std::optional<Equations::Workspace> branch_work_;
  formalism::State moved_;  // where its nodes are
  bool has_moved_ = false;
  std::shared_ptr<const Equations> lasting_;
  EventSearch search_;
  std::vector<char> fresh_, fallen_;
  std::vector<double> z_;               // at the instant, before anything has happened
  std::vector<double> until_, behind_;  // there, before and behind contacts and what sticks
  std::vector<char> crossed_, jumped_;  // formulas that have an event there: on the way to it, or by an impact or drive
  Parameters parameters_;
  std::vector<Unmet> unmet_;
  std::vector<Warning> near_dead_centres_;  // the first of each event
  std::string problem_;
  double next_time_;
  bool reads_turns_ = false;
  double turning_speed_ = 0;    // of the fastest cut joint where the next step begins, in rad/s
  std::vector<double> angles_;  // scratch: where a step began
  formalism::State between_;    // scratch
  double acted_ = -1e300;       // the last instant at which events of given times were looked for
  bool wants_stop_ = false;
};

}  // namespace skyhook::simulation
