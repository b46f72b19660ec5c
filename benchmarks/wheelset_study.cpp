// Figures 2 to 4 of [Arnold 2004] on the wheelset of the IVP test set (models/rail/wheelset/ivp.yaml): its hunting motion; the error of radau5 over the tolerance for two kappas under index 3,
// index 2 and GGL; how far the wheels drift off the rails.
#include <fmt/format.h>

#include <cmath>

#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

struct Wish {
  std::string solver;
  double until, step, tolerance, kappa = 0;
};
struct Motion {
  std::vector<double> t, y, drift;  // drift: the largest |g| of both wheels
};

Motion hunt(const Wish& wish) {
  const auto model =
      std::make_shared<model::Model>(io::read_model(SKYHOOK_MODELS "/rail/wheelset/ivp.yaml", {}, "hunting"));
  model::Experiment e = model->experiments.front();
  e.solver = wish.solver, e.until = wish.until, e.output_step = wish.step, e.tolerance = wish.tolerance,
  e.kappa = wish.kappa;
  e.outputs = {{"place.y", "place.y", {}}, {"constraints.position", "constraints.position", {}}};
  simulation::MemorySink sink;
  simulation::simulate(simulation::prepare(model, e), e, sink, {.all_reactions = false});
  Motion out;
  const auto y = static_cast<std::size_t>(sink.find("place.y")),
             g = static_cast<std::size_t>(sink.find("constraints.position"));
  for (std::size_t k = 0; k < sink.time.size(); ++k)
    out.t.push_back(sink.time[k]), out.y.push_back(sink.channels[k][y]),
        out.drift.push_back(std::abs(sink.channels[k][g]));
  return out;
}

// Root mean square; a run that ended early has no error.
double error_of(const Motion& m, const Motion& exact) {
  if (m.y.size() != exact.y.size()) return std::nan("");
  double sum = 0;
  for (std::size_t k = 0; k < m.y.size(); ++k) sum += std::pow(m.y[k] - exact.y[k], 2);
  return std::sqrt(sum / static_cast<double>(m.y.size()));
}

// The largest |g| of the last half second.
double envelope(const Motion& m, double t) {
  double most = 0;
  for (std::size_t k = 0; k < m.t.size(); ++k) {
    if (m.t[k] > t - 0.5 && m.t[k] < t + 1e-9) most = std::max(most, m.drift[k]);
  }
  return most;
}

constexpr double first_second = 4, last_second = 20;  // of the limit cycle, which is reached within two seconds

// Slope of ln|g| over ln t by least squares.
double power_of(const Motion& m) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (double t = first_second; t <= last_second; t += 1) {
    const double a = std::log(t), b = std::log(envelope(m, t));
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

constexpr std::array forms{"index3", "index2", "ggl"};
constexpr std::array tolerances{1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
constexpr std::array marks{io::plot::Mark::circle, io::plot::Mark::square, io::plot::Mark::triangle,
                           io::plot::Mark::diamond};

void errors(Report& report, io::plot::Figure& figure) {
  const Motion exact = hunt({"radau5/ggl", 0.5, 0.02, 1e-10, 1e-4});
  Table table;
  table.add_column("kappa"), table.add_column("form");
  for (const double tolerance : tolerances) table.add_column(fmt::format("{:g}", tolerance), "m", 2);
  for (const double kappa : {0.03, 1e-5}) {
    io::plot::Panel panel{.title = fmt::format("Fig. 3, kappa = {:g}", kappa),
                          .x = {.label = "tolerance", .unit = "", .logarithmic = true},
                          .y = {.label = "error of y", .unit = "m", .logarithmic = true, .low = 1e-11, .high = 1e-2}};
    for (std::size_t k = 0; k < forms.size(); ++k) {
      io::plot::Curve curve{.label = fmt::format("radau5/{}", forms[k]), .x = {}, .y = {}, .mark = marks[k]};
      std::vector<Cell> row{kappa, std::string(forms[k])};
      for (const double tolerance : tolerances) {
        const double e = error_of(hunt({curve.label, 0.5, 0.02, tolerance, kappa}), exact);
        row.emplace_back(e);
        if (std::isfinite(e)) curve.x.push_back(tolerance), curve.y.push_back(e);
      }
      table.add_row(std::move(row)), panel.curves.push_back(std::move(curve));
    }
    panel.curves.push_back(
        {.label = "tolerance", .x = {1e-7, 1e-3}, .y = {1e-7, 1e-3}, .dash = io::plot::Dash::dashed});
    figure.panels.push_back(std::move(panel));
  }
  report.add(
      "wheelset_errors",
      "Wheelset, 0.5 s of hunting: root mean square of the lateral error over the tolerance ([Arnold 2004] fig. 3)",
      table);
}

void drifts(Report& report, io::plot::Figure& figure) {
  Table table;
  table.add_column("form"), table.add_column("tolerance");
  for (const double t : {2.0, 4.0, 10.0, 20.0}) table.add_column(fmt::format("|g| at {:g} s", t), "m", 2);
  table.add_column("power of t from 4 s on", "", 3);
  io::plot::Panel panel{.title = "Fig. 4, bdf at 1e-4: distance of the wheels from the rails",
                        .x = {.label = "time", .unit = "s", .logarithmic = true, .low = 0.5, .high = 20},
                        .y = {.label = "|g|", .unit = "m", .logarithmic = true, .low = 1e-16, .high = 1e-1}};
  for (const double tolerance : {1e-3, 1e-4}) {
    for (const char* form : {"index1", "index2", "ggl", "index2_projected"}) {
      const Motion m = hunt({fmt::format("bdf/{}", form), last_second, 0.02, tolerance});
      std::vector<Cell> row{std::string(form), tolerance};
      for (const double t : {2.0, 4.0, 10.0, 20.0}) row.emplace_back(envelope(m, t));
      row.emplace_back(power_of(m)), table.add_row(std::move(row));
      if (tolerance != 1e-4) continue;
      io::plot::Curve curve{.label = form, .x = {}, .y = {}};
      for (double t = 0.5; t <= last_second; t += 0.25)
        curve.x.push_back(t), curve.y.push_back(std::max(envelope(m, t), 1e-16));
      panel.curves.push_back(std::move(curve));
    }
  }
  panel.curves.push_back({.label = "t^2", .x = {2, 20}, .y = {1.2e-4, 1.2e-2}, .dash = io::plot::Dash::dashed});
  panel.curves.push_back({.label = "t", .x = {2, 20}, .y = {1e-6, 1e-5}, .dash = io::plot::Dash::dotted});
  figure.panels.push_back(std::move(panel));
  report.add("wheelset_drift", "Wheelset, bdf, 20 s: how far the wheels drift off the rails ([Arnold 2004] fig. 4)",
             table);
}

}  // namespace

void wheelset_study(Report& report) {
  io::plot::Figure figure{.title = "Rigid wheelset of the IVP test set", .panels = {}};
  const Motion m = hunt({"radau5/ggl", 10, 0.01, 1e-7});
  io::plot::Panel panel{.title = "Fig. 2, lateral displacement",
                        .x = {.label = "time", .unit = "s", .tight = true},
                        .y = {.label = "y", .unit = "mm"}};
  io::plot::Curve curve{.label = "", .x = m.t, .y = m.y};
  for (double& y : curve.y) y *= 1e3;
  panel.curves.push_back(std::move(curve)), figure.panels.push_back(std::move(panel));
  errors(report, figure), drifts(report, figure);
  const std::string picture = report.picture("wheelset_study.svg");
  io::plot::write_figure(figure, {.width = 760, .height = 1150}, picture);
  report.note("\nHunting, errors over the tolerance and drift ([Arnold 2004] figs. 2 to 4): " + picture);
}

}  // namespace skyhook::bench
