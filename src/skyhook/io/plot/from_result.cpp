#include "skyhook/io/plot/from_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "skyhook/base/error.h"
#include "skyhook/io/result/signals.h"

namespace skyhook::io::plot {
namespace {

constexpr std::size_t default_channels = 6, most_events = 50;

using analysis::Signal;

void to_degrees(Signal& s) {
  if (!s.unit.starts_with("rad")) return;
  s.unit.replace(0, 3, "deg");
  for (double& v : s.y) v *= 180 / std::numbers::pi;
}

// The samples from..to, and one beyond each end so that curves reach the edge.
void cut(Signal& s, const ResultPlot& plot) {
  auto first = s.x.begin(), last = s.x.end();
  if (plot.from) first = std::lower_bound(first, last, *plot.from);
  if (plot.to) last = std::upper_bound(first, last, *plot.to);
  if (first != s.x.begin()) --first;
  if (last != s.x.end()) ++last;
  const auto begin = first - s.x.begin(), end = last - s.x.begin();
  s.y = {s.y.begin() + begin, s.y.begin() + end};
  s.x = {s.x.begin() + begin, s.x.begin() + end};
}

bool is_over(const ResultFile& run, const Signal& s) { return s.abscissa.name == run.info().abscissa.name; }

// A channel or a formula; a number is a level line.
Signal read(const ResultFile& run, const std::string& text, const ResultPlot& plot) {
  Signal s = signal_of(run, text);
  if (plot.degrees) to_degrees(s);
  if (s.is_number())
    s.x = {run.time().front(), run.time().back()}, s.y = {s.y[0], s.y[0]}, s.abscissa = run.info().abscissa;
  if (is_over(run, s)) cut(s, plot);
  return s;
}

// What lies outside from..to of an x-y plot is no edge to draw to.
void drop_outside(Signal& s, const std::vector<double>& time, const ResultPlot& plot) {
  for (std::size_t k = 0; k < time.size(); ++k) {
    if ((plot.from && time[k] < *plot.from) || (plot.to && time[k] > *plot.to)) s.y[k] = std::nan("");
  }
}

struct Source {
  const ResultFile* run;
  Dash dash;
  std::string suffix;  // of labels
};

class Maker {
 public:
  Maker(const ResultPlot& plot, std::vector<Source> sources) : plot_(plot), sources_(std::move(sources)) {}

  void add(const std::string& name) {
    std::optional<std::size_t> panel;
    for (const Source& source : sources_) {
      if (&source != &sources_.front() && !has(*source.run, name)) continue;
      Signal y = read(*source.run, name, plot_);
      if (!panel) panel = panel_for(y), names_[*panel].push_back(name);
      const std::size_t colour = names_[*panel].size() - 1;
      units_.push_back(y.unit);
      figure_.panels[*panel].curves.push_back(curve(source, std::move(y), colour));
    }
  }

  Figure finish() {
    for (std::size_t k = 0; k < names_.size(); ++k) name_axis(figure_.panels[k], names_[k]);
    return std::move(figure_);
  }

 private:
  static bool has(const ResultFile& run, const std::string& name) {
    const auto& all = run.channels();
    return is_formula(run, name) || std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.name == name; });
  }

  std::size_t panel_for(const Signal& y) {
    auto& panels = figure_.panels;
    const auto same = std::find_if(panels.begin(), panels.end(), [&](const Panel& p) {
      return p.x.label == x_axis(y).label &&
             (plot_.panels == Panels::one || (plot_.panels == Panels::by_unit && p.y.unit == y.unit));
    });
    if (same != panels.end()) {
      if (same->y.unit != y.unit) same->y.unit.clear(), mixed_ = true;
      return static_cast<std::size_t>(same - panels.begin());
    }
    panels.push_back({.x = x_axis(y), .y = {"", y.unit, plot_.log_y || is_density(y)}});
    names_.emplace_back();
    if (is_over(*sources_.front().run, y)) add_events(panels.back());
    return panels.size() - 1;
  }

  Axis x_axis(const Signal& y) const {
    if (!is_over(*sources_.front().run, y)) return {y.abscissa.name, y.abscissa.unit, true, {}, {}, true};
    if (plot_.x.empty()) return {y.abscissa.name, y.abscissa.unit, plot_.log_x, plot_.from, plot_.to, true};
    return {plot_.x, read(*sources_.front().run, plot_.x, plot_).unit, plot_.log_x};
  }

  // Spectra and gains go over decades; phases and coherences do not.
  bool is_density(const Signal& y) const {
    return !is_over(*sources_.front().run, y) && y.unit != "rad" && y.unit != "deg" && y.unit != "-";
  }

  void add_events(Panel& panel) const {
    if (!plot_.x.empty()) return;
    const auto events = sources_.front().run->events();
    if (events.size() > most_events) return;  // a hatching that says nothing
    for (const auto& e : events) panel.events.push_back({e.t, e.name + (e.detail.empty() ? "" : ": " + e.detail)});
  }

  Curve curve(const Source& source, Signal y, std::size_t colour) const {
    Curve c{.label = y.name + source.suffix, .dash = source.dash, .colour = colour};
    if (plot_.x.empty() || !is_over(*source.run, y)) {
      c.x = std::move(y.x);
    } else {
      Signal x = read(*source.run, plot_.x, plot_);
      if (x.y.size() != y.y.size())
        throw ModelError({"command line"}, "--x " + plot_.x + " and " + y.name + " do not have the same samples.",
                         "Name a channel.");
      drop_outside(x, y.x, plot_);
      c.x = std::move(x.y);
    }
    c.y = std::move(y.y);
    return c;
  }

  // One curve names its axis and needs no legend; several may share the last part of their names.
  void name_axis(Panel& p, const std::vector<std::string>& names) const {
    const auto last_part = [](const std::string& s) { return s.substr(s.rfind('.') + 1); };
    const bool alike = std::all_of(names.begin(), names.end(),
                                   [&](const std::string& s) { return last_part(s) == last_part(names[0]); });
    if (names.size() == 1)
      p.y.label = names[0];
    else if (alike)
      p.y.label = last_part(names[0]);
    if (p.curves.size() == 1) p.curves[0].label.clear();
    for (std::size_t k = 0; k < p.curves.size() && mixed_; ++k)
      p.curves[k].label = axis_title({p.curves[k].label, units_[k]});
  }

  const ResultPlot& plot_;
  std::vector<Source> sources_;
  Figure figure_;
  std::vector<std::vector<std::string>> names_;  // by panel: its channels
  std::vector<std::string> units_;               // of the curves in order, for the legend of mixed ones
  bool mixed_ = false;
};

std::vector<std::string> chosen(const ResultFile& run, const ResultPlot& plot) {
  std::vector<std::string> names = select_with_formulas(run, plot.channels);
  if (plot.channels.empty() && names.size() > default_channels) names.resize(default_channels);
  return names;
}

std::string default_title(const ResultFile& run) {
  const auto& info = run.info();
  return info.experiment.empty() ? info.model_name : info.model_name + ", " + info.experiment;
}

void refuse_empty_range(const ResultPlot& plot, const std::vector<Source>& sources) {
  const Location where{"command line"};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double from = plot.from.value_or(-infinity), to = plot.to.value_or(infinity);
  if (!std::isfinite(plot.from.value_or(0)) || !std::isfinite(plot.to.value_or(0)))
    throw ModelError(where, "--from and --to must be finite.", "Both are times in s.");
  if (!(from < to)) throw ModelError(where, "--from is not before --to.", "Both are times in s.");
  const bool is_met = std::any_of(sources.begin(), sources.end(), [&](const Source& s) {
    const auto& time = s.run->time();
    return time.empty() || (from <= time.back() && to >= time.front());
  });
  const auto& time = sources.front().run->time();
  const std::string& unit = sources.front().run->info().abscissa.unit;
  if (!is_met)
    throw ModelError(where, "nothing is recorded between --from and --to.",
                     fmt::format("The run is from {} {} to {} {}.", time.front(), unit, time.back(), unit));
}

}  // namespace

Figure figure_of(const ResultFile& run, const ResultPlot& plot, const ResultFile* other) {
  std::vector<Source> sources{{&run, Dash::solid, ""}};
  if (other != nullptr) sources.push_back({other, Dash::dashed, " (" + other->path().filename().string() + ")"});
  refuse_empty_range(plot, sources);
  Maker maker(plot, sources);
  for (const std::string& name : chosen(run, plot)) maker.add(name);
  Figure figure = maker.finish();
  figure.title = plot.title.empty() ? default_title(run) : plot.title;
  return figure;
}

}  // namespace skyhook::io::plot
