#include "skyhook/analysis/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "skyhook/analysis/record_doubts.h"
#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {
namespace {

// As "{:.6g}" has it, at a third of the price: curves have thousands.
std::string six_digits(double value) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::general, 6).ptr;
  return {text, end};
}

const Standard& standard_of(const EvaluationRequest& request) {
  if (const Standard* standard = find_standard(request.standard)) return *standard;
  std::vector<std::string> known;
  for (const Standard& s : standards()) known.push_back(s.name);
  throw ModelError(request.where, "there is no standard \"" + request.standard + "\".",
                   suggest(request.standard, known, "Standards"));
}

}  // namespace

void check_request(const EvaluationRequest& request) {
  const Standard& standard = standard_of(request);
  std::vector<std::string> known{"from", "to"};
  for (const Role& role : standard.roles) known.push_back(role.name);
  for (const EvaluationSetting& setting : standard.settings) known.push_back(setting.name);
  for (const auto& [name, value] : request.given) {
    if (std::ranges::find(known, name) == known.end())
      throw ModelError(request.where, standard.name + " has no \"" + name + "\".", suggest(name, known, "It has"));
    if (name != "channels" && std::ranges::count(request.given, name, &std::pair<std::string, std::string>::first) > 1)
      throw ModelError(request.where, standard.name + ": \"" + name + "\" is given more than once.",
                       "Leave out all but one.");
  }
  const std::vector<EvaluatedRun> none;
  const EvaluationInputs inputs(standard, request, none);
  for (const EvaluationSetting& setting : standard.settings) {
    if (!setting.unit.empty()) inputs.quantity(setting.name);  // refuses what is out of its range
  }
}

const EvaluatedNumber* Evaluation::find(const std::string& number) const {
  const auto found = std::ranges::find(numbers, number, &EvaluatedNumber::name);
  return found == numbers.end() ? nullptr : &*found;
}

Evaluation evaluate(const EvaluationRequest& request, const std::vector<EvaluatedRun>& runs) {
  Unresolved unresolved;
  const std::vector<EvaluatedRun> read = watched(runs, unresolved);
  Evaluation out = evaluate_as_recorded(request, read);
  for (const auto& notes : {notes_of(unresolved), notes_of_turning(out, runs.front())})
    out.notes.insert(out.notes.end(), notes.begin(), notes.end());
  return out;
}

Evaluation evaluate_as_recorded(const EvaluationRequest& request, const std::vector<EvaluatedRun>& runs) {
  check_request(request);
  const Standard& standard = standard_of(request);
  const EvaluationInputs inputs(standard, request, runs);
  if (runs.size() > 1 && !standard.takes_several_runs)
    inputs.fail(fmt::format("{} results are given, but it evaluates one run.", runs.size()),
                "Evaluate them one by one; iso3888 and iso4138 take several.");
  Evaluation out{standard.name, request.name.empty() ? standard.name : request.name};
  standard.evaluate(inputs, out);
  out.channels = inputs.used();
  return out;
}

Table table_of(const Evaluation& e) {
  Table table;
  table.add_column("number"), table.add_column("value", "", 5), table.add_column("unit"), table.add_column("meaning");
  for (const EvaluatedNumber& n : e.numbers) table.add_row({n.name, n.value, n.unit, n.meaning});
  return table;
}

Table section_table(const Evaluation& e) {
  Table table;
  if (e.sections.empty()) return table;
  table.add_column("zone"), table.add_column("from", "m", 5), table.add_column("to", "m", 5),
      table.add_column("radius", "m", 4);
  for (const auto& [name, value] : e.sections.front().values) table.add_column(name, "", 4);
  for (const EvaluatedSection& s : e.sections) {
    std::vector<Cell> row{s.zone, s.from, s.to, s.radius};
    for (const auto& [name, value] : s.values) row.emplace_back(value);
    table.add_row(std::move(row));
  }
  return table;
}

std::string curves_json(const Evaluation& e) {
  if (e.curves.empty() || e.curves.front().x.size() < 2) return {};
  constexpr std::size_t most = 1500;
  const Signal& first = e.curves.front();
  const std::size_t count = first.x.size(), stride = (count + most - 1) / most;
  // Of each stretch, the value of the largest size.
  const auto list = [&](const std::vector<double>& values, bool is_place) {
    std::string text;
    for (std::size_t k = 0; k < count; k += stride) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(k),
                 end = values.begin() + static_cast<std::ptrdiff_t>(std::min(k + stride, count));
      const double value =
          is_place ? *begin
                   : *std::max_element(begin, end, [](double a, double b) { return std::abs(a) < std::abs(b); });
      if (!text.empty()) text += ',';
      text += std::isfinite(value) ? six_digits(value) : std::string("null");
    }
    return "[" + text + "]";
  };
  std::string lines;
  for (const Signal& s : e.curves) {
    if (s.y.size() != count) continue;
    lines += fmt::format("{}{{\"name\": {}, \"unit\": {}, \"y\": {}}}", lines.empty() ? "" : ",", json_string(s.name),
                         json_string(s.unit), list(s.y, false));
  }
  return fmt::format("{{\"abscissa\": {}, \"unit\": {}, \"x\": {}, \"lines\": [{}]}}", json_string(first.abscissa.name),
                     json_string(first.abscissa.unit), list(first.x, true), lines);
}

std::string json_of(const Evaluation& e) {
  std::string channels;
  for (const auto& [role, channel] : e.channels)
    channels += fmt::format("{}{}: {}", channels.empty() ? "" : ", ", json_string(role), json_string(channel));
  const std::string sections = e.sections.empty() ? "" : ",\n\"sections\":\n" + section_table(e).to_json();
  return fmt::format("{{\"standard\": {}, \"name\": {}, \"notes\": {}, \"numbers\":\n{}{},\n\"channels\": {{{}}}}}",
                     json_string(e.standard), json_string(e.name), json_list(e.notes), table_of(e).to_json(), sections,
                     channels);
}

Findings findings_of(const Evaluation& e) {
  Findings out{.analysis = "evaluate", .method = e.standard};
  out.json = json_of(e);
  if (e.curves.empty()) {  // the numbers side by side
    Findings::Point& point = out.points.emplace_back();
    for (const EvaluatedNumber& n : e.numbers)
      out.channels.push_back({n.name, n.unit}), point.values.push_back(n.value);
    return out;
  }
  out.abscissa = e.curves.front().abscissa;
  for (const Signal& s : e.curves) out.channels.push_back({s.name, s.unit});
  for (std::size_t k = 0; k < e.curves.front().x.size(); ++k) {
    Findings::Point& point = out.points.emplace_back();
    point.s = e.curves.front().x[k];
    for (const Signal& s : e.curves) point.values.push_back(s.y[k]), point.rates.push_back(s.node(k).v);
  }
  return out;
}

}  // namespace skyhook::analysis
