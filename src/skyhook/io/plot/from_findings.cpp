#include "skyhook/io/plot/from_findings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace skyhook::io::plot {
namespace {

using analysis::Findings;

struct Variant {
  const Findings* found;
  Dash dash;
  std::string suffix;  // of labels
};

std::vector<double> abscissa_of(const Findings& f) {
  std::vector<double> s;
  for (const auto& point : f.points) s.push_back(point.s);
  return s;
}

std::vector<double> values_of(const Findings& f, std::size_t channel, double factor = 1) {
  std::vector<double> values;
  for (const auto& point : f.points) values.push_back(factor * point.values[channel]);
  return values;
}

// "body" of "body.gain"; empty: the channel is none of that kind.
std::string owner_of(const std::string& channel, const std::string& kind) {
  return channel.ends_with("." + kind) ? channel.substr(0, channel.size() - kind.size() - 1) : "";
}

int find(const Findings& f, const std::string& channel) {
  const auto at = std::ranges::find(f.channels, channel, &simulation::ChannelInfo::name);
  return at == f.channels.end() ? -1 : static_cast<int>(at - f.channels.begin());
}

// Owners of the kind in their order; their places are their colours, in all panels.
std::vector<std::string> owners(const Findings& f, const std::string& kind) {
  std::vector<std::string> out;
  for (const auto& c : f.channels) {
    if (const std::string owner = owner_of(c.name, kind); !owner.empty()) out.push_back(owner);
  }
  return out;
}

std::vector<EventLine> event_lines(const Findings& f) {
  std::vector<EventLine> lines;
  for (const auto& e : f.events) lines.push_back({e.t, e.name + (e.detail.empty() ? "" : ": " + e.detail)});
  return lines;
}

// The channels OWNER.kind over the abscissa, a panel for each unit.
void add_over(const std::vector<Variant>& sources, const std::string& kind, const Panel& like, double factor,
              bool is_named, std::vector<Panel>& panels) {
  const std::size_t begin = panels.size();
  for (const Variant& source : sources) {
    const std::vector<std::string> names = owners(*source.found, kind);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto channel = static_cast<std::size_t>(find(*source.found, names[k] + "." + kind));
      const std::string unit = like.y.unit.empty() ? source.found->channels[channel].unit : like.y.unit;
      const auto is_of_unit = [&](const Panel& p) { return p.y.unit == unit; };
      auto panel = std::find_if(panels.begin() + static_cast<long>(begin), panels.end(), is_of_unit);
      if (panel == panels.end()) {
        panels.push_back(like), panel = std::prev(panels.end());
        panel->y.unit = unit;
      }
      Curve curve{.label = is_named ? names[k] + source.suffix : "", .dash = source.dash, .colour = k};
      curve.x = abscissa_of(*source.found), curve.y = values_of(*source.found, channel, factor);
      panel->curves.push_back(std::move(curve));
    }
  }
}

constexpr double degrees_a_radian = 180 / std::numbers::pi;

std::vector<Panel> response_panels(const std::vector<Variant>& sources) {
  const Axis frequency{.label = "frequency", .unit = "Hz", .logarithmic = true, .tight = true};
  std::vector<Panel> panels;
  add_over(sources, "gain", {.x = frequency, .y = {.label = "gain", .logarithmic = true}}, 1, true, panels);
  add_over(sources, "phase", {.x = frequency, .y = {.label = "phase", .unit = "deg"}}, degrees_a_radian, false, panels);
  add_over(sources, "density", {.x = frequency, .y = {.label = "density", .logarithmic = true}}, 1, panels.empty(),
           panels);
  add_over(sources, "coherence", {.x = frequency, .y = {.label = "coherence", .unit = "-", .low = 0.0, .high = 1.0}}, 1,
           false, panels);
  return panels;
}

Panel plane() { return {"", {"real", "1/s"}, {"imag", "1/s"}, {}, {{0, "limit of stability"}}}; }

std::vector<Panel> locus_panels(const std::vector<Variant>& sources) {
  Panel in_plane = plane();
  for (const Variant& source : sources) {
    const Findings& f = *source.found;
    const std::vector<std::string> names = owners(f, "real");
    for (std::size_t k = 0; k < names.size(); ++k) {
      Curve curve{.label = names[k] + source.suffix, .dash = source.dash, .mark = Mark::circle, .colour = k};
      curve.x = values_of(f, static_cast<std::size_t>(find(f, names[k] + ".real")));
      curve.y = values_of(f, static_cast<std::size_t>(find(f, names[k] + ".imag")));
      in_plane.curves.push_back(std::move(curve));
    }
  }
  std::vector<Panel> panels{in_plane};
  const Findings& f = *sources.front().found;
  const Axis over{.label = f.abscissa.name, .unit = f.abscissa.unit, .tight = true};
  add_over(sources, "frequency", {.x = over, .y = {.label = "frequency"}, .events = event_lines(f)}, 1, false, panels);
  add_over(sources, "damping", {.x = over, .y = {.label = "damping", .unit = "%"}, .events = event_lines(f)}, 100,
           false, panels);
  return panels;
}

std::vector<Panel> mode_panels(const std::vector<Variant>& sources) {
  Panel in_plane = plane(), over{.x = {"mode", ""}, .y = {"frequency", "Hz"}};
  for (const Variant& source : sources) {
    const Findings& f = *source.found;
    const int real = find(f, "real"), imag = find(f, "imag"), frequency = find(f, "frequency");
    if (real < 0 || imag < 0 || frequency < 0) continue;
    const Mark mark = source.dash == Dash::solid ? Mark::circle : Mark::diamond;
    const std::string label = sources.size() > 1 ? (source.suffix.empty() ? "first" : source.suffix) : "";
    in_plane.curves.push_back({label, values_of(f, static_cast<std::size_t>(real)),
                               values_of(f, static_cast<std::size_t>(imag)), source.dash, mark, false});
    over.curves.push_back(
        {"", abscissa_of(f), values_of(f, static_cast<std::size_t>(frequency)), source.dash, mark, false});
  }
  return {in_plane, over};
}

// Values of one position: a line up to each, a panel for each unit.
std::vector<Panel> value_panels(const std::vector<Variant>& sources) {
  constexpr std::size_t most = 40;  // in a panel
  std::vector<Panel> panels;
  for (const Variant& source : sources) {
    const Findings& f = *source.found;
    for (std::size_t c = 0; c < f.channels.size(); ++c) {
      const double y = f.points.front().values[c];
      if (!std::isfinite(y)) continue;
      auto panel = std::ranges::find_if(panels, [&](const Panel& p) { return p.y.unit == f.channels[c].unit; });
      if (panel == panels.end())
        panels.push_back({.x = {"number", ""}, .y = {"", f.channels[c].unit}}), panel = std::prev(panels.end());
      if (panel->curves.size() >= most) continue;
      const auto x = static_cast<double>(panel->curves.size() + 1);
      panel->curves.push_back(
          {f.channels[c].name + source.suffix, {x, x}, {0.0, y}, source.dash, Mark::circle, true, c});
    }
  }
  return panels;
}

std::vector<Panel> plain_panels(const std::vector<Variant>& sources) {
  constexpr std::size_t most = 6;  // channels
  std::vector<Panel> panels;
  for (const Variant& source : sources) {
    const Findings& f = *source.found;
    for (std::size_t c = 0; c < std::min(most, f.channels.size()); ++c) {
      auto panel = std::ranges::find_if(panels, [&](const Panel& p) { return p.y.unit == f.channels[c].unit; });
      if (panel == panels.end()) {
        panels.push_back({.x = {f.abscissa.name, f.abscissa.unit, false, {}, {}, true}, .y = {"", f.channels[c].unit}});
        panel = std::prev(panels.end());
      }
      Curve curve{.label = f.channels[c].name + source.suffix, .dash = source.dash, .colour = c};
      curve.x = abscissa_of(f), curve.y = values_of(f, c);
      panel->curves.push_back(std::move(curve));
    }
  }
  return panels;
}

// Limits stand behind the curves of their kind, which is the first part of a name: "yq.limit" of "yq.front.left".
bool is_limit(const std::string& channel) { return channel.ends_with(".limit") || channel.ends_with(".lower_limit"); }
bool has_limits(const Findings& f) { return std::ranges::any_of(f.channels, is_limit, &simulation::ChannelInfo::name); }

std::vector<Panel> assessed_panels(const std::vector<Variant>& sources) {
  constexpr std::size_t most = 24;  // curves of a panel
  std::vector<Panel> panels;
  for (const Variant& source : sources) {
    const Findings& f = *source.found;
    for (std::size_t c = 0; c < f.channels.size(); ++c) {
      const std::string& name = f.channels[c].name;
      const std::string kind = name.substr(0, name.find('.'));
      auto panel = std::ranges::find_if(panels, [&](const Panel& p) { return p.y.label == kind; });
      if (panel == panels.end()) {
        panels.push_back(
            {.x = {f.abscissa.name, f.abscissa.unit, false, {}, {}, true}, .y = {kind, f.channels[c].unit}});
        panel = std::prev(panels.end());
      }
      if (panel->curves.size() >= most) continue;
      Curve curve{.label = is_limit(name) ? (name.ends_with(".limit") ? "limit" : "")
                                          : name.substr(std::min(name.size(), kind.size() + 1)) + source.suffix};
      curve.dash = is_limit(name) ? Dash::dotted : source.dash;
      if (is_limit(name)) curve.colour = most;  // one colour for both sides
      curve.x = abscissa_of(f), curve.y = values_of(f, c);
      panel->curves.push_back(std::move(curve));
    }
  }
  return panels;
}

// Amplitudes of limit cycles over the parameter, unstable ones dashed, those of a ramp as points; below their frequencies and largest multipliers.
std::vector<Panel> cycle_panels(const std::vector<Variant>& sources) {
  const Findings& first = *sources.front().found;
  const Axis over{.label = first.channels[0].name,
                  .unit = first.channels[0].unit == "-" ? "" : first.channels[0].unit,
                  .tight = true};
  Panel amplitude{.x = over, .y = {"amplitude", first.channels[1].unit}, .events = event_lines(first)};
  Panel frequency{.x = over, .y = {"frequency", "Hz"}}, multiplier{.x = over, .y = {"largest multiplier", ""}};
  for (const Variant& source : sources) {
    const Findings& f = *source.found;
    const std::vector<double> x = values_of(f, 0);
    const bool is_first = source.dash == Dash::solid;
    amplitude.curves.push_back(
        {"stable" + source.suffix, x, values_of(f, 1), Dash::solid, Mark::none, true, is_first ? 0 : 2});
    amplitude.curves.push_back(
        {"unstable" + source.suffix, x, values_of(f, 2), Dash::dashed, Mark::none, true, is_first ? 0 : 2});
    const std::vector<double> ramp = values_of(f, 3);
    if (std::ranges::any_of(ramp, [](double y) { return std::isfinite(y); }))
      amplitude.curves.push_back({"ramp" + source.suffix, x, ramp, Dash::solid, Mark::circle, false, 1});
    frequency.curves.push_back({"", x, values_of(f, 4), source.dash, Mark::none, true, 0});
    multiplier.curves.push_back({"", x, values_of(f, 5), source.dash, Mark::none, true, 0});
  }
  return {amplitude, frequency, multiplier};
}

}  // namespace

Figure figure_of(const Findings& f, const std::string& title, const Findings* other, const std::string& suffix) {
  std::vector<Variant> sources{{&f, Dash::solid, ""}};
  if (other) sources.push_back({other, Dash::dashed, suffix});
  if (f.analysis == "response") return {title, response_panels(sources)};
  if (f.analysis == "modes") return {title, f.abscissa.name == "mode" ? mode_panels(sources) : locus_panels(sources)};
  if (f.analysis == "critical_speed") return {title, cycle_panels(sources)};
  if (f.analysis == "evaluate" && has_limits(f)) return {title, assessed_panels(sources)};
  return {title, f.points.size() == 1 ? value_panels(sources) : plain_panels(sources)};
}

Paper paper_for(const Figure& figure) {
  return {.width = 900, .height = std::max(500.0, 110 + 200 * static_cast<double>(figure.panels.size()))};
}

Findings read_findings(const ResultFile& result) {
  const simulation::RunInfo& info = result.info();
  Findings out{.analysis = info.analysis, .method = info.formulation, .abscissa = info.abscissa};
  out.channels = info.channels, out.json = info.found;
  for (const double s : result.time()) out.points.push_back({s, std::vector<double>(info.channels.size()), {}, {}});
  for (std::size_t c = 0; c < info.channels.size(); ++c) {
    const std::vector<double> values = result.channel_values(c);
    for (std::size_t i = 0; i < values.size(); ++i) out.points[i].values[c] = values[i];
  }
  for (const simulation::EventRecord& e : result.events()) {
    if (e.is_of_the_model()) out.events.push_back(e);
  }
  return out;
}

}  // namespace skyhook::io::plot
