// Grades are claims: random models, run by every pair that is recommended or works. And changes of a model file that must not matter
// to its motion. tests/random_solvers.test.cpp and tests/random_changes.test.cpp do the same with a few models.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "skyhook/io/random/both_coordinates.testing.h"
#include "skyhook/io/random/random_mechanism.testing.h"
#include "skyhook/io/random/same_motion.testing.h"
#include "skyhook/io/random/solver_trial.testing.h"
#include "skyhook/simulation/solvers.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

using io::testing::random_mechanism;

constexpr double most_skipped = 0.1;

struct Tally {
  std::vector<double> ratios;
  long failed = 0, doubted = 0, wrong = 0;
  double part(double p) {
    if (ratios.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(ratios);
    return ratios[static_cast<std::size_t>(p * static_cast<double>(ratios.size() - 1))];
  }
};

unsigned count(Seeds seeds) { return seeds.last - seeds.first + 1; }

void note(Report& report, unsigned seed, const std::string& what) {
  report.note(fmt::format("random model {}: {}", seed, what));
}

// How many are wrong without a word.
long solvers(Report& report, Seeds seeds) {
  constexpr double tolerances[] = {1e-4, 1e-6, 1e-8};
  std::map<std::string, Tally> tallies;
  long skipped = 0, wrong = 0;
  for (unsigned seed = seeds.first; seed <= seeds.last; ++seed) {
    const auto trial =
        io::testing::try_solvers(text_of(random_mechanism(seed)), tolerances[seed % 3], simulation::usable_solvers());
    if (!trial.skipped.empty()) ++skipped, note(report, seed, "skipped: " + trial.skipped);
    for (const auto& pair : trial.pairs) {
      Tally& tally = tallies[pair.solver];
      if (pair.status != "finished") {
        ++tally.failed;
        continue;
      }
      tally.ratios.push_back(pair.ratio);
      tally.doubted += pair.ratio > io::testing::allowed && !pair.is_wrong;
      if (!pair.is_wrong) continue;
      ++tally.wrong, ++wrong;
      note(report, seed,
           fmt::format("{} errs by {:.3g} tolerances times the growth of {:.3g}", pair.solver, pair.ratio,
                       trial.growth));
    }
  }
  Table table;
  table.add_column("solver");
  for (const char* column : {"runs", "failed", "median", "90 %", "worst", "worse, told", "worse, silent"})
    table.add_column(column, "", 3);
  for (auto& [solver, t] : tallies)
    table.add_row({solver, static_cast<long>(t.ratios.size()), t.failed, t.part(0.5), t.part(0.9), t.part(1), t.doubted,
                   t.wrong});
  report.add("random_solvers",
             fmt::format("{} random models: errors in tolerances times the growth of a disturbance", count(seeds)),
             table);
  report.judge("random models: runs that are wrong without a word", static_cast<double>(wrong), 0);
  report.judge("random models: skipped, as the references disagree", static_cast<double>(skipped) / count(seeds),
               most_skipped);
  return wrong;
}

// How many matter.
long changes(Report& report, Seeds seeds) {
  struct Count {
    long runs = 0, other = 0;
  };
  std::map<std::string, Count> counts;
  long skipped = 0, other = 0;
  for (unsigned seed = seeds.first; seed <= seeds.last; ++seed) {
    const auto trial = io::testing::try_changes(random_mechanism(seed));
    if (!trial.skipped.empty()) ++skipped, note(report, seed, "skipped: " + trial.skipped);
    for (const auto& r : trial.results) {
      ++counts[r.change].runs;
      if (r.is_same()) continue;
      ++counts[r.change].other, ++other;
      note(report, seed, fmt::format("{}: another motion, by {:.3g} m. {}", r.change, r.difference, r.problem));
    }
  }
  Table table;
  table.add_column("change");
  for (const char* column : {"models", "another motion"}) table.add_column(column);
  for (const auto& [change, c] : counts) table.add_row({change, c.runs, c.other});
  report.add("random_changes", fmt::format("{} random models: changes that must not matter", count(seeds)), table);
  report.judge("random models: changes that matter", static_cast<double>(other), 0);
  report.judge("random models: skipped, as they are too sensitive", static_cast<double>(skipped) / count(seeds),
               most_skipped);
  return other;
}

// How many tell something else in absolute coordinates.
long coordinates(Report& report, Seeds seeds) {
  std::vector<double> motions, loads;
  std::map<double, long> shares;
  long skipped = 0, other = 0;
  for (unsigned seed = seeds.first; seed <= seeds.last; ++seed) {
    const auto both = io::testing::try_both_coordinates(text_of(random_mechanism(seed)));
    if (!both.skipped.empty()) {
      ++skipped, note(report, seed, "skipped: " + both.skipped);
      continue;
    }
    ++shares[both.share];
    motions.push_back(both.motion), loads.push_back(both.loads);
    if (both.is_same()) continue;
    ++other;
    note(report, seed,
         fmt::format("absolute coordinates: {} differs by {:.3g}, {} by {:.3g}. {}", both.worst_motion, both.motion,
                     both.worst_load, both.loads, both.problem));
  }
  Table table;
  for (const char* column : {"models", "whole", "quarter", "16th", "64th", "skipped", "motion, median", "motion, worst",
                             "loads, median", "loads, worst"})
    table.add_column(column, "", 3);
  const auto part = [](std::vector<double>& list, double p) {
    std::ranges::sort(list);
    return list.empty() ? 0.0 : list[static_cast<std::size_t>(p * static_cast<double>(list.size() - 1))];
  };
  table.add_row({static_cast<long>(motions.size()), shares[1.0], shares[1.0 / 4], shares[1.0 / 16], shares[1.0 / 64],
                 skipped, part(motions, 0.5), part(motions, 1), part(loads, 0.5), part(loads, 1)});
  report.add("random_coordinates",
             fmt::format("{} random models in the coordinates of joints and in absolute ones", count(seeds)), table);
  report.judge("random models: others in absolute coordinates", static_cast<double>(other), 0);
  return other;
}

}  // namespace

void random_coordinates(Report& report, Seeds seeds) {
  if (const long other = coordinates(report, seeds); other > 0)
    throw std::runtime_error(fmt::format("random models: {} are others in absolute coordinates", other));
}

void random_models(Report& report, Seeds seeds) {
  const long wrong = solvers(report, seeds), matter = changes(report, seeds), other = coordinates(report, seeds);
  if (wrong > 0 || matter > 0 || other > 0) {
    throw std::runtime_error(fmt::format(
        "random models: {} runs are wrong without a word, {} changes matter that must not, {} are others in absolute "
        "coordinates",
        wrong, matter, other));
  }
}

}  // namespace skyhook::bench
