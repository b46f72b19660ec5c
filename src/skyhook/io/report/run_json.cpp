#include "skyhook/io/report/run_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <variant>

#include "skyhook/io/model_file/plots.h"
#include "skyhook/io/report/json_object.h"
#include "skyhook/io/result/tables.h"

namespace skyhook::io::report {
namespace {

std::string count(std::size_t n) { return std::to_string(n); }

std::string info_json(const ResultFile& result) {
  const simulation::RunInfo& info = result.info();
  const simulation::RunSummary s = result.summary();
  JsonObject json;
  json.text("analysis", info.analysis);
  json.text("model", info.model_name).text("model_file", info.model_file).text("experiment", info.experiment);
  json.text("formulation", info.formulation).text("solver", info.solver).text("jacobian", info.jacobian);
  json.number("tolerance", info.tolerance).number("t_start", info.t_start).number("t_end", info.t_end);
  json.text("abscissa", info.abscissa.name).text("abscissa_unit", info.abscissa.unit);
  json.text("created", result.created()).text("skyhook_version", result.skyhook_version());
  json.text("status", to_text(s.status)).text("reason", s.reason).number("t_reached", s.t_reached);
  json.number("seconds", s.seconds).number("integrator_seconds", s.cost.seconds);
  json.number("energy_closure", s.energy_closure).number("position_residual", s.position_residual);
  json.number("velocity_residual", s.velocity_residual).json("samples", count(result.samples()));
  return json.str();
}

// ["name [unit]", value]: as `skyhook show --cost` tells it.
std::string cost_json(const ResultFile& result) {
  const Table table = cost_table(result);
  std::string text = "[";
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const std::string unit = std::get<std::string>(table.at(r, 2));
    const std::string name = std::get<std::string>(table.at(r, 0)) + (unit.empty() ? "" : " [" + unit + "]");
    const long* whole = std::get_if<long>(&table.at(r, 1));
    const std::string value = whole ? std::to_string(*whole) : json_number(std::get<double>(table.at(r, 1)));
    text += (r ? ",[" : "[") + json_string(name) + "," + value + "]";
  }
  return text + "]";
}

std::string limits_json(const ResultFile& result) {
  const Table table = limit_table(result);
  std::string text = "[";
  for (std::size_t r = 0; r < table.rows(); ++r) {
    JsonObject limit;
    limit.text("state", std::get<std::string>(table.at(r, 0))).text("element", std::get<std::string>(table.at(r, 1)));
    limit.json("steps", std::to_string(std::get<long>(table.at(r, 2))));
    text += (r ? "," : "") + limit.str();
  }
  return text + "]";
}

std::vector<double> times_at(const ResultFile& result, const Rows& rows) {
  std::vector<double> times;
  times.reserve(rows.size());
  for (const auto row : rows) times.push_back(result.time()[row]);
  return times;
}

// Times to 2^-26 of the run's length, far below what a plot shows: the bytes of the digits beyond are noise that does not
// compress. In thinned runs each channel has times of its own, and these would be most of the page. The ends and events
// stay exact, since the page looks up values there, and the others keep their order beside them.
void shorten(std::vector<double>& times, const Rows& rows, const RunData& run) {
  const std::vector<double>& all = run.result->time();
  if (times.size() == all.size() || all.back() <= all.front()) return;
  const int exponent = std::ilogb(all.back() - all.front()) - 26;
  const auto is_exact = [&](std::size_t i) { return i == 0 || i + 1 == times.size() || run.sides[rows[i]] != 0; };
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (!is_exact(i))
      times[i] = std::max(std::ldexp(std::round(std::ldexp(times[i], -exponent)), exponent), times[i - 1]);
  }
  for (std::size_t i = times.size() - 1; i-- > 0;) {
    if (!is_exact(i)) times[i] = std::min(times[i], times[i + 1]);
  }
}

// Each list of times once: channels of the same samples share it.
class Times {
 public:
  Times(const RunData& run, Payload& payload) : run_(run), payload_(payload) {}
  std::size_t number_of(const Rows& rows) {
    const auto [found, is_new] = known_.try_emplace(rows, known_.size());
    if (!is_new) return found->second;
    std::vector<double> times = times_at(*run_.result, rows);
    shorten(times, rows, run_);
    text_ += (text_.empty() ? "" : ",") + payload_.add(times);
    return found->second;
  }
  std::string json() const { return "[" + text_ + "]"; }

 private:
  const RunData& run_;
  Payload& payload_;
  std::map<Rows, std::size_t> known_;
  std::string text_;
};

std::string statistics_json(const Statistics& s) {
  JsonObject json;
  json.number("min", s.min).number("max", s.max).number("mean", s.mean).number("rms", s.rms);
  json.number("first", s.first).number("last", s.last).number("t_min", s.t_min).number("t_max", s.t_max);
  return json.str();
}

std::string channel_json(const ChannelData& channel, std::size_t time, Payload& payload) {
  JsonObject json;
  json.text("name", channel.info.name).text("unit", channel.info.unit).json("time", count(time));
  json.json("values", payload.add(channel.values)).json("stats", statistics_json(channel.statistics));
  return json.str();
}

std::string frames_json(const RunData& run, Payload& payload) {
  const FrameData& frames = run.frames;
  const simulation::RunInfo& info = run.result->info();
  JsonObject json;
  json.json("time", payload.add(times_at(*run.result, frames.rows)));
  json.json("positions", payload.add(frames.positions));
  json.json("quaternions", payload.add_coarse_up_to(frames.quaternions, 1));
  json.json("reactions", payload.add_coarse(frames.reactions, info.joints.size()));
  json.json("forces", payload.add_coarse(frames.forces, info.forces.size()));
  json.json("moments", payload.add_coarse(frames.moments, info.forces.size()));
  if (!frames.state_names.empty()) {
    json.json("state_names", json_list(frames.state_names, [](const std::string& name) { return json_string(name); }));
    json.json("states", payload.add(frames.states));
  }
  return json.str();
}

std::string steps_json(const std::vector<simulation::StepRecord>& steps, Payload& payload) {
  std::vector<double> t;
  std::vector<float> h;
  std::vector<std::int32_t> order, dominant;
  for (const auto& step : steps) {
    t.push_back(step.t), h.push_back(static_cast<float>(step.h));
    order.push_back(step.order), dominant.push_back(step.dominant);
  }
  JsonObject json;
  json.json("t", payload.add(t)).json("h", payload.add(h));
  json.json("order", payload.add(order)).json("dominant", payload.add(dominant));
  return json.str();
}

std::string drift_json(const RunData& run, Payload& payload) {
  JsonObject json;
  json.json("time", payload.add(times_at(*run.result, run.drift.rows)));
  json.json("position", payload.add(run.drift.position)).json("velocity", payload.add(run.drift.velocity));
  return json.str();
}

// About one sample of how many is here, in the channel with most.
double thinned_by(const RunData& run) {
  std::size_t kept = 0;
  for (const ChannelData& channel : run.channels) kept = std::max(kept, channel.rows.size());
  return kept == 0 ? 1 : static_cast<double>(run.result->samples()) / static_cast<double>(kept);
}

std::string panel_json(const PlotPanel& panel) {
  const auto list = [](const std::vector<std::string>& texts) {
    return json_list(texts, [](const std::string& text) { return json_string(text); });
  };
  JsonObject json;
  json.json("curves", list(panel.curves));
  if (!panel.title.empty()) json.text("title", panel.title);
  if (!panel.x.empty()) json.text("x", panel.x);
  if (!panel.view.empty()) json.text("view", panel.view);
  if (!panel.units.empty()) json.json("units", list(panel.units));
  return json.str();
}

std::string plots_json(const std::string& model_text) {
  return json_list(plot_pages(model_text), [](const PlotPage& page) {
    return JsonObject().text("name", page.name).json("panels", json_list(page.panels, panel_json)).str();
  });
}

void add_model(const RunData& run, JsonObject& json) {
  const simulation::RunInfo& info = run.result->info();
  json.json("parameters", json_list(info.parameters, [](const auto& p) {
              return JsonObject().text("name", p.first).text("value", p.second).str();
            }));
  json.json("report", json_list(info.report, [](const std::string& line) { return json_string(line); }));
  json.text("source", info.source);
  json.json("scene", run.scene).json("found", run.found);
  if (const std::string plots = plots_json(info.expanded); plots != "[]") json.json("plots", plots);
  json.json("states", json_list(info.states, [](const auto& state) { return json_string(state.name); }));
}

std::string what_was_run(const ResultFile& result) {
  const simulation::RunInfo& info = result.info();
  return info.model_name + (info.experiment.empty() ? "" : ", " + info.experiment);
}
std::string with_name(const ResultFile& result) {
  return what_was_run(result) + " (" + result.path().filename().string() + ")";
}
std::string with_path(const ResultFile& result) { return what_was_run(result) + " (" + result.path().string() + ")"; }

std::string note_of(const RunData& run) {
  std::string note;
  for (const std::string& line : notes_of(run)) note += (note.empty() ? "" : " ") + line;
  return note;
}

}  // namespace

std::vector<std::string> labels_of(const std::vector<const ResultFile*>& results) {
  std::vector<std::string> labels;
  for (const auto& label : {what_was_run, with_name, with_path}) {
    labels.clear();
    for (const ResultFile* result : results) labels.push_back(label(*result));
    if (std::set<std::string>(labels.begin(), labels.end()).size() == labels.size()) break;
  }
  return labels;
}

std::string run_json(const RunData& run, Payload& payload) {
  const ResultFile& result = *run.result;
  JsonObject json;
  json.text("label", run.label).text("file", result.path().filename().string());
  json.json("info", info_json(result)).json("cost", cost_json(result)).json("limits", limits_json(result));
  if (const std::string note = note_of(run); !note.empty()) json.text("note", note);
  add_model(run, json);
  json.json("frames", frames_json(run, payload));
  Times times(run, payload);
  json.json("channels", json_list(run.channels, [&](const ChannelData& channel) {
              return channel_json(channel, times.number_of(channel.rows), payload);
            }));
  json.json("times", times.json()).number("thinned", thinned_by(run));
  json.json("steps", steps_json(run.steps, payload)).json("drift", drift_json(run, payload));
  json.json("events", json_list(run.events, [](const simulation::EventRecord& event) {
              JsonObject json_event;
              json_event.number("t", event.t).text("name", event.name).text("detail", event.detail);
              if (!event.element.empty()) json_event.text("element", event.element);
              if (!event.kind.empty()) json_event.text("kind", event.kind);
              return json_event.str();
            }));
  return json.str();
}

}  // namespace skyhook::io::report
