// The channels of a model: everything that can be recorded, by name and with its unit.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/base/wildcard.h"
#include "skyhook/simulation/continued.h"
#include "skyhook/simulation/snapshot.h"

namespace skyhook::simulation {

// What builds up along a run and is no function of (t, q, v).
struct Running {
  double work = 0;  // by elements and drives that store no energy, since the start
  double start_energy = 0;
  std::vector<LastValues> last;  // by Channel::memory
};

struct ChannelFormula;  // formula_channels.h
using ChannelValue = std::function<double(const Snapshot&, const Running&)>;

struct Channel {
  std::string name, unit;
  ChannelValue value;
  bool of_reactions = false;  // depends on Snapshot::reactions or all_multipliers
  bool of_accelerations =
      false;  // or on what else Evaluator::evaluate_motion() leaves out: accelerations, energies, residuals
  bool of_energy = false;     // of accelerations alone in that it needs energies
  bool reads_energy = false;  // kinetic or potential
  bool of_work = false;       // depends on Running::work
  bool of_inner_state = false;
  bool is_way = false;       // along a line, as far as something has come: nothing that oscillates hides in it
  bool is_error = false;     // as ChannelInfo has it
  const char* meaning = "";  // one line of help
  // Its first and second time derivative where a snapshot with accelerations tells them; none: they are found by differences.
  ChannelValue rate = {}, curvature = {};
  // Of the contributions it reads the forces of these alone, by their numbers in the model; absent: nobody knows.
  std::optional<std::vector<std::size_t>> reads_forces = {};
  // Of an angle that goes round or a quaternion: which of Running::last holds its last value, and what takes that down.
  int memory = -1;
  std::function<void(const Snapshot&, LastValues&)> remember = {};
  std::vector<int> reads_memories = {};                     // of a formula: those of the channels in it
  std::shared_ptr<const ChannelFormula> formula = nullptr;  // none: it is no formula of others
};

// All channels, in a fixed order: bodies, markers, sensors, joints, rods, couplers, forces, signals of controllers, contacts,
// stick-slips, energy, constraints; then those that outputs define by formulas. Throws ModelError for a formula that is wrong.
std::vector<Channel> all_channels(const Equations& eq);
// How to have a formula where a channel is wanted.
extern const char* const instead_of_formula;

// Those that the outputs ask for, under the names given there. No outputs: a sensible selection.
// Throws ModelError for a pattern that matches nothing.
std::vector<Channel> choose_channels(const std::vector<Channel>& all, const std::vector<model::Output>& outputs);
// Memories of those that controllers and events read: they are kept whether or not these are recorded.
std::vector<int> remembered_inputs(const std::vector<Channel>& all, const model::Model& model);
// What to do about a channel that is not there: the nearest ones.
std::string advice_on_channel(const std::string& wrong, const std::vector<Channel>& all);

}  // namespace skyhook::simulation
