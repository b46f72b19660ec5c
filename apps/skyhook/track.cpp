#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "refuse.h"
#include "screen.h"
#include "skyhook/analysis/track_survey.h"
#include "skyhook/base/table.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/io/plot/from_track.h"
#include "skyhook/model/track_line.h"
#include "terminal.h"
#include "track_command.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

std::vector<model::Track> tracks_of(const TrackCommand& o) {
  model::Experiment experiment;
  const model::Model m = load(o, "simulate", experiment);
  std::vector<model::Track> found;
  std::vector<std::string> names;
  for (const model::Track& t : m.tracks) {
    names.push_back(t.name);
    if (o.track.empty() || o.track == t.name) found.push_back(t);
  }
  if (m.tracks.empty()) refuse("the model has no track under `tracks`.", "Add one: tracks: {main: {}}.");
  if (found.empty())
    refuse("\"" + o.track + "\" is no track of the model.", fmt::format("Tracks: {}.", fmt::join(names, ", ")));
  print_warnings(m.warnings);
  return found;
}

analysis::TrackRange range_of(const TrackCommand& o, const model::TrackLine& line) {
  analysis::TrackRange range;
  range.first = o.from.value_or(0);
  range.last = o.to.value_or(line.is_endless() ? range.first + 1000 : line.length());
  if (!(range.last > range.first)) refuse("--to is not behind --from.", "Both are places along the line, in m.");
  range.step = o.step.value_or((range.last - range.first) / 20);
  if (!(range.step > 0)) refuse("--step is not positive.", "It is in m.");
  if ((range.last - range.first) / std::min(range.step, range.fine) > 1e7)
    refuse("more than ten million places would be looked at.", "Give a longer --step, or a shorter way.");
  return range;
}

Warning beyond(const model::Track& t) {
  return {"beyond_line", t.where,
          fmt::format("track \"{}\" ends at {:.6g} m. What is shown behind that is how it would go on: straight, with "
                      "the cant of its end.",
                      t.name, t.line->length())};
}

Table way_table(const std::vector<io::plot::NamedTrack>& tracks) {
  Table table;
  for (const auto& [name, unit] : std::initializer_list<std::pair<const char*, const char*>>{{"track", ""},
                                                                                             {"s", "m"},
                                                                                             {"curvature", "1/m"},
                                                                                             {"cant", "m"},
                                                                                             {"gradient", ""},
                                                                                             {"x", "m"},
                                                                                             {"y", "m"},
                                                                                             {"z", "m"},
                                                                                             {"heading", "rad"},
                                                                                             {"gauge", "m"},
                                                                                             {"alignment", "m"},
                                                                                             {"level", "m"},
                                                                                             {"cross_level", "m"}})
    table.add_column(name, unit, 5);
  for (const auto& [name, survey] : tracks) {
    for (const analysis::TrackRow& r : survey.rows)
      table.add_row({name, r.s, r.curvature, r.cant, r.gradient, r.at.x, r.at.y, r.at.z, r.heading, r.gauge,
                     r.alignment, r.level, r.cross_level});
  }
  return table;
}

Table spectrum_table(const std::vector<io::plot::NamedTrack>& tracks) {
  Table table;
  table.add_column("track"), table.add_column("signal");
  table.add_column("n", "1/m", 4), table.add_column("density", "m^3", 4), table.add_column("rms", "m", 4);
  for (const auto& [name, survey] : tracks) {
    for (const auto& s : survey.signals) {
      for (std::size_t i = 0; i < s.density.n.size(); ++i)
        table.add_row({name, std::string(s.name), s.density.n[i], s.density.value[i], s.rms});
    }
  }
  return table;
}

}  // namespace

int track(const TrackCommand& o) {
  keep_inputs({o.out}, {o.model});
  if (!o.out.empty()) check_writable(o.out);
  std::vector<io::plot::NamedTrack> tracks, drawn;
  for (const model::Track& t : tracks_of(o)) {
    analysis::TrackRange range = range_of(o, *t.line);
    if (!t.line->is_endless() && range.last > t.line->length()) print_warnings(std::vector{beyond(t)});
    tracks.push_back({t.name, analysis::survey(t, range)});
    range.step = std::min(range.step, (range.last - range.first) / 2000);  // of the picture
    drawn.push_back({t.name, analysis::survey(t, range)});
  }
  const Table table = o.spectrum ? spectrum_table(tracks) : way_table(tracks);
  fmt::print("{}", o.json ? table.to_json() + "\n" : table.to_text());
  const io::plot::Figure figure = io::plot::figure_of(drawn);
  if (!o.out.empty()) io::plot::write_figure(figure, {.width = 900, .height = 1100}, o.out);
  if (o.out.empty() && !o.json) print_control(stdout, io::plot::to_terminal(figure, screen_of_terminal(2)));
  return success;
}

}  // namespace skyhook::app
