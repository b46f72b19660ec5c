// Which formulation goes with which integrator, how well, and why. A pair is written
// "radau5/index2"; an integrator alone takes the formulation that suits it best.
#pragma once
#include <string>
#include <vector>

#include "skyhook/base/warning.h"
#include "skyhook/model/model.h"

namespace skyhook::simulation {

enum class Grade { recommended, works, study_only, refused };
const char* name_of(Grade grade);

enum class Integrator { bdf, ida, radau5, dopri5, adams, hem5, hht, generalised_alpha, two_loop };
enum class Formulation {
  ggl,
  ggl_explicit,
  index3,
  index2,
  index1,
  baumgarte,
  index2_projected,
  index1_projected,
  velocity_projected,
  projecting,
  partitioning
};
const std::string& name_of(Integrator integrator);
const std::string& name_of(Formulation formulation);

struct Solver {
  Integrator integrator = Integrator::bdf;
  Formulation formulation = Formulation::ggl;
  std::string name() const { return name_of(integrator) + "/" + name_of(formulation); }
  bool operator==(const Solver&) const = default;
};

struct GradedSolver {
  Solver solver;
  Grade grade = Grade::refused;
  std::string why;
};

// A name and one line about it.
struct Described {
  std::string name, help;
};
const std::vector<Described>& integrators();   // in the order of Integrator
const std::vector<Described>& formulations();  // in the order of Formulation

GradedSolver graded(const Solver& solver);
std::vector<GradedSolver> all_solvers();  // every pair, by integrator, best first
// Names of those that are recommended or work. Methods of order 2 apart: at tight tolerances they take steps without end.
std::vector<std::string> usable_solvers();
std::vector<std::string> usable_solvers_of_order_2();

// Options that the experiment gives although they mean nothing for the solver, or for an analysis that does not simulate.
std::vector<Warning> options_without_effect(const Solver& solver, const model::Experiment& experiment);
std::vector<Warning> options_without_effect(const model::Experiment& experiment);

// "auto" stays as it is. Throws ModelError for a name that is none and for a pair that is refused.
Solver find_solver(const std::string& text, const Location& where);

}  // namespace skyhook::simulation
