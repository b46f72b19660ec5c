#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "our_mechanism.h"
#include "peers/peer_simbody.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double wanted_error = 1e-4;  // rad
constexpr int rounds = 5;
constexpr double patience = 5.0;  // s: a run that has taken this long in all is not repeated
constexpr double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
constexpr double simbody_finest = 1e-7;

struct Mechanism {
  std::string key, title;
  std::unique_ptr<MechanismSimulator> ours, simbody;
  std::vector<double> reference;
  double goal;  // of Simbody's time; 0: none
};

struct WorkPoint {
  double seconds = missing, seconds_in_all = missing, error = missing;  // least times
  long steps = 0;
  double spent = 0;
};

double error_of(const std::vector<double>& angles, const std::vector<double>& reference) {
  double most = angles.empty() ? missing : 0;
  for (std::size_t i = 0; i < angles.size(); ++i) most = std::max(most, std::abs(angles[i] - reference[i]));
  return most;
}

void measure(MechanismSimulator* simulator, double tolerance, const std::vector<double>& reference, WorkPoint& p) {
  if (!simulator || p.spent > patience) return;
  const MechanismRun run = simulator->run(tolerance);
  p.seconds = std::fmin(p.seconds, run.seconds), p.seconds_in_all = std::fmin(p.seconds_in_all, run.seconds_in_all);
  p.error = error_of(run.angles, reference), p.steps = run.steps, p.spent += run.seconds_in_all;
}

// Time at which a curve reaches the wanted error: between the last two neighbouring tolerances that enclose it, on
// logarithmic axes; where none do, the cheapest run that is good enough. The last: a lucky coarse run does not count.
double time_to_wanted_error(const std::vector<WorkPoint>& curve, double WorkPoint::*seconds) {
  for (std::size_t k = curve.size(); k-- > 1;) {
    const WorkPoint &coarse = curve[k - 1], &fine = curve[k];
    if (!(coarse.error > wanted_error && fine.error <= wanted_error)) continue;
    const double part = std::log(coarse.error / wanted_error) / std::log(coarse.error / fine.error);
    return coarse.*seconds * std::pow(fine.*seconds / coarse.*seconds, part);
  }
  double cheapest = missing;
  for (const WorkPoint& p : curve) {
    if (p.error <= wanted_error) cheapest = std::fmin(cheapest, p.*seconds);
  }
  return cheapest;
}

Table curves(const std::vector<WorkPoint>& ours, const std::vector<WorkPoint>& simbody) {
  Table table;
  table.add_column("tolerance");
  table.add_column("Skyhook integrator", "ms", 4);
  table.add_column("Skyhook run", "ms", 4);
  table.add_column("steps");
  table.add_column("error", "rad", 3);
  table.add_column("Simbody", "ms", 4);
  table.add_column("Simbody steps");
  table.add_column("Simbody error", "rad", 3);
  for (std::size_t k = 0; k < ours.size(); ++k) {
    const WorkPoint &a = ours[k], &b = simbody[k];
    table.add_row({tolerances[k], 1e3 * a.seconds, 1e3 * a.seconds_in_all, a.steps, a.error, 1e3 * b.seconds,
                   b.steps > 0 ? static_cast<double>(b.steps) : missing, b.error});
  }
  return table;
}

}  // namespace

void time_to_accuracy(Report& report) {
  std::vector<Mechanism> mechanisms;
  mechanisms.push_back(
      {"andrews", "Andrews' mechanism, 0.03 s", our_andrews(), simbody_andrews(), andrews_reference(), 0.1});
  mechanisms.push_back({"four_bars_4", "Four four-bars swinging, 10 s", our_four_bars(4), simbody_four_bars(4),
                        four_bars_reference(4), 0});
  mechanisms.push_back({"four_bars_40", "Forty four-bars swinging, 10 s", our_four_bars(40), simbody_four_bars(40),
                        four_bars_reference(40), 0.02});

  Table summary;
  summary.add_column("mechanism");
  for (const char* who : {"Skyhook integrator", "Skyhook run", "Simbody"}) summary.add_column(who, "ms", 4);
  summary.add_column("integrator / Simbody", "", 3);
  summary.add_column("run / Simbody", "", 3);
  summary.add_column("goal");
  for (const Mechanism& m : mechanisms) {
    std::vector<WorkPoint> ours(std::size(tolerances)), simbody(ours);
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t k = 0; k < ours.size(); ++k) {
        measure(m.ours.get(), tolerances[k], m.reference, ours[k]);
        if (tolerances[k] >= 0.99 * simbody_finest) measure(m.simbody.get(), tolerances[k], m.reference, simbody[k]);
      }
    }
    report.add(m.key, m.title + ": time and largest error of the angles at the end", curves(ours, simbody));
    const double integrator = time_to_wanted_error(ours, &WorkPoint::seconds),
                 run = time_to_wanted_error(ours, &WorkPoint::seconds_in_all);
    const double theirs = time_to_wanted_error(simbody, &WorkPoint::seconds);
    summary.add_row(
        {m.title, 1e3 * integrator, 1e3 * run, 1e3 * theirs, integrator / theirs, run / theirs,
         m.goal > 0 ? report.judge("time to accuracy, " + m.title, run / theirs, m.goal, "Simbody") : std::string()});
  }
  report.add(
      "time_to_accuracy",
      fmt::format(
          "Time until the error is {:g} rad. A run is simulate() with set-up and output; Simbody: stepping alone",
          wanted_error),
      summary);
}

}  // namespace skyhook::bench
