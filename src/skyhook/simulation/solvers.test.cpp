#include "skyhook/simulation/solvers.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace skyhook;
using namespace skyhook::simulation;

namespace {

std::string error_of(const std::string& name) {
  try {
    find_solver(name, {"car.yaml", 7});
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Every pair has a grade and a reason, and every integrator a recommended formulation") {
  const auto all = all_solvers();
  CHECK(all.size() == integrators().size() * formulations().size());
  for (const auto& s : all) CHECK_MESSAGE(!s.why.empty(), s.solver.name());
  for (const auto& integrator : integrators()) {
    const Solver own = find_solver(integrator.name, {});
    CHECK(name_of(own.integrator) == integrator.name);
    CHECK_MESSAGE(graded(own).grade == Grade::recommended, own.name());
  }
}

TEST_CASE("BDF on index 3 is for studies only; HEM5 solves one formulation") {
  CHECK(graded({Integrator::ida, Formulation::index3}).grade == Grade::study_only);
  CHECK(graded({Integrator::hem5, Formulation::ggl}).grade == Grade::refused);
  CHECK(graded({Integrator::dopri5, Formulation::ggl}).grade == Grade::refused);
  const auto usable = usable_solvers();
  CHECK(std::ranges::count(usable, "ida/index3") == 0);
  CHECK(std::ranges::count(usable, "ida/ggl") == 1);
  CHECK(std::ranges::count(usable, "ida/ggl_explicit") == 1);
}

TEST_CASE("Wrong names say what is meant, where, and what there is") {
  CHECK(has(error_of("radau"), "car.yaml:7"));
  CHECK(has(error_of("radau"), "Did you mean \"radau5\"?"));
  CHECK(has(error_of("radau5/indx2"), "no formulation \"indx2\""));
  CHECK(has(error_of("radau5/indx2"), "Did you mean \"index2\"?"));
  CHECK(has(error_of("dopri5/ggl"), "dopri5 cannot solve ggl"));
  CHECK(has(error_of("dopri5/ggl"), "dopri5/projecting"));
  CHECK(has(error_of("dopri5/ggl"), "ida/ggl"));
  CHECK(has(error_of("radau5/ggl_explicit"), "radau5/ggl solves the same equations"));
  CHECK(has(error_of("ida/projecting"), "ordinary differential equation"));
  CHECK(has(error_of("ida/index1_projected"), "cannot be projected"));
  CHECK(has(error_of(""), "there is no solver \"\""));
  CHECK(has(error_of("ida/"), "no formulation \"\""));
}
