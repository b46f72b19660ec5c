#include "skyhook/simulation/solvers.h"

#include <algorithm>
#include <optional>

namespace skyhook::simulation {
namespace {

using enum Integrator;
using enum Formulation;

struct Row {
  Integrator integrator;
  Formulation formulation;
  Grade grade;
  const char* why;
};

constexpr Grade recommended = Grade::recommended, works = Grade::works, study = Grade::study_only;

// Everything that is not refused. The first of an integrator is its own choice.
constexpr Row known[] = {
    {bdf, ggl, recommended, "stiff or not, closed loops or not; every Jacobian strategy"},
    {bdf, ggl_explicit, works, "as ggl, with the explicit formalism: for cheap updates of the Jacobian"},
    {bdf, index2_projected, works, "fewer unknowns than ggl; may lose its way at singular positions"},
    {bdf, index1_projected, works, "its Jacobian is in part differenced; may lose its way at singular positions"},
    {bdf, baumgarte, study, "velocities may err by more than a hundred tolerances"},
    {bdf, index2, study, "the position constraints drift off linearly in time"},
    {bdf, index1, study, "the position constraints drift off quadratically in time"},
    {bdf, index3, study, "BDF with changing steps gives wrong multipliers, and often fails (Arnold 2004)"},
    {ida, ggl, recommended, "stiff or not, closed loops or not: the trusted reference"},
    {ida, ggl_explicit, works, "as ggl, with the explicit formalism: for cheap updates of the Jacobian"},
    {ida, baumgarte, study, "velocities may err by more than a hundred tolerances"},
    {ida, index2, study, "the position constraints drift off linearly in time"},
    {ida, index1, study, "the position constraints drift off quadratically in time"},
    {ida, index3, study, "BDF with changing steps gives wrong multipliers, and often fails (Arnold 2004)"},
    {radau5, ggl, recommended, "stiff models at tight tolerances; restarts at full order"},
    {radau5, index2_projected, works, "fewer unknowns than ggl; may lose its way at singular positions"},
    {radau5, index1_projected, works, "its Jacobian is in part differenced; may lose its way at singular positions"},
    {radau5, baumgarte, study, "at singular positions it takes up another motion, or fails"},
    {radau5, index2, study, "the position constraints drift off linearly in time"},
    {radau5, index1, study, "the position constraints drift off quadratically in time"},
    {radau5, index3, study, "needs a Newton tolerance kappa of 1e-5 or less (Arnold 2004, section 4)"},
    {dopri5, projecting, recommended,
     "models that are not stiff; projects the positions only when needed (Simeon 1996)"},
    {dopri5, index1_projected, works, "projects the positions after each step: exact, at a little more cost"},
    {dopri5, partitioning, works, "as few unknowns as degrees of freedom; constraints hold to rounding"},
    {dopri5, baumgarte, works, "constraint errors decay, but not to zero"},
    {dopri5, velocity_projected, study, "the position constraints drift off slowly (Simeon 1996)"},
    {dopri5, index1, study, "the position constraints drift off quadratically in time"},
    {adams, projecting, recommended, "models that are not stiff, expensive to evaluate, at tight tolerances"},
    {adams, index1_projected, works, "projects the positions after each step: exact, at a little more cost"},
    {adams, partitioning, works, "as few unknowns as degrees of freedom; constraints hold to rounding"},
    {adams, baumgarte, study, "at singular positions it may take up another motion"},
    {adams, velocity_projected, study, "the position constraints drift off slowly (Simeon 1996)"},
    {adams, index1, study, "the position constraints drift off quadratically in time"},
    {hem5, index2_projected, recommended, "models that are not stiff; needs no second derivatives of constraints"},
    {generalised_alpha, ggl, recommended,
     "vibrations far above the step are damped as `rho_infinity` says; order 2: for loose tolerances"},
    {generalised_alpha, index3, study,
     "velocities leave their constraints, and multipliers are disturbed where the step changes"},
    {hht, ggl, recommended, "as generalised_alpha, with the damping of `hht_alpha` that users of other codes know"},
    {hht, index3, study, "velocities leave their constraints, and multipliers are disturbed where the step changes"},
    {two_loop, partitioning, recommended,
     "no Jacobian of the integrator's own; constraints hold to rounding; order 2: for loose tolerances"},
};

// Which option applies to which integrators and formulations; empty: to all.
struct OptionRow {
  const char *option, *integrators, *formulations, *what;
};
constexpr OptionRow options[] = {
    {"jacobian", "bdf ida radau5 hht generalised_alpha", "",
     "only implicit integrators have a Jacobian: bdf, ida, radau5, hht, generalised_alpha"},
    {"kappa", "bdf ida radau5 hht generalised_alpha two_loop", "",
     "it belongs to Newton's iteration, which only implicit integrators have"},
    {"rho_infinity", "generalised_alpha", "", "it belongs to generalised_alpha"},
    {"hht_alpha", "hht two_loop", "", "it belongs to hht, and to two_loop with `formula: hht`"},
    {"formula", "two_loop", "", "it belongs to two_loop"},
    {"outer_loop", "two_loop", "", "it belongs to two_loop"},
    {"krylov_depth", "two_loop", "", "it belongs to two_loop"},
    {"step_exponent", "two_loop", "", "it belongs to two_loop"},
    {"max_order", "bdf ida adams", "", "only bdf, ida and adams choose their order"},
    {"baumgarte", "", "baumgarte", "it belongs to the formulation baumgarte"},
    {"metric", "", "index2_projected index1_projected velocity_projected projecting",
     "it belongs to formulations that project"},
};
// Those of time integration, which an equilibrium does not need.
constexpr const char* options_of_runs =
    "until output_step tolerance absolute_tolerance solver jacobian largest_step max_order kappa baumgarte metric from "
    "rho_infinity hht_alpha formula outer_loop krylov_depth step_exponent";

bool is_among(const std::string& name, const char* list) {
  const auto words = words_of(list);
  return words.empty() || std::ranges::find(words, name) != words.end();
}

bool is_explicit(Integrator integrator) { return integrator == dopri5 || integrator == adams; }

bool is_newmark(Integrator integrator) { return integrator == hht || integrator == generalised_alpha; }

bool is_ordinary(Formulation formulation) {
  return formulation == projecting || formulation == partitioning || formulation == velocity_projected;
}

std::string why_refused(const Solver& s) {
  if (is_newmark(s.integrator))
    return "it works on increments of positions, for which the forms ggl and index3 are there";
  if (s.integrator == two_loop)
    return "two_loop satisfies constraints by an inner loop of its own, which is partitioning";
  if (s.integrator == hem5) return "hem5 is a half-explicit method for index 2: it brings its own projection";
  if (is_explicit(s.integrator))
    return "it holds equations without derivatives, which only an implicit method can solve";
  if (s.formulation == ggl_explicit)
    return "it only serves updates of the Jacobian that radau5 does not make; radau5/ggl solves the same equations";
  if (is_ordinary(s.formulation))
    return "it is an ordinary differential equation without a Jacobian, for explicit methods and two_loop";
  return "IDA keeps a history of past values that must not be moved, so it cannot be projected";
}

// The type that a name stands for; `list` is in its order.
template <class Type>
std::optional<Type> find(const std::vector<Described>& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, &Described::name);
  if (found == list.end()) return {};
  return static_cast<Type>(found - list.begin());
}

std::vector<std::string> names_of(const std::vector<Described>& list) {
  std::vector<std::string> names;
  for (const auto& d : list) names.push_back(d.name);
  return names;
}

bool is_of_order_2(Integrator integrator) { return is_newmark(integrator) || integrator == two_loop; }

std::vector<std::string> names_of_usable(bool of_order_2) {
  std::vector<std::string> names;
  for (const Row& row : known) {
    if (row.grade <= Grade::works && is_of_order_2(row.integrator) == of_order_2)
      names.push_back(Solver{row.integrator, row.formulation}.name());
  }
  return names;
}

// "Solvers that fit: ida/ggl, ..."
std::string fitting(const Solver& wanted) {
  std::string out;
  for (const Row& row : known) {
    if (row.integrator != wanted.integrator && row.formulation != wanted.formulation) continue;
    out += (out.empty() ? "Pairs that fit: " : ", ") + Solver{row.integrator, row.formulation}.name();
  }
  return out + ". `skyhook solvers` shows them all.";
}

}  // namespace

const char* name_of(Grade grade) {
  constexpr const char* names[] = {"recommended", "works", "study only", "refused"};
  return names[static_cast<int>(grade)];
}

const std::string& name_of(Integrator integrator) { return integrators()[static_cast<std::size_t>(integrator)].name; }
const std::string& name_of(Formulation formulation) {
  return formulations()[static_cast<std::size_t>(formulation)].name;
}

const std::vector<Described>& integrators() {
  static const std::vector<Described> list = {
      {"bdf", "BDF of order 1-5 with variable step (our own)"},
      {"ida", "BDF of order 1-5 with variable step (SUNDIALS IDA)"},
      {"radau5", "implicit Runge-Kutta method of order 5 (Radau IIA, 3 stages)"},
      {"dopri5", "explicit Runge-Kutta method of order 5(4) (Dormand-Prince)"},
      {"adams", "explicit predictor-corrector of order 1-12 (Shampine-Gordon)"},
      {"hem5", "half-explicit Runge-Kutta method of order 5 (Brasey)"},
      {"hht", "Hilber-Hughes-Taylor, of Newmark's family: order 2, damps what the step does not resolve"},
      {"generalised_alpha", "generalised-alpha method (Chung-Hulbert), of Newmark's family: order 2, as hht"},
      {"two_loop", "two-loop implicit method (Aboubakr-Shabana): Park, BDF2, trapezoidal or HHT, Newton-Krylov"}};
  return list;
}

const std::vector<Described>& formulations() {
  static const std::vector<Described> list = {
      {"ggl", "stabilised index 2 (Gear-Gupta-Leimkuhler): position and velocity constraints"},
      {"ggl_explicit", "ggl with the accelerations solved for, by the explicit formalism"},
      {"index3", "position constraints only"},
      {"index2", "velocity constraints only"},
      {"index1", "acceleration constraints only"},
      {"baumgarte", "acceleration constraints with feedback of position and velocity errors"},
      {"index2_projected", "velocity constraints; positions are moved back after each step"},
      {"index1_projected", "acceleration constraints; positions and velocities are moved back after each step"},
      {"velocity_projected", "acceleration constraints; velocities are moved back after each step"},
      {"projecting", "acceleration constraints; velocities are moved back after each step, positions when needed"},
      {"partitioning", "independent coordinates only, chosen and renewed automatically"}};
  return list;
}

GradedSolver graded(const Solver& solver) {
  for (const Row& row : known) {
    if (solver.integrator == row.integrator && solver.formulation == row.formulation)
      return {solver, row.grade, row.why};
  }
  return {solver, Grade::refused, why_refused(solver)};
}

std::vector<GradedSolver> all_solvers() {
  std::vector<GradedSolver> out;
  for (std::size_t i = 0; i < integrators().size(); ++i) {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    for (std::size_t k = 0; k < formulations().size(); ++k)
      out.push_back(graded({static_cast<Integrator>(i), static_cast<Formulation>(k)}));
    std::ranges::stable_sort(out.begin() + first, out.end(), {}, &GradedSolver::grade);
  }
  return out;
}

std::vector<std::string> usable_solvers() { return names_of_usable(false); }
std::vector<std::string> usable_solvers_of_order_2() { return names_of_usable(true); }

std::vector<Warning> options_without_effect(const Solver& solver, const model::Experiment& e) {
  std::vector<Warning> out;
  const std::string &integrator = name_of(solver.integrator), &formulation = name_of(solver.formulation);
  for (const auto& [name, where] : e.given) {
    for (const OptionRow& row : options) {
      if (name != row.option) continue;
      if (is_among(integrator, row.integrators) && is_among(formulation, row.formulations)) continue;
      out.push_back({"no_effect", where,
                     "`" + name + "` means nothing for the solver " + solver.name() + ": " + row.what + ".",
                     "Remove it, or choose another solver."});
    }
    const int highest = solver.integrator == adams ? 12 : 5;  // see integrator::Options
    if (name == "max_order" && is_among(integrator, "bdf ida adams") && e.max_order > highest)
      out.push_back({"no_effect", where,
                     "`max_order` is " + std::to_string(e.max_order) + ", but " + integrator + " knows orders up to " +
                         std::to_string(highest) + " only.",
                     "Give at most " + std::to_string(highest) + "."});
  }
  return out;
}

std::vector<Warning> options_without_effect(const model::Experiment& e) {
  std::vector<Warning> out;
  // Linear systems are those of an equilibrium, which `from` may name, or of an instant of a run.
  const bool is_linear = is_among(e.analysis, "modes linearize response");
  const bool runs = is_linear && std::ranges::any_of(e.given, [](const auto& g) { return g.first == "at"; });
  for (const auto& [name, where] : e.given) {
    if (!is_among(name, options_of_runs) || runs || (is_linear && name == "from")) continue;
    out.push_back(
        {"no_effect", where, "`" + name + "` means nothing for `analysis: " + e.analysis + "`.", "Remove it."});
  }
  return out;
}

Solver find_solver(const std::string& text, const Location& where) {
  const std::size_t slash = text.find('/');
  const std::string of_integrator = text.substr(0, slash);
  const auto integrator = find<Integrator>(integrators(), of_integrator);
  if (!integrator) {
    auto names = names_of(integrators());
    names.push_back("auto");
    throw ModelError(where, "there is no solver \"" + text + "\".", suggest(of_integrator, names, "Solvers"));
  }
  if (slash == std::string::npos)
    return {*integrator, std::ranges::find(known, *integrator, &Row::integrator)->formulation};
  const std::string of_formulation = text.substr(slash + 1);
  const auto formulation = find<Formulation>(formulations(), of_formulation);
  if (!formulation) {
    throw ModelError(where, "there is no formulation \"" + of_formulation + "\" (solver \"" + text + "\").",
                     suggest(of_formulation, names_of(formulations()), "Formulations"));
  }
  const GradedSolver g = graded({*integrator, *formulation});
  if (g.grade == Grade::refused) {
    throw ModelError(where,
                     "the solver \"" + text + "\" does not work: " + of_integrator + " cannot solve " + of_formulation +
                         ": " + g.why + ".",
                     fitting(g.solver));
  }
  return g.solver;
}

}  // namespace skyhook::simulation
