// What the command line says of a comparison. ModelError where it makes no sense.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace skyhook::analysis {

// Between these, double precision and an error test both mean something.
constexpr double tightest_tolerance = 1e-14, loosest_tolerance = 0.1;

// To six digits, as one would write it: 1e-05 and not 1.0000000000000001e-05.
double rounded(double tolerance);

// "1e-3..1e-9" each decade, "1e-3..1e-9:2" two values a decade, "1e-4,1e-6", or several of these with commas. Loosest first,
// none twice; the end of a range belongs to it if a value hits it.
std::vector<double> parse_tolerances(const std::string& text);

// The solvers there are, by what `--solvers` may mean; full names.
struct SolverNames {
  std::vector<std::string> recommended;  // what an empty text means
  std::vector<std::string> working;      // the recommended and all others that patterns reach, best first
  std::vector<std::string> study;        // those that a pattern reaches only if it matches none that works
  // The full name of one as it was written: "ida/ggl" of "ida". ModelError if there is none, or if it is refused.
  std::function<std::string(const std::string& written)> resolve;
};

// "ida,radau5/ggl", with patterns as "radau5/*"; "all" is "*". Full names in the order given, none twice.
std::vector<std::string> expand_solvers(const std::string& text, const SolverNames& names);

// Names of Jacobian strategies with commas; empty or "all": all there are, dense differences first, since others are measured
// against them.
std::vector<std::string> parse_jacobians(const std::string& text);

struct SolverAtTolerance {
  std::string solver;
  double tolerance = 0;
  std::string jacobian = {};  // empty: the experiment's
};

// "radau5/ggl@1e-11"
SolverAtTolerance parse_reference(const std::string& text, const SolverNames& names);

}  // namespace skyhook::analysis
