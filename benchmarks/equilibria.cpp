// Equilibria: every shipped model from 20 disturbed starts, and what the search costs on longer and longer chains.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "skyhook/analysis/disturbed.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/io/model_file/model_reader.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

using analysis::testing::disturbed;
using analysis::testing::exception_of;
using analysis::testing::reach_of;

void every_model(Report& report) {
  constexpr unsigned starts = 20;
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(SKYHOOK_MODELS)) {
    const auto& path = file.path();
    const bool is_part = path.string().find("/parts/") != std::string::npos;
    if (path.extension() == ".yaml" && !is_part && exception_of(path.stem().string()).has_none.empty())
      files.push_back(path);
  }
  std::ranges::sort(files);
  Table table;
  table.add_column("model"), table.add_column("searches"), table.add_column("not found");
  table.add_column("iterations, mean", "", 3), table.add_column("most"), table.add_column("by other ways");
  table.add_column("time of one", "ms", 3);
  long searches = 0, missed = 0;
  for (const auto& file : files) {
    const auto other = exception_of(file.stem().string());
    std::shared_ptr<const model::Model> model;
    try {
      const std::vector<io::Setting> set{{other.set.first, other.set.second}};
      model = std::make_shared<const model::Model>(
          io::read_model(file.string(), other.set.first.empty() ? std::vector<io::Setting>{} : set));
    } catch (const ModelError&) {
      continue;  // a fragment of another one
    }
    const simulation::Prepared p = simulation::prepare(model, {});
    if (!p.ok()) {
      report.note(fmt::format("{}: {}", file.stem().string(), p.problem()));
      continue;
    }
    long count = 0, failed = 0, others = 0, sum = 0, most = 0;
    double seconds = 0;
    const double reach = other.reach > 0 ? other.reach : reach_of(*model);
    for (unsigned seed = 0; seed <= (other.stands_unstably ? 0 : starts); ++seed) {
      const formalism::State start = seed ? disturbed(p, seed, reach) : p.state;
      const simulation::Prepared there = seed ? simulation::prepare(model, {}, &start) : p;
      if (!there.ok()) continue;  // a loop cannot be closed from there
      const double begin = now();
      const analysis::Equilibrium e = analysis::find_equilibrium(there);
      seconds += now() - begin;
      ++count, failed += !e.found, sum += e.iterations, most = std::max<long>(most, e.iterations);
      others += e.found && !e.way.empty() && e.way != "descent";
    }
    searches += count, missed += failed;
    table.add_row({file.stem().string(), count, failed, static_cast<double>(sum) / static_cast<double>(count), most,
                   others, 1e3 * seconds / static_cast<double>(count)});
  }
  report.add("equilibria", fmt::format("Equilibria from {} disturbed starts: {} searches", starts, searches), table);
  report.judge("equilibria of shipped models that were not found", static_cast<double>(missed), 0);
}

// An iteration costs what a factorisation of sparse matrices does. How many it takes grows too: a long chain falls further, and swings.
void chains(Report& report) {
  Table table;
  table.add_column("links"), table.add_column("iterations"), table.add_column("way"), table.add_column("time", "s", 3);
  table.add_column("exponent", "", 3), table.add_column("an iteration and link", "us", 3);
  table.add_column("exponent of an iteration", "", 3);
  struct Point {
    double links, seconds, one;
  };
  std::vector<Point> points;
  for (const int N : {100, 300, 1000}) {
    model::Model m = io::read_model(SKYHOOK_MODELS "/mechanisms/chain.yaml", {{"N", std::to_string(N)}});
    m.coordinates = model::Coordinates::absolute;
    const auto shared = std::make_shared<const model::Model>(std::move(m));
    const simulation::Prepared p = simulation::prepare(shared, {});
    const double begin = processor_now();
    const analysis::Equilibrium e = analysis::find_equilibrium(p);
    const double seconds = processor_now() - begin;
    if (!e.found) throw std::runtime_error(e.problem);
    const Point now{double(N), seconds, seconds / e.iterations}, before = points.empty() ? now : points.back();
    const auto exponent = [&](double x, double y) {
      return points.empty() ? Cell(std::string()) : Cell(std::log(y / x) / std::log(now.links / before.links));
    };
    table.add_row({static_cast<long>(N), static_cast<long>(e.iterations), e.way, seconds,
                   exponent(before.seconds, now.seconds), 1e6 * now.one / N, exponent(before.one, now.one)});
    points.push_back(now);
  }
  report.add("equilibria_chains", "Equilibria of chains, each body by itself: processor time", table);
  const Point &first = points.front(), &last = points.back();
  report.judge("exponent of an iteration of equilibria over chains of 100 to 1000 links",
               std::log(last.one / first.one) / std::log(last.links / first.links), 1.1);
}

}  // namespace

void equilibria(Report& report) { every_model(report), chains(report); }

}  // namespace skyhook::bench
