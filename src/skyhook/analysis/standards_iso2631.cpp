// ISO 2631-1 (1997), from general knowledge of it; the weightings are checked against its tables (filters.test.cpp).
#include <fmt/format.h>

#include <cmath>

#include "skyhook/analysis/filters.h"
#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {
namespace {

struct AxisOfPerson {
  const char *role, *name, *weighting;
  double comfort, health;  // factors k; 0: it does not count
};
constexpr AxisOfPerson axes[] = {{"longitudinal_acceleration", "longitudinal", "Wd", 1, 1.4},
                                 {"lateral_acceleration", "lateral", "Wd", 1, 1.4},
                                 {"vertical_acceleration", "vertical", "Wk", 1, 1},
                                 {"backrest_acceleration", "backrest", "Wc", 0.8, 0}};

// Annex C; the ranges overlap, so that some values have two words.
std::string comfort_of(double a) {
  struct Word {
    double low, high;
    const char* text;
  };
  constexpr Word words[] = {{0, 0.315, "not uncomfortable"},   {0.315, 0.63, "a little uncomfortable"},
                            {0.5, 1, "fairly uncomfortable"},  {0.8, 1.6, "uncomfortable"},
                            {1.25, 2.5, "very uncomfortable"}, {2, 1e300, "extremely uncomfortable"}};
  std::string out;
  for (const Word& w : words) {
    if (a >= w.low && a < w.high) out += (out.empty() ? "" : " to ") + std::string(w.text);
  }
  return out;
}

// Samples carry frequencies up to a fifth of their rate to within 1 % of the curve through them.
void note_rate(const Signal& s, Evaluation& out) {
  double widest = 0;
  for (std::size_t k = 1; k < s.x.size(); ++k) widest = std::max(widest, s.x[k] - s.x[k - 1]);
  if (0.2 / widest < 80)
    out.notes.push_back(
        fmt::format("samples are {:.4g} s apart: above {:.3g} Hz they do not tell what the weighting, which reaches to "
                    "80 Hz, would "
                    "need",
                    widest, 0.2 / widest));
}

double evaluate_axis(const AxisOfPerson& axis, const Signal& a, const EvaluationInputs& inputs, Evaluation& out) {
  const double window = inputs.quantity_or_refuse("window");
  Signal weighted = filtered(weighting(axis.weighting), a);
  Signal running = running_rms(weighted, window);
  weighted = inputs.within(weighted), running = inputs.within(running);
  const std::string name = axis.name;
  weighted.name = name + ".weighted", running.name = name + ".running_rms";
  const double a_w = rms(weighted), mtvv = largest(running), vdv = vibration_dose(weighted);
  const double highest = std::max(largest(weighted), -smallest(weighted)), crest = highest / a_w;
  const auto add = [&](const char* kind, const char* unit, double value, const std::string& meaning) {
    out.numbers.push_back({name + "." + kind, unit, value, meaning});
  };
  add("rms", "m/s^2", a_w, fmt::format("weighted rms a_w by {}", axis.weighting));
  add("mtvv", "m/s^2", mtvv, fmt::format("maximum transient vibration value: largest running rms of {:g} s", window));
  add("vdv", "m/s^1.75", vdv, "vibration dose value of the record");
  add("peak", "m/s^2", highest, "largest weighted acceleration");
  add("crest_factor", "-", crest, "peak over rms");
  if (crest > 9)
    out.notes.push_back(
        fmt::format("{}: the crest factor is above 9: rms alone may tell too little, see mtvv and vdv", name));
  if (mtvv > 1.5 * a_w)
    out.notes.push_back(fmt::format("{}: mtvv is {:.2f} times rms, above 1.5: single shocks matter", name, mtvv / a_w));
  if (const double ratio = vdv / (a_w * std::pow(weighted.span(), 0.25)); ratio > 1.75)
    out.notes.push_back(
        fmt::format("{}: vdv is {:.2f} times rms T^(1/4), above 1.75: single shocks matter", name, ratio));
  out.curves.push_back(std::move(weighted)), out.curves.push_back(std::move(running));
  return a_w;
}

}  // namespace

void evaluate_iso2631(const EvaluationInputs& inputs, Evaluation& out) {
  const std::string use = inputs.text("use");
  if (use != "comfort" && use != "health") inputs.fail("use is \"" + use + "\".", "Give comfort or health.");
  double squares = 0, largest_axis = 0;
  bool any = false;
  for (const AxisOfPerson& axis : axes) {
    const auto a = inputs.channel(axis.role);
    if (!a) continue;
    if (!any) note_rate(*a, out);
    any = true;
    const double k = use == "comfort" ? axis.comfort : axis.health, value = k * evaluate_axis(axis, *a, inputs, out);
    squares += value * value, largest_axis = std::max(largest_axis, value);
  }
  if (!any) (void)inputs.required("vertical_acceleration");  // says what is missing
  const double total = std::sqrt(squares);
  out.numbers.push_back(
      {"total.rms", "m/s^2", total, "vibration total value a_v of the axes given, with the factors k of " + use});
  if (use == "health")
    out.numbers.push_back(
        {"worst_axis.rms", "m/s^2", largest_axis, "largest k a_w of an axis, by which health is assessed"});
  else
    out.notes.push_back("total: " + comfort_of(total));
}

}  // namespace skyhook::analysis
