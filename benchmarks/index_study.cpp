#include <fmt/format.h>

#include <cmath>

#include "skyhook/formulation/index_study.testing.h"
#include "skyhook/io/plot/draw.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

using namespace formulation::testing;

constexpr double tolerance = 1e-6;
constexpr std::array kappas{0.3, 0.03, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

const char* name_of(Method method) {
  return method == Method::radau5 ? "radau5" : method == Method::bdf ? "bdf" : "ida";
}
using formulation::testing::name_of;

Table errors_over_kappa(Method method) {
  Table table;
  table.add_column("form");
  table.add_column("kappa");
  for (const char* column : {"position", "velocity", "s"}) table.add_column(column, "tolerances", 2);
  table.add_column("s off the foot", "tolerances", 2);
  table.add_column("multiplier, median", "of the largest", 2);
  table.add_column("worst", "of the largest", 2);
  for (const char* column : {"steps", "iterations / step", "failures"}) table.add_column(column, "", 3);
  for (const Form form : all_forms) {
    for (const double kappa : kappas) {
      const Errors e = errors_of({.form = form, .method = method, .tolerance = tolerance, .kappa = kappa});
      const double none = std::nan("");
      const auto of_s = [&](double x) { return keeps_s(form) ? x / tolerance : none; };
      table.add_row({name_of(form), kappa, e.position / tolerance, e.velocity / tolerance, of_s(e.s), of_s(e.foot),
                     e.multiplier, e.worst_multiplier, e.steps, e.iterations / e.steps, e.failures});
    }
  }
  return table;
}

// Position errors of radau5 in tolerances.
void draw_errors(const std::string& path) {
  io::plot::Figure figure{.title = "Bead on an ellipse, radau5: error of positions over Newton's kappa", .panels = {}};
  for (const double tol : {1e-5, 1e-7}) {
    io::plot::Panel panel{.title = fmt::format("tolerance {:g}", tol),
                          .x = {.label = "kappa", .unit = "", .logarithmic = true},
                          .y = {.label = "error", .unit = "tolerances", .logarithmic = true}};
    constexpr std::array marks{io::plot::Mark::circle, io::plot::Mark::square, io::plot::Mark::triangle,
                               io::plot::Mark::diamond};
    for (std::size_t k = 0; k < all_forms.size(); ++k) {
      io::plot::Curve curve{.label = name_of(all_forms[k]), .x = {}, .y = {}, .mark = marks[k]};
      for (const double kappa : kappas) {
        curve.x.push_back(kappa);
        curve.y.push_back(errors_of({.form = all_forms[k], .tolerance = tol, .kappa = kappa}).position / tol);
      }
      panel.curves.push_back(curve);
    }
    figure.panels.push_back(panel);
  }
  io::plot::write_figure(figure, {.width = 760, .height = 640}, path);
}

Table drift() {
  Table table;
  const std::vector<double> times{10, 20, 50, 100};
  table.add_column("form");
  table.add_column("method");
  for (const double t : times) table.add_column(fmt::format("|g| at {:g} s", t), "m", 2);
  table.add_column("power of t", "", 2);
  table.add_column("|G v| at 100 s", "m/s", 2);
  for (const Method method : {Method::radau5, Method::bdf}) {
    for (const Form form : all_forms) {
      const double kappa = form == Form::index3 ? 1e-5 : 0;
      const Drift d = drift_of({.form = form, .method = method, .tolerance = tolerance, .kappa = kappa}, times);
      std::vector<Cell> row{name_of(form), std::string(name_of(method))};
      for (const double x : d.position) row.emplace_back(x);
      row.emplace_back(std::log10(d.position[3] / d.position[0]));
      row.emplace_back(d.velocity[3]);
      table.add_row(row);
    }
  }
  return table;
}

struct Shake {
  Form form;
  Shaken what;
  const char* rows;
};

// Each quantity with the power of 1/h from the last halving.
Table disturbances() {
  Table table;
  table.add_column("form");
  table.add_column("disturbed");
  for (const char* column : {"position", "velocity", "multiplier", "eta", "s"}) {
    table.add_column(fmt::format("{} / theta", column), "", 3);
    table.add_column("power of 1/h", "", 2);
  }
  for (const Shake& shake :
       {Shake{Form::index3, Shaken::constraint, "g"}, Shake{Form::index2, Shaken::constraint, "G v"},
        Shake{Form::index1, Shaken::constraint, "G v' + gII"}, Shake{Form::ggl, Shaken::constraint, "G v"},
        Shake{Form::ggl, Shaken::positions, "g"}, Shake{Form::index3, Shaken::contact, "h"},
        Shake{Form::ggl, Shaken::contact, "h"}}) {
    const Reach coarse = reach_of_shaking(shake.form, shake.what, 2e-3),
                fine = reach_of_shaking(shake.form, shake.what, 1e-3);
    std::vector<Cell> row{name_of(shake.form), std::string(shake.rows)};
    for (double Reach::*x : {&Reach::position, &Reach::velocity, &Reach::multiplier, &Reach::eta, &Reach::s}) {
      row.emplace_back(fine.*x);
      row.emplace_back(fine.*x > 0 ? std::log2(fine.*x / coarse.*x) : std::nan(""));
    }
    table.add_row(row);
  }
  return table;
}

}  // namespace

void index_study(Report& report) {
  for (const Method method : {Method::radau5, Method::bdf, Method::ida}) {
    report.add(fmt::format("index_kappa_{}", name_of(method)),
               fmt::format("Bead on an ellipse, 3 s, {} at {:g}: errors over kappa, means of five starts",
                           name_of(method), tolerance),
               errors_over_kappa(method));
  }
  report.add("index_drift",
             fmt::format("Bead on an ellipse: drift at tolerance {:g}, index 3 with kappa 1e-5", tolerance), drift());
  report.add("index_disturbed",
             "Bead on an ellipse, backward Euler at 1 ms: equations disturbed by theta = 1e-8 of changing sign.\n"
             "What is below 0.1 beside h is of the second order in theta, or rounding",
             disturbances());
  const std::string picture = report.picture("index_study.svg");
  draw_errors(picture);
  report.note("\nErrors over kappa ([Arnold 2004] fig. 3): " + picture);
  const auto error = [](Form form, double kappa) {
    return errors_of({.form = form, .tolerance = tolerance, .kappa = kappa}).position / tolerance;
  };
  report.judge("bead, radau5/index3 with kappa 1e-5: error in tolerances", error(Form::index3, 1e-5), 1);
  report.judge("bead, radau5/ggl with kappa 0.03: error in tolerances", error(Form::ggl, 0.03), 1);
}

}  // namespace skyhook::bench
