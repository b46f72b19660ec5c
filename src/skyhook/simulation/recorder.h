// Evaluates samples and hands them to the sink.
#pragma once
#include <vector>

#include "skyhook/formalism/frame.h"
#include "skyhook/simulation/channel_resolution.h"
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/run_state.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

class Recorder {
 public:
  static constexpr double share_of_step = 1e-4;  // of the time between samples: that over which rates are found
  // `all_reactions`: those of every joint are recorded, not only where a channel asks for some.
  Recorder(const Equations& eq, const std::vector<Channel>& channels, Sink& sink, bool all_reactions);
  // From here on those of a model with other parameters.
  void use(const Equations& eq, const std::vector<Channel>& channels);

  // False: the accelerations could not be found, see Evaluator::blame(). `h`: a short time, for the rates of the channels.
  // `save` tells what else belongs to the sample, when all angles are known; it may have nothing. `stored`: the time that is written.
  using Save = std::function<const RunState*()>;
  bool record(Evaluator& evaluator, double t, CSpan q, CSpan v, double h, int side = 0, const Save& save = {},
              std::optional<double> stored = {});

  Running& running() { return running_; }
  const Running& running() const { return running_; }
  void begin_energy(const Snapshot& s);
  void save(Saving& to) const;
  // Angles that count turns, and if `with_energy` the books of energy, after begin_energy().
  void resume(Restoring& from, double t, bool with_energy);
  // The books of energy at an instant that need not be recorded: at the end of each step, so that what they miss does not depend on
  // the output times.
  void judge_energy(double kinetic, double potential);
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
  void choose_remembered();
  double exchanged() const;  // energy, so far
  double least_resolved(double tolerance) const;
  void measure(const Snapshot& s, std::vector<double>& out) const;
  void fill_state(const Snapshot& s);
  void fill_forces(const Snapshot& s);
  void judge(const Snapshot& s);
  void look_for_numbers(const Snapshot& s);
  void measure_rates(Evaluator& evaluator, double t, double h, bool at_start);
  enum class Level { motion, forces };  // motion: positions, velocities and energies
  bool evaluate_beside(Evaluator& evaluator, double t, Level level) const;
  bool shift(Evaluator& evaluator, double t, double by, Level level, std::vector<double>& out);
  bool may_have_jumped(double h) const;
  void remember(const Snapshot& s);

  const Equations* eq_;
  const std::vector<Channel>* channels_;
  Sink* sink_;
  Running running_;
  ChannelResolution resolution_;
  std::vector<int> place_of_force_;               // by contribution
  std::vector<char> of_forces_;                   // by channel: it needs accelerations or reactions
  std::vector<double> last_values_, last_rates_;  // of the sample before
  std::vector<double> y_, yp_, values_, rates_, curvatures_, before_, poses_, q_, v_, step_, a_, residuals_, reactions_,
      forces_;
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
  double power_ = 0;  // in the sample
  bool first_ = true, all_reactions_;
  bool with_reactions_ = true;  // in the samples
  struct Needs {                // of the channels
    bool reactions = false, accelerations = false, energies = false, work = false;
  } needs_;
};

}  // namespace skyhook::simulation
