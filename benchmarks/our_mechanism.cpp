#include "our_mechanism.h"

#include <algorithm>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/simulate.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

// Drops everything but the last state.
struct LastState : simulation::Sink {
  std::vector<double> y;
  void begin(const simulation::RunInfo&) override {}
  void sample(const simulation::Sample& s) override { y.assign(s.y.begin(), s.y.end()); }
  void step(const simulation::StepRecord&) override {}
  void event(const simulation::EventRecord&) override {}
  void end(const simulation::RunSummary&) override {}
};

class OurMechanism : public MechanismSimulator {
 public:
  using Angles = std::function<std::vector<double>(const OurMechanism&)>;

  OurMechanism(const std::string& file, const std::string& experiment, const std::vector<io::Setting>& settings,
               Angles angles)
      : angles_(std::move(angles)) {
    auto model = std::make_shared<const model::Model>(
        io::read_model(SKYHOOK_MODELS "/mechanisms/" + file, settings, experiment));
    for (const auto& e : model->experiments) {
      if (e.name == experiment) experiment_ = e;
    }
    experiment_.output_step = experiment_.until - experiment_.from_time;
    prepared_ = simulation::prepare(model, experiment_);
    if (!prepared_.ok()) throw std::runtime_error(prepared_.problem());
  }

  MechanismRun run(double tolerance) override {
    experiment_.tolerance = tolerance;
    const double begin = now();
    const simulation::RunSummary summary = simulation::simulate(prepared_, experiment_, last_);
    MechanismRun out{summary.cost.seconds, now() - begin, summary.cost.steps, {}};
    if (summary.status == simulation::RunStatus::finished) out.angles = angles_(*this);
    return out;
  }

  // The angle of a hinge at the end, as the model file counts it.
  double angle(const std::string& hinge) const {
    const auto& names = prepared_.all->position_names();
    const auto found = std::find(names.begin(), names.end(), hinge + ".angle");
    if (found == names.end()) throw std::runtime_error("hinge " + hinge + " is not in the tree");
    const auto& joints = prepared_.model->joints;
    const auto joint = std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.name == hinge; });
    return last_.y[found - names.begin()] + joint->reference[0];
  }

 private:
  Angles angles_;
  model::Experiment experiment_;
  simulation::Prepared prepared_;
  LastState last_;
};

}  // namespace

std::unique_ptr<MechanismSimulator> our_andrews() {
  return std::make_unique<OurMechanism>("andrews.yaml", "squeeze", std::vector<io::Setting>{},
                                        [](const OurMechanism& m) {
                                          std::vector<double> out;
                                          for (int k = 1; k <= 7; ++k)
                                            out.push_back(m.angle("hinge_" + std::to_string(k)));
                                          return out;
                                        });
}

// The file counts cranks from upright and starts them at +180 deg, the reference from the x axis and at -90 deg.
std::unique_ptr<MechanismSimulator> our_four_bars(int n) {
  return std::make_unique<OurMechanism>(
      "n_four_bar.yaml", "swing", std::vector<io::Setting>{{"N", std::to_string(n)}}, [n](const OurMechanism& m) {
        auto name = [](const char* joint, int i) { return std::string(joint) + "[" + std::to_string(i) + "]"; };
        std::vector<double> out;
        for (int i = 0; i <= n; ++i) {
          const double crank = m.angle(name("pivot", i));
          out.push_back(crank - 1.5 * std::numbers::pi);
          if (i < n) out.push_back(crank + m.angle(name("pin", i + 1)));
        }
        return out;
      });
}

}  // namespace skyhook::bench
