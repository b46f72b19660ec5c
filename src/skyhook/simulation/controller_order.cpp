#include "skyhook/simulation/controller_order.h"

#include <cmath>
#include <string>

#include "skyhook/model/signals.h"

namespace skyhook::simulation {
namespace {

using model::Controller;

// a = p g and b = q g with whole p and q, by Euclid's algorithm on floating-point numbers; 0: no such g is found.
double common_grid(double a, double b) {
  const double least = 1e-6 * std::min(a, b), rounding = 1e-9 * std::min(a, b);
  while (b > rounding) {
    const double rest = std::abs(std::remainder(a, b));
    a = b;
    b = rest;
    if (a < least) return 0;
  }
  return a;
}

int owner_of(int signal, const model::Model& model) {
  for (std::size_t i = 0; i < model.controllers.size(); ++i) {
    const Controller& c = model.controllers[i];
    if (signal >= c.first_signal && signal < c.first_signal + c.outputs) return static_cast<int>(i);
  }
  return -1;
}

// Depth first; `trail` holds the readers on the way, so that a circle can be named.
class Walk {
 public:
  explicit Walk(const model::Model& model) : model_(model), state_(model.controllers.size(), State::open) {}

  void visit(int reader) {
    if (state_[static_cast<std::size_t>(reader)] == State::done) return;
    trail_.push_back(reader);
    if (state_[static_cast<std::size_t>(reader)] == State::on_trail) report_loop();
    state_[static_cast<std::size_t>(reader)] = State::on_trail;
    for (const int source : sources_of(reader)) visit(source);
    state_[static_cast<std::size_t>(reader)] = State::done;
    trail_.pop_back();
    order.push_back(reader);
  }

  std::vector<int> order;

 private:
  enum class State { open, on_trail, done };

  const Controller& at(int index) const { return model_.controllers[static_cast<std::size_t>(index)]; }

  std::vector<int> sources_of(int reader) const {
    std::vector<int> sources;
    if (!at(reader).law->feeds_through()) return sources;
    for (const model::Output& input : at(reader).inputs) {
      const int source = owner_of(model::find_signal(model_, input.channel), model_);
      if (source >= 0 && at(source).delay == 0 && can_meet(at(source), at(reader))) sources.push_back(source);
    }
    return sources;
  }

  // The trail goes from reader to what it reads; signals flow the other way.
  [[noreturn]] void report_loop() const {
    std::string loop = at(trail_.back()).name;
    std::size_t i = trail_.size() - 1;
    do {
      loop = loop + " -> " + at(trail_[--i]).name;
    } while (trail_[i] != trail_.back());
    throw ModelError(
        at(trail_.back()).where, "controllers read each other in a circle: " + loop + ".",
        "At one instant each would need the output of the other. Give one of them a `delay`, or outputs that "
        "follow from its memory alone.");
  }

  const model::Model& model_;
  std::vector<State> state_;
  std::vector<int> trail_;
};

}  // namespace

bool can_meet(const Controller& a, const Controller& b) {
  const double grid = common_grid(std::max(a.sample_time, b.sample_time), std::min(a.sample_time, b.sample_time));
  return grid == 0 || std::abs(std::remainder(b.offset - a.offset, grid)) <= 1e-6 * grid;
}

std::vector<int> update_order(const model::Model& model) {
  Walk walk(model);
  for (std::size_t i = 0; i < model.controllers.size(); ++i) walk.visit(static_cast<int>(i));
  return walk.order;
}

}  // namespace skyhook::simulation
