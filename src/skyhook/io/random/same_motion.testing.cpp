#include "skyhook/io/random/same_motion.testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "skyhook/simulation/turns.h"

namespace skyhook::io::testing {
namespace {

constexpr double tolerance = 1e-9;
constexpr double too_sensitive = 1e-5;  // m; what ten times the tolerance may change

// What a run needs to go on from a sample, beside its states.
struct KeepingSink : simulation::MemorySink {
  std::vector<simulation::RunState> kept;
  void sample(const simulation::Sample& s) override {
    simulation::MemorySink::sample(s);
    if (s.side == 0) kept.push_back(*s.run_state);
  }
};

struct Ran {
  std::string problem, expanded;
  KeepingSink sink;
};

struct Start {
  formalism::State state;
  simulation::RunState kept;
};

struct Wish {
  double tolerance = testing::tolerance;
  int samples = 20;
  const Start* start = nullptr;
};

std::vector<Setting> settings(const simulation::RunOptions::Changes& changes) {
  std::vector<Setting> set;
  for (const auto& [parameter, value] : changes) set.push_back({parameter, value});
  return set;
}

Ran run(const std::string& text, const Wish& wish = {}) {
  Ran out;
  try {
    const auto read = [text](const std::vector<Setting>& set) {
      return std::make_shared<model::Model>(read_model_text(text, "random.yaml", set, "run"));
    };
    const auto model = read(wish.start ? settings(wish.start->kept.parameters) : std::vector<Setting>{});
    out.expanded = model->expanded;
    model::Experiment e = *std::ranges::find(model->experiments, "run", &model::Experiment::name);
    e.solver = "radau5/ggl", e.tolerance = wish.tolerance, e.output_step = e.until / wish.samples;
    simulation::RunOptions options;
    if (wish.start) e.from_time = wish.start->state.t, options.from = &wish.start->kept;
    options.reread = [read](const auto& changes) { return read(settings(changes)); };
    const auto prepared = simulation::prepare(model, e, wish.start ? &wish.start->state : nullptr);
    out.problem = prepared.ok() ? simulation::simulate(prepared, e, out.sink, options).reason : prepared.problem();
  } catch (const ModelError& error) {
    out.problem = error.what();
  }
  return out;
}

Vec3d position(const Ran& r, std::size_t sample, const std::string& body) {
  const auto value = [&](const char* axis) {
    return r.sink.channels[sample][static_cast<std::size_t>(r.sink.find(body + axis))];
  };
  return {value(".x"), value(".y"), value(".z")};
}

// How `b` shows the motion of `a`: each `stride`-th sample from its first on, seen in axes T, names with a prefix.
struct View {
  Mat3d T = Mat3d::identity();
  std::string prefix = {};
  std::size_t stride = 1, first = 0;  // first: sample of `a` with which b begins
};

double difference(const RandomMechanism& m, const Ran& a, const Ran& b, const View& view) {
  double largest = 0;
  if ((b.sink.time.size() - 1) / view.stride != a.sink.time.size() - 1 - view.first) return HUGE_VAL;
  for (std::size_t k = view.first; k < a.sink.time.size(); ++k) {
    for (const Entry& body : m.bodies) {
      const Vec3d there = position(b, (k - view.first) * view.stride, view.prefix + body.name);
      largest = std::max(largest, norm(there - view.T * position(a, k, body.name)));
    }
  }
  return largest;
}

Mat3d mirror_at_y() {
  Mat3d T = Mat3d::identity();
  T[1][1] = -1;
  return T;
}

class Trials {
 public:
  explicit Trials(const RandomMechanism& m) : m_(m), text_(text_of(m)), own_(run(text_)) {
    const Ran looser = run(text_, {.tolerance = 10 * tolerance});
    out_.skipped = own_.problem.empty() ? looser.problem : own_.problem;
    if (out_.skipped.empty()) sensitivity_ = difference(m_, own_, looser, {});
    if (sensitivity_ > too_sensitive)
      out_.skipped = fmt::format("ten times the tolerance changes {:.2g} m", sensitivity_);
  }

  Changes all() {
    if (!out_.skipped.empty()) return out_;
    const Mat3d turn = axis_rotation(normalized(Vec3d{0.3, -0.7, 0.5}), 1.1);
    compare("order of lines", run(text_of(shuffled(m_, m_.seed))), {});
    if (!m_.loops.empty() && !sets_states()) compare("other cuts", run(text_of(cut_elsewhere(m_, m_.seed))), {});
    compare("other axes", run(text_of(turned(m_, turn))), {.T = turn});
    compare("template", run(part_text_of(m_, false)), {.prefix = "part."});
    compare("mirror image", run(part_text_of(m_, true)), {.T = mirror_at_y(), .prefix = "part."});
    // What `set` changes is a number in the expanded model.
    if (m_.parameters.empty()) add("expand", run(own_.expanded), {}, 0);
    // A restart begins with accelerations whose last bits depend on what was evaluated before. Else the motion is the same bit by bit, and what is
    // recorded of it depends on factors of other samples by a thousandth of the tolerance.
    add("twice the samples", run(text_, {.samples = 40}), {.stride = 2}, restarts() ? tolerance : 1e-3 * tolerance);
    from_the_middle();
    return out_;
  }

 private:
  void add(const std::string& change, const Ran& run, const View& view, double allowed) {
    ChangeResult r{.change = change, .problem = run.problem, .allowed = allowed};
    if (r.problem.empty()) r.difference = difference(m_, own_, run, view);
    out_.results.push_back(r);
  }
  void compare(const std::string& change, const Ran& run, const View& view) {
    add(change, run, view, 100 * tolerance + 10 * sensitivity_);
  }

  bool has_any(const std::vector<std::string>& features) const {
    return std::ranges::any_of(features, [this](const std::string& f) { return m_.has(f); });
  }
  bool restarts() const {
    return has_any({"controller", "event", "friction", "contact", "smooth contact", "stop", "table", "tyre"});
  }
  // Where a coordinate jumps the other coordinates of the tree keep their values, and which these are the cuts decide.
  bool sets_states() const {
    return std::ranges::any_of(m_.events, [](const Entry& e) {
      return std::ranges::any_of(e.fields,
                                 [](const auto& f) { return f.second.text.find("state:") != std::string::npos; });
    });
  }

  void from_the_middle() {
    constexpr std::size_t middle = 10;
    const auto& y = own_.sink.states[middle];
    const auto model = read_model_text(text_, "random.yaml", {}, "run");
    const auto prepared = simulation::prepare(std::make_shared<model::Model>(model), model.experiments[0]);
    const auto nq = static_cast<long>(prepared.state.q.size());
    const simulation::RunState& kept = own_.sink.kept[middle];
    const Start start{{own_.sink.time[middle],
                       {y.begin(), y.begin() + nq},
                       {y.begin() + nq, y.end()},
                       simulation::saved_turns(model, own_.sink.time[middle], kept)},
                      kept};
    compare("from the middle", run(text_, {.start = &start}), {.first = middle});
  }

  const RandomMechanism& m_;
  std::string text_;
  Ran own_;
  double sensitivity_ = 0;
  Changes out_;
};

}  // namespace

Changes try_changes(const RandomMechanism& mechanism) { return Trials(mechanism).all(); }

}  // namespace skyhook::io::testing
