#include "skyhook/io/plot/from_comparison.h"

#include <algorithm>
#include <array>

namespace skyhook::io::plot {
namespace {

using analysis::ComparedRun;

// Neighbours differ in colour and mark; beyond the colours of the palette in the line as well.
Curve curve_of(const std::string& solver, std::size_t number) {
  constexpr std::array marks{Mark::circle,        Mark::square, Mark::triangle,      Mark::diamond,
                             Mark::triangle_down, Mark::star,   Mark::triangle_left, Mark::triangle_right};
  constexpr std::array dashes{Dash::solid, Dash::dashed, Dash::dotted};
  constexpr std::size_t colours = 8;
  return {.label = solver, .dash = dashes[number / colours % dashes.size()], .mark = marks[number % marks.size()]};
}

std::vector<Curve> curves_of(const analysis::Comparison& comparison, double (*work)(const ComparedRun&)) {
  std::vector<Curve> out;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.finished()) continue;
    if (out.empty() || out.back().label != run.name()) out.push_back(curve_of(run.name(), out.size()));
    out.back().x.push_back(run.error.positions);
    out.back().y.push_back(work(run));
  }
  return out;
}

Panel panel_of(const analysis::Comparison& comparison, const Axis& y, double (*work)(const ComparedRun&)) {
  Panel out{.x = {"error of positions", "", true}, .y = y, .curves = curves_of(comparison, work)};
  const bool near =
      std::any_of(comparison.runs.begin(), comparison.runs.end(), [](const auto& r) { return r.at_limit; });
  if (near) out.events.push_back({comparison.reference.error.positions, "estimated error of the reference"});
  return out;
}

}  // namespace

Figure figure_of(const analysis::Comparison& comparison, const std::string& title) {
  return {title,
          {panel_of(comparison, {"time", "s", true}, [](const ComparedRun& r) { return r.cost.seconds; }),
           panel_of(comparison, {"evaluations", "", true},
                    [](const ComparedRun& r) { return static_cast<double>(r.cost.residuals); })}};
}

}  // namespace skyhook::io::plot
