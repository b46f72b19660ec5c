#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "refuse.h"
#include "road_command.h"
#include "screen.h"
#include "skyhook/analysis/road_survey.h"
#include "skyhook/base/table.h"
#include "skyhook/element/grid_relief.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/io/plot/from_road.h"
#include "skyhook/io/road/crg.h"
#include "skyhook/model/surface_span.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

struct Found {
  std::string name, type;
  std::shared_ptr<const model::Surface> surface;
};

std::vector<Found> roads_of_file(const RoadCommand& o) {
  const auto bytes = o.open(o.model);
  if (!bytes) throw ModelError({o.model}, "the file cannot be opened.", "Check the path and the permissions.");
  io::road::CrgFile crg = io::road::read_crg(*bytes, o.model);
  if (crg.filled > 0)
    fmt::print(stderr, "{} of {} heights are missing, and come from their neighbours.\n", crg.filled,
               crg.grid.z.size());
  // Along its reference line, u in place of x, whatever its bends are.
  crg.grid.headings.clear();
  crg.grid.x = crg.grid.u_first, crg.grid.y = 0, crg.grid.heading = 0;
  const auto relief =
      std::make_shared<element::GridRelief>(std::make_shared<const model::RoadGrid>(std::move(crg.grid)));
  return {{o.model, "crg", std::make_shared<model::Surface>(model::Surface::Parts{.reliefs = {relief}})}};
}

std::vector<Found> roads_of_model(const RoadCommand& o) {
  model::Experiment experiment;
  const model::Model m = load(o, "simulate", experiment);
  std::vector<Found> found;
  std::vector<std::string> names;
  for (const model::Road& r : m.roads) {
    names.push_back(r.name);
    if (o.road.empty() || o.road == r.name) found.push_back({r.name, r.type, r.surface});
  }
  if (m.roads.empty())
    refuse("the model has no road under `roads`.", "Roads that are fields of a tyre are seen in its channel `road`.");
  if (found.empty())
    refuse("\"" + o.road + "\" is no road of the model.", fmt::format("Roads: {}.", fmt::join(names, ", ")));
  print_warnings(m.warnings);
  return found;
}

analysis::SurveyRange range_of(const RoadCommand& o, const model::Surface& surface) {
  analysis::SurveyRange range;
  const model::Relief::Span span = model::span_of(surface);
  if (std::isfinite(span.first)) range.first = span.first, range.last = span.last;
  if (o.from) range.first = *o.from;
  if (o.to) range.last = *o.to;
  if (o.step) range.step = *o.step;
  range.y = !o.y.empty() ? o.y : surface.varies_across() ? std::vector{0.75, -0.75} : std::vector{0.0};
  if (!(range.last > range.first)) refuse("--to is not behind --from.", "Both are x of the road, in m.");
  if (!(range.step > 0)) refuse("--step is not positive.", "It is in m.");
  if ((range.last - range.first) / range.step > 1e7)
    refuse("more than ten million points would be looked at.", "Give a longer --step, or a shorter way.");
  return range;
}

void add_rows(const Found& road, const analysis::RoadSurvey& s, Table& table) {
  const double none = std::nan("");
  for (const analysis::RoadTrack& t : s.tracks)
    table.add_row({road.name, road.type, t.y, t.x.front(), t.x.back(), t.lowest, t.highest, t.rms, t.steepest,
                   t.roughness ? 1e6 * *t.roughness : none, t.waviness.value_or(none), std::string(1, t.degree),
                   s.least_friction, s.largest_friction});
}

}  // namespace

int road(const RoadCommand& o) {
  keep_inputs({o.out}, {o.model});
  if (!o.out.empty()) check_writable(o.out);
  const std::vector<Found> roads = o.model.ends_with(".crg") ? roads_of_file(o) : roads_of_model(o);
  Table table;
  for (const auto& [name, unit] : std::initializer_list<std::pair<const char*, const char*>>{{"road", ""},
                                                                                             {"type", ""},
                                                                                             {"y", "m"},
                                                                                             {"from", "m"},
                                                                                             {"to", "m"},
                                                                                             {"lowest", "m"},
                                                                                             {"highest", "m"},
                                                                                             {"rms", "m"},
                                                                                             {"steepest", ""},
                                                                                             {"roughness", "1e-6 m^3"},
                                                                                             {"waviness", ""},
                                                                                             {"class", ""},
                                                                                             {"least_friction", ""},
                                                                                             {"largest_friction", ""}})
    table.add_column(name, unit, 4);
  std::vector<io::plot::NamedSurvey> surveys;
  for (const Found& r : roads) {
    surveys.push_back({r.name, analysis::survey(*r.surface, range_of(o, *r.surface))});
    add_rows(r, surveys.back().survey, table);
  }
  fmt::print("{}", o.json ? table.to_json() + "\n" : table.to_text());
  const io::plot::Figure figure = io::plot::figure_of(surveys);
  if (!o.out.empty()) io::plot::write_figure(figure, {.width = 900, .height = 700}, o.out);
  if (o.out.empty() && !o.json) print_control(stdout, io::plot::to_terminal(figure, screen_of_terminal(2)));
  return success;
}

}  // namespace skyhook::app
