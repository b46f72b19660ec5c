// Every model of models/ in the coordinates of joints and in absolute ones: the begin of each experiment that simulates, from where it starts, equilibria and steady
// motions included. `skyhook_bench coordinates` runs longer pieces.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/analysis/in_joint_coordinates.h"
#include "skyhook/analysis/operating_point.h"
#include "skyhook/analysis/start.h"
#include "skyhook/formalism/transfer.h"
#include "skyhook/io/random/both_coordinates.testing.h"
#include "skyhook/simulation/describe.h"

using namespace skyhook;

namespace {

std::vector<std::filesystem::path> files_of_models() {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(SKYHOOK_SOURCE_DIR) + "/models")) {
    if (entry.path().extension() == ".yaml") out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

// A hundredth of each. Cars of a hundred bodies and constraints take minutes for a second at this tolerance.
TEST_CASE("Every experiment of models/ tells the same motion, energies and reactions in absolute coordinates") {
  int experiments = 0, vague = 0;
  double closest = 0;
  for (const auto& file : files_of_models()) {
    const model::Model m = io::read_model(file.string());
    const bool is_large = file.string().find("/road/sedan/") != std::string::npos ||
                          file.string().find("/road/hmmwv/") != std::string::npos ||
                          file.string().ends_with("/new/car.yaml");
    const io::testing::Piece piece{.share = 0.01, .most = is_large ? 0.01 : 1.0};
    for (const model::Experiment& e : m.experiments) {
      if (e.analysis != "simulate" || m.bodies.empty()) continue;
      CAPTURE(file.stem().string());
      CAPTURE(e.name);
      const auto both = io::testing::try_both_coordinates(file.string(), e.name, piece);
      ++experiments;
      CHECK_MESSAGE(both.skipped.empty(), both.skipped);
      CHECK_MESSAGE(both.is_same_within(piece), both.worst_motion << " differs by " << both.motion << " (error "
                                                                  << both.motion_error << "), " << both.worst_load
                                                                  << " by " << both.loads << " (error "
                                                                  << both.load_error << "). " << both.problem);
      vague += !(both.motion_error < 1e-4);
      closest = std::max({closest, both.motion / both.motion_bound(piece), both.loads / both.load_bound(piece)});
    }
  }
  MESSAGE(experiments << " experiments, of their bounds they reach at most " << closest);
  CHECK(experiments > 130);
  CHECK(vague <=
        6);  // wheels on measured rails, whose points of contact jump: the motion of such a run is known to 1e-3
}

namespace {

struct Found {
  simulation::Prepared prepared;
  analysis::Equilibrium equilibrium;
};
Found find_in(model::Coordinates coordinates, const std::string& name, const std::string& experiment) {
  const testing::Loaded loaded = testing::load(name, {.experiment = experiment});
  loaded.model->coordinates = coordinates;
  Found out{simulation::prepare(loaded.model, loaded.experiment), {}};
  out.equilibrium = analysis::find_equilibrium(out.prepared, {.motion = analysis::given_motion(loaded.experiment)});
  REQUIRE_MESSAGE(out.equilibrium.found, out.equilibrium.problem);
  return out;
}

// Where all bodies stand and how they move, in coordinates that both ways have.
formalism::State in_joints(const Found& found) {
  const auto there = analysis::prepared_at(found.prepared, found.equilibrium);
  const auto joint = analysis::in_joint_coordinates(found.prepared);
  return formalism::transfer(*there.all, found.equilibrium.state, *joint.all);
}

bool told_in_joints(const Found& found) {
  return std::ranges::count(found.equilibrium.warnings, "told_in_joints", &Warning::name) > 0;
}

}  // namespace

// Two routes: the search in the coordinates of joints alone, and one that is asked for absolute ones, in which wheels spin on cut joints (sedan), or in which Newton's
// method does not find the motion (metro).
TEST_CASE(
    "Steady motions of vehicles are found where absolute coordinates are asked for, and say in which they are told") {
  for (const auto& [name, experiment] : {std::pair{"road/sedan/sedan", "straight"}, std::pair{"rail/gz18", "travel"}}) {
    CAPTURE(name);
    const Found a = find_in(model::Coordinates::joint, name, experiment),
                b = find_in(model::Coordinates::absolute, name, experiment);
    CHECK(!told_in_joints(a));
    CHECK(told_in_joints(b));
    const formalism::State x = in_joints(a), y = in_joints(b);
    REQUIRE(x.q.size() == y.q.size());
    for (std::size_t i = 0; i < x.q.size(); ++i) CHECK(std::abs(x.q[i] - y.q[i]) < 1e-8);
    for (std::size_t i = 0; i < x.v.size(); ++i) CHECK(std::abs(x.v[i] - y.v[i]) < 1e-6 * (1 + std::abs(x.v[i])));
    CHECK(b.equilibrium.efforts.size() == a.equilibrium.efforts.size());
  }
}

// A run takes from a steady motion where its bodies are and how they move.
TEST_CASE("A run in absolute coordinates starts from a steady motion as one in those of joints does") {
  const auto start = [](model::Coordinates coordinates) {
    const testing::Loaded loaded = testing::load("road/sedan/sedan", {.experiment = "lane_changes"});
    loaded.model->coordinates = coordinates;
    auto out = analysis::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(out.ok(), out.problem());
    return out;
  };
  const auto a = start(model::Coordinates::joint), b = start(model::Coordinates::absolute);
  CHECK(simulation::coordinates_of(b) == "absolute");
  const formalism::State y = formalism::transfer(*b.all, b.state, *a.all);
  for (std::size_t i = 0; i < y.q.size(); ++i) CHECK(std::abs(a.state.q[i] - y.q[i]) < 1e-9);
  for (std::size_t i = 0; i < y.v.size(); ++i) CHECK(std::abs(a.state.v[i] - y.v[i]) < 1e-7 * (1 + std::abs(y.v[i])));
}

TEST_CASE(
    "What absolute coordinates leave in the tree is told: all of a vehicle on track joints, the bodies on tracks of "
    "the metro") {
  const auto prepared = [](const std::string& name) {
    const testing::Loaded loaded = testing::load(name);
    loaded.model->coordinates = model::Coordinates::absolute;
    return simulation::prepare(loaded.model, loaded.experiment);
  };
  const auto warned = [](const simulation::Prepared& p) {
    return std::ranges::count(p.warnings, "no_effect", &Warning::name);
  };
  const auto coach = prepared("rail/manchester/straight"), metro = prepared("rail/gz18"),
             car = prepared("road/iltis/iltis");
  CHECK(simulation::coordinates_of(coach) == "joint");
  CHECK(simulation::joints_that_stay(coach).size() == coach.model->bodies.size());
  CHECK(warned(coach) == 1);
  CHECK(simulation::coordinates_of(metro) == "joint and absolute");
  CHECK(simulation::joints_that_stay(metro).size() == 7);  // body, two frames, four wheelsets
  CHECK(warned(metro) == 0);
  CHECK(simulation::coordinates_of(car) == "absolute");
  CHECK(simulation::joints_that_stay(car).empty());
  CHECK(warned(car) == 0);
}
