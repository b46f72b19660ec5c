#include "strategies.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "skyhook/io/plot/draw.h"

namespace skyhook::bench {
namespace {

constexpr double reference_tolerance = 1e-8;

JacobianStrategy strategy_of(const std::string& name) {
  const auto found = find_jacobian(name);
  if (!found) throw std::runtime_error("no Jacobian strategy " + name);
  return *found;
}

// Lines from the bottom to the top of a panel, with gaps between them.
io::plot::Curve lines_at(const std::vector<double>& times, const std::string& label, io::plot::Dash dash,
                         std::size_t colour) {
  io::plot::Curve out{.label = label, .dash = dash, .colour = colour};
  for (const double t : times) {
    for (const double y : {-1.0, 1.0, std::nan("")}) out.x.push_back(t), out.y.push_back(y);
  }
  return out;
}

struct Times {
  std::vector<double> evaluated, updated;
};

Times times_of(const DaeCase& c, const std::string& strategy) {
  Times out;
  Cost before;
  const auto look = [&](double t, const Cost& cost) {
    if (cost.jacobians > before.jacobians) out.evaluated.push_back(t);
    if (cost.updates > before.updates) out.updated.push_back(t);
    before = cost;
  };
  integrate(c, Method::bdf, c.options(c.tolerance, strategy_of(strategy)), {.after_step = look});
  return out;
}

struct Excitation {
  const char *experiment, *text;
  double omega;  // rad/s
};

io::plot::Panel panel_of(const DaeCase& c, const Excitation& e, const std::string& strategy) {
  const Times times = times_of(c, strategy);
  io::plot::Curve excitation{.label = "excitation sin(omega t)", .colour = 0};
  constexpr int points = 1000;
  for (int k = 0; k <= points; ++k) {
    const double t = c.until * k / points;
    excitation.x.push_back(t), excitation.y.push_back(std::sin(e.omega * t));
  }
  io::plot::Panel out{.title = fmt::format("{}, {}: steps with an evaluation {}, with an update {}", e.text, strategy,
                                           times.evaluated.size(), times.updated.size()),
                      .x = {"time", "s", false, 0.0, c.until, true},
                      .y = {"excitation", "", false, -1.0, 1.0}};
  out.curves.push_back(excitation);
  out.curves.push_back(lines_at(times.evaluated, "Jacobian evaluated", io::plot::Dash::dotted, 1));
  if (!times.updated.empty())
    out.curves.push_back(lines_at(times.updated, "Jacobian updated", io::plot::Dash::dashed, 2));
  return out;
}

}  // namespace

std::vector<StrategyRow> compare_strategies(const std::vector<StrategyWish>& wishes, double patience) {
  std::vector<StrategyRow> rows;
  std::vector<TimedRun> timed;
  const DaeCase& first = *wishes.back().what;  // the residual formalism: the other matrix is full
  const DaeRun reference = integrate(first, Method::ida, first.options(reference_tolerance), {.samples = true});
  for (const StrategyWish& w : wishes) {
    for (const std::string& name : w.strategies) {
      const integrator::Options options = w.what->options(w.what->tolerance, strategy_of(name));
      const DaeRun run = integrate(*w.what, Method::bdf, options, {.samples = true});
      rows.push_back({w.formalism, name, run, run.seconds, error_of(run, reference).largest});
      timed.push_back({w.what, Method::bdf, options, run.seconds, run.seconds});
    }
  }
  measure(timed, patience);
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].seconds = timed[k].least;
  return rows;
}

const StrategyRow& find(const std::vector<StrategyRow>& rows, const std::string& strategy) {
  for (const StrategyRow& r : rows) {
    if (r.strategy == strategy) return r;
  }
  throw std::runtime_error("no row " + strategy);
}

void add_cost_columns(Table& table) {
  for (const char* name : {"steps", "#fc", "#fcw", "#Je", "updates", "factorisations"}) table.add_column(name);
  table.add_column("error", "", 2);
  table.add_column("time", "ms", 3);
  table.add_column("percent", "", 3);
}

void add_cost(std::vector<Cell>& cells, const StrategyRow& row, double first_seconds) {
  const Cost& c = row.run.cost;
  cells.insert(cells.end(), {c.steps, c.residuals, c.residuals - c.residuals_for_jacobian, c.jacobians, c.updates,
                             c.factorisations, row.error, 1e3 * row.seconds, 100 * row.seconds / first_seconds});
}

void draw_jacobian_times(const std::string& path) {
  io::plot::Figure figure{"Chain of 16 pendulums, explicit formalism: when bdf evaluates and updates its Jacobian", {}};
  for (const Excitation& e : {Excitation{"slow", "omega = 0.05 rad/s", 0.05},
                              Excitation{"fast", "omega = 2 pi 0.05 rad/s", 0.1 * std::numbers::pi}}) {
    const DaeCase c = make_case({.name = "chain of 16",
                                 .file = "mechanisms/pendulum_chain.yaml",
                                 .experiment = e.experiment,
                                 .set = {{"N", "16"}},
                                 .explicit_formalism = true});
    for (const char* strategy : {"dense", "dense+extended"}) figure.panels.push_back(panel_of(c, e, strategy));
  }
  io::plot::write_figure(figure, {.width = 900, .height = 1000}, path);
}

}  // namespace skyhook::bench
