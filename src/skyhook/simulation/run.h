// One run of an experiment on its way: steps, what is recorded between them, what happens at events. Simulation is its face.
//
// The loop stands in run.cpp; what happens at an instant in run_events.cpp, where events set parameters in run_model.cpp, where a
// step fails in run_rescue.cpp, samples and books in run_records.cpp, samples that are not solved in run_thinned.cpp.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "skyhook/base/boxed.h"
#include "skyhook/simulation/choose_solver.h"
#include "skyhook/simulation/drive_jumps.h"
#include "skyhook/simulation/event_density.h"
#include "skyhook/simulation/hybrid.h"
#include "skyhook/simulation/input_probes.h"
#include "skyhook/simulation/look_ahead.h"
#include "skyhook/simulation/motion.h"
#include "skyhook/simulation/recorder.h"
#include "skyhook/simulation/row_watch.h"
#include "skyhook/simulation/simulate.h"
#include "skyhook/simulation/table_watch.h"
#include "skyhook/simulation/timed_sink.h"
#include "skyhook/simulation/work_integral.h"

namespace skyhook::simulation {

// The model that a run has: the one it began with, or that read again where events have set parameters.
struct ModelOfRun {
  ModelOfRun(std::shared_ptr<const Prepared> of, const model::Experiment& experiment);

  std::shared_ptr<const Prepared> prepared;
  KeptChannels::List all;         // that there are
  std::vector<Channel> channels;  // to be recorded
};

// All that changes along a run: a copy brings it back, together with what is held (Hybrid::held), which equations point to.
struct Course {
  Course(std::shared_ptr<const ModelOfRun> model, const model::Experiment& experiment, double begun, Sink& sink,
         bool all_reactions, WorkIntegral::StateAt state_at, WorkIntegral::Look look);

  std::shared_ptr<const ModelOfRun> model_;
  Choice choice_;
  Boxed<Hybrid> hybrid_;
  Boxed<Evaluator> evaluator_;
  Boxed<Motion> motion_;    // none: nothing can move
  formalism::State state_;  // from which the motion has started
  formalism::State now_;    // the last one asked for
  struct {
    std::vector<double> a, lambda;
  } foretold_;                     // scratch of expect()
  formalism::State earlier_;       // an average step ago, or less
  formalism::State before_event_;  // the left side of the place where rows are chosen anew; empty: there is none
  double t_ = 0;                   // the end of the last step, or the last event

  // A step that was taken but is not passed through yet: an event within it, or its end comes next.
  struct OpenStep {
    bool is_open = false;
    double t = 0;  // its end
    std::optional<formalism::State> event = {};
    int without_effect = 0;  // events so far
  } step_;

  struct Outputs {
    double step, last = -1e300;  // passed
    double solved = -1e300;      // the last one that was not left out
    long next = 1, balanced = 1;
  } outputs_;
  ThinnedSamples thinned_;
  struct Books {
    Recorder recorder;
    WorkIntegral work;
  } books_;
  struct Inputs {
    DriveJumps drives;
    InputProbes probes;
    LookAhead ahead;
    bool are_new = true;
  } inputs_;
  struct Watchers {
    RowWatch rows;
    std::optional<TableWatch> tables = {};
    TableExcursions excursions = {};
    std::string corner = {};  // of a profile, that a contact has touched
    EventGuard events;
  } watch_;
  struct Renewals {  // of the choice among redundant constraints
    double last = -1e300, first = -1e300;
    int count = 0;
  } renewals_;
  struct Crossings {  // of singular positions
    double width = 0, last = -1e300;
    int attempts = 0;
    bool any = false;
  } crossings_;
  struct Told {
    bool stiffness = false, crossing = false;
    std::vector<std::string> drives = {};  // that jump where an event sets a parameter
    std::set<std::string> doubted = {};    // contributions
  } told_;
  struct Reconsidered {              // the choice of `auto`
    long since = 0, patience = 100;  // steps of an implicit method; until its model is looked at again
    double t = 0;                    // where the first of them ended
  } auto_;
  struct Count {
    std::map<int, long> limits;               // of steps, by state
    std::map<std::string, long> by_way = {};  // by the element that has met something ahead
    double last_step = 0;
    long steps = 0, left_beside = 0;
  } count_;

  RunSummary out_;
  bool is_over_ = false, first_ = true;
  bool has_state_ = true;    // now_ is one; else the nearest one known
  bool has_jumped_ = false;  // at the last instant
  bool has_sample_ = false;  // the last step: one that was solved
};

// What a run costs, and whom it tells of itself.
struct Account {
  RunClock clock_;
  TimedSink sink_;
  Account(RunClock::Time begun, Sink& sink) : clock_(begun), sink_(sink, clock_) {}
};

class Run : private Account, private Course {
 public:
  Run(const Prepared& prepared, const model::Experiment& experiment, Sink& sink, const RunOptions& options);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void begin();
  // To t, or to where the run ends before. Steps go beyond t as they would anyway: what is taken in pieces is the same run.
  void advance(double t);
  RunSummary finish();

  bool is_over() const { return is_over_; }
  double t() const { return is_over_ ? out_.t_reached : step_.is_open ? target_ : inputs_.drives.instant(t_); }
  const RunSummary& summary() const { return out_; }
  const model::Model& model() const { return *prepared().model; }
  Prepared prepared_now() const;  // with the rows that hold at t(), and what is held

  struct Saved {
    Course course;
    model::Held held;
    double target;
  };
  Saved save() const;  // ModelError: the integrator cannot be copied
  void restore(const Saved& saved);
  const std::shared_ptr<const char>& identity() const { return identity_; }  // of what it has saved

  void set_signal(int signal, double value);  // from t() on
  // At t(), by its name; no number where the state there is none. ModelError: there is no such channel.
  double channel(const std::string& name);

  // All that is known at t(), the channels with it. Looking leaves no trace in the run: what is looked at are copies.
  struct Look {
    formalism::State state;
    Boxed<Evaluator> evaluator;
    Running running;
    std::string problem;  // why there is nothing to see; empty: all is well
  };
  const Look& look();

 private:
  const Prepared& prepared() const { return *model_->prepared; }
  Run(const Prepared& prepared, const model::Experiment& experiment, Sink& sink, const RunOptions& options,
      Restoring restoring);
  double until() const { return experiment_.until; }
  double span() const { return experiment_.until - experiment_.from_time; }

  [[nodiscard]] RunClock::Turn turn_of(Part part) { return clock_.turn_of(part); }

  // ---- the loop (run.cpp)
  bool start();
  void open_books();
  void enter();
  bool tell_entry();
  bool find_accelerations();
  const Snapshot& seen() const { return evaluator_->now(); }  // at the instant last evaluated
  MotionStart motion_start() const { return {state_.t, state_.q, state_.v, seen().a, seen().lambda}; }
  void start_motion_here();
  void leave_motion();
  bool is_before(double t, double other) const;
  bool is_at_target() const;
  double limit_of_step();
  double limit_by_way();
  void leave_instant();
  void take_step();
  integrator::StepResult step_to(double limit);
  void rescue(const integrator::StepResult& step);
  void open_step(const integrator::StepResult& step);
  void find_event();
  void pass_event();
  void end_step();
  bool book_step(double t);
  bool is_due(double t) const;
  void keep_rows();
  void arrive(double t);
  void end();
  void fail(double t, const std::string& why);
  void fail_on_the_way(double t, const std::string& why);
  bool should_stop() const { return options_.should_stop && options_.should_stop(); }
  bool stopped(double t);
  void tell_interrupted(double t);
  void tell_time();
  std::string stuck_reason(const integrator::StepResult& step) const;
  void stand_still(double target);

  // ---- an instant (run_events.cpp)
  void pass_drive_jump();
  void end_left_of_jump();
  bool act(const formalism::State& before);
  bool act(const formalism::State& before, const std::function<Change()>& happen);
  bool tell();
  bool go_on(Change change);
  void find_drive_jumps();

  // ---- parameters that events set (run_model.cpp)
  bool replace_model();
  void take_over(std::shared_ptr<Prepared> next);
  bool jump_with_drives(Prepared& next);
  void warn_of_other_jumps();

  // ---- where the solver changes, or a step fails (run_rescue.cpp)
  void reconsider_solver(double t);
  void change_solver(double t, const std::optional<Choice>& to);
  bool restart();
  bool renew_constraints(double t);
  bool cross_singular_position(double t);
  bool cross_within(const formalism::State& origin);
  void warn_of_crossing();

  // ---- samples and books (run_records.cpp)
  const formalism::State& state_at(double t);
  const formalism::State& roughly_at(double t);
  void expect(double t);
  Evaluator::Borrowing factors_of_records();
  enum class Books { left, kept };
  struct Recording {
    int side = 0;
    Books books = Books::left;
    std::vector<double>* row = nullptr;  // see Recorder::About
    Recorder::About::Given given = Recorder::About::Given::now;
  };
  bool record(const formalism::State& s, int side = 0);
  bool record_at(const formalism::State& s, const Recording& as);
  bool record_within_step(const formalism::State& s, Recording as);
  bool record_beside_books(const formalism::State& at, const Recording& as);
  bool book_sample(const Snapshot& s);
  void close_books(double t);
  double caught_up();
  bool outputs_until(double t);
  bool look_before(double output, double t);
  bool show_until(double t);
  double output_time() const;
  const RunState* save_sample(double t);
  void save_sample(double t, const model::Model& model, const Hybrid& hybrid, RunState& to) const;
  void follow_tables(const formalism::State& s);
  void look_at_tables(const Snapshot& s);
  void doubt_contributions(const Snapshot& s);
  void add_work_until(double t);
  double work_up_to(double t);
  void judge_energy(double t);
  void book_end(double t);
  std::optional<double> energy_at(const formalism::State& s);
  void balance_until(double t);
  void book_jumps_until(double t);
  Running& running() { return books_.recorder.running(); }
  std::string accelerations_missing(double t) const;
  void warn(double t, Warning warning);
  void warn_of_new_starts();
  void warn_of_stiffness(double t);
  void warn_at_end();

  // ---- samples from the curve through others (run_thinned.cpp)
  void begin_thinning();
  bool pass_output(double t);
  bool solve_sample(double t);
  bool leave_out(double t);
  bool solve_left_out(ThinnedSamples::Sample& sample, CSpan foretold);
  void give_sample(const ThinnedSamples::Sample& sample, CSpan row, CSpan rates);
  enum class Which { decided, all };
  bool settle_samples(Which which);

  std::shared_ptr<const char> identity_ = std::make_shared<const char>();
  const model::Experiment experiment_;
  const RunOptions options_;
  Restoring restoring_;
  const double begun_;  // where the first of the runs began that go on from each other
  double target_;       // to where the run was asked to go
  RunState saved_;      // with the last sample
  Change entered_ = Change::none;
  std::vector<Happened> log_;
  model::Held held_before_;
  formalism::State at_instant_;
  std::optional<Look> look_;  // at t(), if anybody has asked
};

}  // namespace skyhook::simulation
