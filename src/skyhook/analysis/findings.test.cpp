#include "skyhook/analysis/findings.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/memory_sink.h"

using namespace skyhook;
using formalism::testing::Linkage;

namespace {

struct PosesSink : simulation::MemorySink {
  std::vector<std::vector<double>> poses, forces;
  void sample(const simulation::Sample& s) override {
    MemorySink::sample(s);
    poses.emplace_back(s.poses.begin(), s.poses.end()), forces.emplace_back(s.forces.begin(), s.forces.end());
  }
};

}  // namespace

// A rod of 1 m and 1 kg that hangs from its end: it stands at (0, -1/2, 0) with its weight in the hinge; exact by statics.
TEST_CASE("Findings: samples of a result hold the position, the reactions and what was found") {
  Linkage l;
  l.rod("rod", {0, 0, 0}, {0, -1, 0});
  l.hinge("A", model::ground, 0, {0, 0, 0});
  const simulation::Prepared p = simulation::prepare(l.model, {});
  analysis::Findings f{.analysis = "response", .method = "by hand", .abscissa = {"frequency", "Hz"}};
  f.channels = {{"x.gain", "m/N"}}, f.json = "{}";
  f.warnings = {{"no_effect", {}, "a doubt"}};
  f.events = {{2, "crossing", "it grows", "rod", "crossing"}};
  const auto stand = std::make_shared<const analysis::Stand>(analysis::stand_at_rest(p.active, p.all, p.state, {}));
  for (const double s : {1.0, 2.0, 4.0}) f.points.push_back({s, {10 * s}, {}, stand});
  model::Experiment experiment;
  experiment.name = "shake";
  PosesSink sink;
  analysis::record(f, analysis::info_of(p, experiment), sink);

  CHECK(sink.info.analysis == "response");
  CHECK(sink.info.found == "{}");
  CHECK(sink.info.experiment == "shake");
  CHECK(sink.info.abscissa.name == "frequency");
  CHECK(sink.info.t_start == 1);
  CHECK(sink.info.t_end == 4);
  CHECK(sink.time == std::vector<double>{1, 2, 4});
  CHECK(sink.channels == std::vector<std::vector<double>>{{10}, {20}, {40}});
  REQUIRE(sink.poses[2].size() == 7);
  const Vec3d at = l.model->bodies[0].at;
  CHECK(std::hypot(sink.poses[2][0] - at.x, sink.poses[2][1] - at.y) < 1e-15);
  REQUIRE(sink.reactions[0].size() == 6);
  CHECK(std::abs(sink.reactions[0][1] - 9.81 * l.model->bodies[0].mass) < 1e-12);
  REQUIRE(sink.events.size() == 2);
  CHECK(sink.events[0].is_of_the_model());
  CHECK(sink.events[1].kind == simulation::EventRecord::warning);
  CHECK(sink.summary.status == simulation::RunStatus::finished);
  CHECK(sink.summary.events == 1);
}
