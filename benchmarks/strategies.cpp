#include "strategies.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
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
  std::string experiment, text, label;
  std::function<double(double)> at;  // from -1 to 1
};

Excitation sine(const char* experiment, const char* text, double omega) {
  return {experiment, text, "excitation sin(omega t)", [omega](double t) { return std::sin(omega * t); }};
}

io::plot::Panel panel_of(const DaeCase& c, const Excitation& e, const std::string& strategy) {
  const Times times = times_of(c, strategy);
  io::plot::Curve excitation{.label = e.label, .colour = 0};
  constexpr int points = 1000;
  for (int k = 0; k <= points; ++k) {
    const double t = c.until * k / points;
    excitation.x.push_back(t), excitation.y.push_back(e.at(t));
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
  for (const Excitation& e :
       {sine("slow", "omega = 0.05 rad/s", 0.05), sine("fast", "omega = 2 pi 0.05 rad/s", 0.1 * std::numbers::pi)}) {
    const DaeCase c = make_case({.name = "chain of 16",
                                 .file = "mechanisms/pendulum_chain.yaml",
                                 .experiment = e.experiment,
                                 .set = {{"N", "16"}},
                                 .explicit_formalism = true});
    for (const char* strategy : {"dense", "dense+extended"}) figure.panels.push_back(panel_of(c, e, strategy));
  }
  io::plot::write_figure(figure, {.width = 900, .height = 1000}, path);
}

// Beside them the curvature of the line below the first axle, which stands 10.78 m ahead: 40 m straight, two arcs of 500 m with 41.57 m each, 6.59 m between them.
void draw_coach_updates(const std::string& path) {
  const double speed = 18, arc = 500 * std::atan(1.0 / 12),
               between = (4 - 1000 * (1 - std::cos(arc / 500))) / std::sin(arc / 500);
  const Excitation e{"change", "residual", "curvature below the first axle, times 500 m", [=](double t) {
                       const double s = 10.78 + speed * t - 40;
                       if (s > 0 && s < arc) return 1.0;
                       return s > arc + between && s < 2 * arc + between ? -1.0 : 0.0;
                     }};
  const DaeCase c =
      make_case({.name = "coach on the S-line", .file = "rail/s_line_coach.yaml", .experiment = e.experiment});
  io::plot::Figure figure{"Coach on an S-shaped line change: when bdf evaluates and updates its Jacobian", {}};
  for (const char* strategy : {"dense", "dense+partitioned", "grouped+partitioned", "exact+partitioned"})
    figure.panels.push_back(panel_of(c, e, strategy));
  io::plot::write_figure(figure, {.width = 900, .height = 1000}, path);
}

}  // namespace skyhook::bench
