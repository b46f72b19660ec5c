#include "skyhook/model/signal_inputs.h"

#include <algorithm>
#include <unordered_map>

#include "skyhook/expression/quantity_formula.h"
#include "skyhook/model/contribution.h"

namespace skyhook::model {
namespace {

using Of = SignalInput::Of;
using What = SignalInput::What;

class Names {
 public:
  explicit Names(const Model& model) : model_(model) {}

  std::vector<Readable> all() {
    for (std::size_t k = 0; k < model_.bodies.size(); ++k) {
      begin(Of::body, k, model_.bodies[k].name);
      add_frame();
      add_vector("w", "rad/s", What::spin);
    }
    for (std::size_t k = 0; k < model_.markers.size(); ++k) begin(Of::marker, k, model_.markers[k].name), add_frame();
    for (std::size_t k = 0; k < model_.sensors.size(); ++k) {
      begin(Of::sensor, k, model_.sensors[k].name);
      add_vector("", "m", What::position), add_vector("v", "m/s", What::velocity);
      add_vector("w", "rad/s", What::spin);
      add("distance", "m", What::distance), add("distance_rate", "m/s", What::distance_rate);
    }
    for (std::size_t k = 0; k < model_.joints.size(); ++k) add_joint(k);
    for (std::size_t k = 0; k < model_.contributions.size(); ++k) add_element(k);
    for (std::size_t k = 0; k < model_.signals.size(); ++k)
      list_.push_back(
          {model_.signals[k].name, model_.signals[k].unit, {Of::controller, static_cast<int>(k), What::value}});
    return std::move(list_);
  }

 private:
  void begin(Of of, std::size_t thing, const std::string& name) {
    of_ = of, thing_ = static_cast<int>(thing), owner_ = name + ".";
  }
  void add(const std::string& quantity, const std::string& unit, What what, int part = 0) {
    list_.push_back({owner_ + quantity, unit, {of_, thing_, what, part}});
  }
  void add_vector(const std::string& stem, const std::string& unit, What what) {
    for (int k = 0; k < 3; ++k) add(stem + "xyz"[k], unit, what, k);
  }
  void add_frame() {
    add_vector("", "m", What::position), add_vector("v", "m/s", What::velocity);
    add_vector("angle_", "rad", What::cardan);
    constexpr const char* angles[] = {"yaw", "pitch", "roll"};
    for (int k = 0; k < 3; ++k) {
      add(angles[k], "rad", What::yaw_pitch_roll, k);
      add(std::string(angles[k]) + "_rate", "rad/s", What::yaw_pitch_roll_rate, k);
    }
  }
  void add_joint(std::size_t k) {
    begin(Of::joint, k, model_.joints[k].name);
    int scalar = 0;
    for (const Dof& dof : model_.joints[k].shape.dofs) {
      if (dof.kind == Dof::Kind::ball) {
        add_vector("w", "rad/s", What::spin);
        scalar += 3;
        continue;
      }
      const std::string unit = dof.is_angle() ? "rad" : "m";
      add(dof.name, unit, What::coordinate, scalar),
          add(dof.name + "_rate", unit + "/s", What::coordinate_rate, scalar);
      ++scalar;
    }
  }
  void add_element(std::size_t k) {
    const Contribution& what = model_.contributions[k];
    begin(Of::element, k, what.name);
    const auto add_states = [&](const std::vector<InnerState>& states) {
      for (std::size_t i = 0; i < states.size(); ++i)
        add(states[i].name, states[i].unit, What::state, static_cast<int>(i));
    };
    if (what.inner) add_states(what.inner->states());
    if (!what.law) return;
    add_states(what.law->declared().states);
    const auto& own = what.law->declared().coordinates;
    for (std::size_t i = 0; i < own.size(); ++i) {
      add(own[i].name, own[i].unit, What::coordinate, static_cast<int>(i));
      add(own[i].name + "_rate", own[i].unit + "/s", What::coordinate_rate, static_cast<int>(i));
    }
  }

  const Model& model_;
  Of of_ = Of::body;
  int thing_ = 0;
  std::string owner_;
  std::vector<Readable> list_;
};

std::string subject(const ContinuousSignal& signal) { return "signal \"" + signal.name + "\""; }

class Resolving {
 public:
  explicit Resolving(Model& model) : model_(model), known_(Names(model).all()), state_(model.continuous.size()) {
    for (std::size_t k = 0; k < known_.size(); ++k) place_.emplace(known_[k].name, k);
    for (std::size_t k = 0; k < model.continuous.size(); ++k) number_.emplace(model.continuous[k].name, k);
  }

  void run() {
    model_.continuous_order.clear();
    for (std::size_t k = 0; k < state_.size(); ++k) define(k);
    for (const ContinuousSignal& signal : model_.continuous) check_needs(signal);
    findings_.throw_if_any();
  }

 private:
  enum class State { open, being_made, made, failed };

  bool define(std::size_t k) {
    if (state_[k] == State::being_made) return tell_circle(k), false;
    if (state_[k] != State::open) return state_[k] == State::made;
    state_[k] = State::being_made;
    trail_.push_back(k);
    const bool ok = make(model_.continuous[k]);
    trail_.pop_back();
    state_[k] = ok ? State::made : State::failed;
    if (ok) model_.continuous_order.push_back(static_cast<int>(k));
    return ok;
  }

  bool make(ContinuousSignal& signal) {
    std::vector<expression::NamedQuantity> named;
    signal.inputs.clear();
    try {
      for (const std::string& name : expression::names_in(signal.text, signal.where)) {
        if (name == "t") continue;
        const auto read = find(name, signal);
        if (!read) return false;
        signal.inputs.push_back(read->input), named.push_back({name, read->unit});
      }
      const auto compiled = expression::compile_quantities(signal.text, named, model_.tables, signal.where);
      signal.formula = compiled.expression;
      signal.unit = compiled.unit;
      return true;
    } catch (const ModelError& error) {
      for (const Finding& f : error.findings()) findings_.add(f.where, subject(signal) + ": " + f.what, f.advice);
      return false;
    }
  }

  std::optional<Readable> find(const std::string& name, const ContinuousSignal& reader) {
    if (const auto at = place_.find(name); at != place_.end()) return known_[at->second];
    if (const auto at = number_.find(name); at != number_.end()) {
      if (!define(at->second)) return {};
      return Readable{
          name, model_.continuous[at->second].unit, {Of::signal, static_cast<int>(at->second), What::value}};
    }
    refuse(name, reader);
    return {};
  }

  void refuse(const std::string& name, const ContinuousSignal& reader) {
    const std::string what = subject(reader) + ": its formula reads \"" + name + "\", ";
    const std::size_t dot = name.rfind('.');
    const std::string owner = dot == std::string::npos ? "" : name.substr(0, dot + 1);
    std::vector<std::string> near, all;
    for (const Readable& r : known_) {
      all.push_back(r.name);
      if (!owner.empty() && r.name.starts_with(owner) && r.name.find('.', owner.size()) == std::string::npos)
        near.push_back(r.name);
    }
    for (const ContinuousSignal& signal : model_.continuous) all.push_back(signal.name);
    if (near.empty())
      findings_.add(reader.where, what + "which is neither a channel that signals read nor a parameter.",
                    suggest(name, all, "They read positions, velocities, inner states, t and other signals"));
    else
      findings_.add(
          reader.where, what + "which is no position, velocity or inner state.",
          suggest(name, near, "Signals read") +
              " Accelerations, forces and reactions follow from what the signal does: let it read a state that "
              "follows them, or a controller at its samples.");
  }

  void tell_circle(std::size_t k) {
    const auto begin = std::ranges::find(trail_, k);
    std::string path;
    for (auto at = begin; at != trail_.end(); ++at) path += "\"" + model_.continuous[*at].name + "\" -> ";
    const ContinuousSignal& own = model_.continuous[k];
    findings_.add(own.where, subject(own) + " depends on itself: " + path + "\"" + own.name + "\".",
                  "Give one of them a `rate` instead of a formula: a state that follows breaks the circle.");
  }

  void check_needs(const ContinuousSignal& signal) {
    for (const ContinuousSignal::Need& need : signal.needs) {
      if (signal.unit == "-" || parse_unit(signal.unit).dimension == parse_unit(need.unit).dimension) continue;
      findings_.add(need.where,
                    "\"" + need.who + "\" listens to the signal \"" + signal.name + "\", which is in " + signal.unit +
                        ", but " + need.unit + " is needed.",
                    "Multiply its formula by a gain with a unit, as in 200[N/m]*x.");
    }
  }

  Model& model_;
  std::vector<Readable> known_;
  std::unordered_map<std::string, std::size_t> place_, number_;
  std::vector<State> state_;
  std::vector<std::size_t> trail_;
  Findings findings_;
};

}  // namespace

std::vector<Readable> readables(const Model& model) { return Names(model).all(); }

void resolve_signals(Model& model) {
  if (!model.continuous.empty()) Resolving(model).run();
}

}  // namespace skyhook::model
