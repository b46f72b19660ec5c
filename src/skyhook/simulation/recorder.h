// Evaluates samples and hands them to the sink.
#pragma once
#include <vector>

#include "skyhook/formalism/frame.h"
#include "skyhook/simulation/channel_resolution.h"
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/formula_inputs.h"
#include "skyhook/simulation/rate_trial.h"
#include "skyhook/simulation/run_state.h"
#include "skyhook/simulation/sampled_rates.h"
#include "skyhook/simulation/sink.h"
#include "skyhook/simulation/thinned_samples.h"

namespace skyhook::simulation {

class Recorder {
 public:
  static constexpr double share_of_step = 1e-4;  // of the time between samples: that over which rates are found
  // `all_reactions`: those of every joint are recorded, not only where a channel asks for some. `all`: every channel that there is; null:
  // they are listed here.
  Recorder(const Equations& eq, const std::vector<Channel>& channels, Sink& sink, bool all_reactions,
           const std::vector<Channel>* all = nullptr);
  // From here on those of a model with other parameters.
  void use(const Equations& eq, const std::vector<Channel>& channels, const std::vector<Channel>& all);

  // What a sample is besides its state.
  struct About {
    int side = 0;
    std::function<const RunState*()> save =
        {};  // what else belongs to it, when all angles are known; it may have nothing
    std::function<void(const Snapshot&)> look = {};  // at what was found, with accelerations
    // Takes down the power there, for which it has the energies and the forces of drives too, before channels are asked. False: it has looked
    // elsewhere, evaluate again.
    std::function<bool(const Snapshot&)> book = {};
    std::optional<double> stored = {};   // the time that is written; else that of the state
    std::vector<double>* row = nullptr;  // takes all numbers of the sample
    // later: see give(); rates that no snapshot tells are not looked for. late: the same, behind samples of later times; angles that go round stay
    // where they are known there.
    enum class Given { now, later, late } given = Given::now;
  };
  // False: the accelerations could not be found, see Evaluator::blame(). `h`: a short time, for the rates of the channels.
  bool record(Evaluator& evaluator, double t, CSpan q, CSpan v, double h, const About& about);

  // Between the last sample and that at t, to see whether rates are worth to be looked for; none: it is not asked.
  std::optional<double> middle_before(double t) const;
  bool look_between(Evaluator& evaluator, double t, CSpan q, CSpan v);  // as record()
  long without_rates() const { return without_rates_; }                 // samples, so far

  // A sample whose numbers are known, from a snapshot or from the curve through others, and the rates of the channels by that curve. Of a sample from the curve formulas are evaluated, poses and
  // the residuals of its state.
  struct Known {
    double t, stored;
    bool is_solved;
    CSpan row, rates;
  };
  using Residuals = std::function<void(CSpan q, CSpan v, Span residuals)>;
  void give(const Known& sample, Evaluator& evaluator, const Residuals& residuals, const RunState* run_state);
  ThinnedSamples::Columns columns() const;  // of rows
  long given() const { return given_; }     // samples, so far
  template <class Row>
  auto saved_in(Row&& row) const {
    return std::span(row).subspan(columns_checked_, saved());
  }  // what save() puts, the work first

  Running& running() { return running_; }
  const Running& running() const { return running_; }
  void begin_energy(const Snapshot& s);
  void save(Saving& to) const;
  // Angles that count turns, and if `with_energy` the books of energy, after begin_energy().
  void resume(Restoring& from, double t, bool with_energy);
  // The books of energy at the ends of steps and at events, so that what they miss does not depend on the output times.
  struct Energies {
    double t = 0, kinetic = 0, potential = 0;
    const model::Contribution* without = nullptr;  // whose energy is no finite number
  };
  static Energies energies_of(const Snapshot& s) { return {s.t, s.kinetic, s.potential, s.without_energy}; }
  void judge_energy(const Energies& now);
  double exchanged() const;                        // energy, so far
  bool shows_work() const { return needs_.work; }  // some channel
  // |energy balance| relative to the energy that was exchanged, or to what the absolute tolerance resolves of it.
  double closure(double tolerance) const;
  // Channels that the samples do not show.
  std::vector<Warning> coarse_channels(double output_step, double tolerance) const {
    return resolution_.warnings(*channels_, output_step, tolerance, exchanged());
  }
  double position_residual() const { return position_residual_; }
  double velocity_residual() const { return velocity_residual_; }
  // Of what was recorded; of jumping angles only where somebody has asked for them.
  std::vector<Warning> warnings(bool outputs_are_given) const;

 private:
  void choose_remembered(const std::vector<Channel>& all);
  void choose_moved();
  double least_resolved(double tolerance) const;
  Eval evaluate(Evaluator& evaluator, double t, bool with_energies, bool with_drives);
  void fill_channels(const Snapshot& s);
  void fill_state(const Snapshot& s);
  void fill_forces(const Snapshot& s);
  void judge(const Snapshot& s);
  void look_for_numbers(double t);
  enum class At { start, event, sample };
  void measure_rates(Evaluator& evaluator, double t, double h, At at);
  bool find_sampled_rates(double t);
  void measure_curvatures(Evaluator& evaluator, double t, double h);
  enum class Level { motion, forces };  // motion: positions, velocities and energies
  // Channels whose rates are found by differences, and what they ask for.
  struct Moved {
    std::vector<std::size_t> channels = {};
    bool reactions = false, accelerations = false, energies = false, work = false;
    std::vector<char> forces = {};  // marked, by contribution: those that they read; empty: all
    bool any_forces() const { return reactions || accelerations; }
  };
  Moved moved_where(const std::function<bool(const Channel&)>& is_moved) const;
  void measure_beside(const Moved& moved, bool with_curvatures, bool at_start, Evaluator& evaluator, double t,
                      double h);
  bool evaluate_beside(const Moved& moved, Evaluator& evaluator, double t, Level level) const;
  bool shift(const Moved& moved, Evaluator& evaluator, double t, double by, Level level, std::vector<double>& out);
  bool may_have_jumped(const Moved& moved, bool of_forces, double h) const;
  double along_curve(std::size_t channel, double forward, double t, double h) const;
  void remember(const Snapshot& s);
  void find_known_rates(const Snapshot& s);
  void leave_out_rates();
  void fill_poses(const Snapshot& s);
  void complete(double t, Evaluator& evaluator, const Residuals& residuals);
  void take_row(std::vector<double>& row) const;
  std::size_t saved() const;  // numbers
  template <class Visit>
  void for_each_number_saved(Visit&& visit) const;

  const Equations* eq_;
  const std::vector<Channel>* channels_;
  Sink* sink_;
  Running running_;
  ChannelResolution resolution_;
  std::vector<int> place_of_force_;               // by contribution
  std::vector<char> of_forces_;                   // by channel: it needs accelerations or reactions
  std::vector<double> last_values_, last_rates_;  // of the sample before
  double last_t_ = 0;
  std::vector<double> y_, yp_, values_, rates_, curvatures_, ahead_, before_, poses_, q_, v_, step_, a_, residuals_,
      reactions_, forces_;
  FormulaInputs formulas_;
  std::vector<double> inputs_;            // of these
  Moved moved_, curved_, bent_;           // without a rate; or without a curvature; positions without one
  SampledRates sampled_;                  // of the former
  RateTrial trial_;                       // of these
  bool drops_rates_ = false;              // in the sample
  std::vector<Channel> remembered_;       // one for each memory that is kept
  std::vector<formalism::Frame> frames_;  // of bodies
  double closure_ = 0, lowest_ = 0, highest_ = 0, most_kinetic_ = 0;
  double position_residual_ = 0, velocity_residual_ = 0;
  // Channels, and a force by its energy, that were no finite numbers; where that began.
  struct NoNumber {
    std::string name;
    double t = 0;
    Location where = {};
  };
  std::vector<NoNumber> channels_without_number_, energies_without_number_;
  static void note(std::vector<NoNumber>& list, const std::string& name, double t, const Location& where);
  std::size_t columns_checked_ = 0;  // of a row: states, their rates, channels, what formulas read, reactions, forces
  std::vector<char> no_forces_;      // none is marked
  long given_ = 0, without_rates_ = 0;
  double power_ = 0;  // in the sample
  bool first_ = true, all_reactions_;
  bool with_reactions_ = true;  // in the samples
  struct Needs {                // of the channels
    bool reactions = false, energies = false, work = false;
  } needs_;
};

}  // namespace skyhook::simulation
