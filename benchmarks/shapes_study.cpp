// How the motion of a slider-crank with an elastic rod (models/flexible/slider_crank.yaml) depends on the shapes of the rod: 1 to 10 vibrations, held at the
// joints or free, with and without static shapes. Error: largest one of the deflection in the middle of the rod, over the largest deflection.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/model/modal_body.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

struct Choice {
  const char* name;
  const char* options;  // of the flexible body
};
constexpr Choice choices[] = {{"held at the joints, with static shapes", "boundary: held"},
                              {"free, with static shapes", "boundary: free"},
                              {"free, without static shapes", "boundary: free\n      static: false"}};
constexpr int most = 10, of_reference = 14;
constexpr std::array shape_marks{io::plot::Mark::circle, io::plot::Mark::square, io::plot::Mark::triangle};

std::string model_text(const std::string& options, int vibrations) {
  std::ifstream in(SKYHOOK_MODELS "/flexible/slider_crank.yaml");
  std::string text(std::istreambuf_iterator<char>(in), {});
  const std::string wanted = "modes: =modes";
  text.replace(text.find(wanted), wanted.size(), fmt::format("modes: {}\n      {}", vibrations, options));
  return text + "\nignore_warnings: [shapes_left_out]\n";
}

// Of the middle of the rod across its chord, in the plane of the mechanism; empty where the run failed.
std::vector<double> deflections(const std::string& options, int vibrations) {
  const auto model = std::make_shared<model::Model>(
      io::read_model_text(model_text(options, vibrations), "slider_crank.yaml", {}, "turn"));
  model::Experiment e = model->experiments.front();
  e.until = 0.05, e.output_step = 2.5e-4, e.tolerance = 1e-7;
  simulation::MemorySink sink;
  const simulation::Prepared prepared = simulation::prepare(model, e);
  simulation::simulate(prepared, e, sink, {.all_reactions = false});
  if (sink.summary.status != simulation::RunStatus::finished) return {};
  const auto rod = std::ranges::find(model->bodies, std::string("rod"), &model::Body::name);
  const model::ModalBody& modal = *rod->modal;
  const auto middle = std::ranges::find(modal.points, std::string("bar.5"), &model::ModalPoint::name);
  const auto& own = prepared.active->modal().front();
  std::vector<double> out;
  for (const std::vector<double>& y : sink.states) {
    double sum = 0;
    for (int k = 0; k < own.modes; ++k)
      sum += y[static_cast<std::size_t>(own.iq + k)] * middle->shift[static_cast<std::size_t>(k)].y;
    out.push_back(sum);
  }
  return out;
}

double largest(const std::vector<double>& values) {
  double most_of = 0;
  for (const double v : values) most_of = std::max(most_of, std::abs(v));
  return most_of;
}

double error_in_percent(std::vector<double> values, const std::vector<double>& exact) {
  if (values.size() != exact.size()) return std::nan("");
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= exact[i];
  return 100 * largest(values) / largest(exact);
}

}  // namespace

void shapes_study(Report& report) {
  const std::vector<double> exact = deflections(choices[0].options, of_reference);
  Table table;
  table.add_column("shapes");
  for (int n = 1; n <= most; ++n) table.add_column(std::to_string(n), "%", 2);
  io::plot::Panel panel{.title = "",
                        .x = {.label = "vibrations", .unit = "", .low = 0.5, .high = most + 0.5},
                        .y = {.label = "error of the deflection", .unit = "%", .logarithmic = true}};
  for (std::size_t k = 0; k < std::size(choices); ++k) {
    io::plot::Curve curve{.label = choices[k].name, .x = {}, .y = {}, .mark = shape_marks[k]};
    std::vector<Cell> row{std::string(choices[k].name)};
    for (int n = 1; n <= most; ++n) {
      const double error = error_in_percent(deflections(choices[k].options, n), exact);
      row.emplace_back(error), curve.x.push_back(n), curve.y.push_back(error);
    }
    table.add_row(std::move(row)), panel.curves.push_back(std::move(curve));
  }
  report.add(
      "shapes",
      fmt::format("Slider-crank with elastic rod, deflection of {:.3g} mm: largest error over the number of vibrations",
                  1e3 * largest(exact)),
      table);
  const std::string picture = report.picture("shapes_study.svg");
  io::plot::write_figure({.title = "Slider-crank with an elastic rod: how many shapes it takes", .panels = {panel}},
                         {.width = 760, .height = 420}, picture);
  report.note("\nErrors over the number of shapes: " + picture);
}

}  // namespace skyhook::bench
