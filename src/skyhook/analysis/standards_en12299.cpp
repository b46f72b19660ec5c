// EN 12299 (ride comfort for passengers), mean comfort by the simplified method, from general knowledge of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/filters.h"
#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {
namespace {

struct Direction3 {
  const char *role, *name, *weighting;
};
constexpr Direction3 directions[] = {{"longitudinal_acceleration", "longitudinal", "Wd"},
                                     {"lateral_acceleration", "lateral", "Wd"},
                                     {"vertical_acceleration", "vertical", "Wb"}};

// Weighted rms of each whole block of the record.
std::vector<double> block_values(const Signal& weighted, double length) {
  std::vector<double> out;
  for (double t = weighted.x.front(); t + length <= weighted.x.back() * (1 + 1e-12); t += length)
    out.push_back(rms(part(weighted, t, t + length)));
  return out;
}

// Of single values: by a line between those of ranks (n - 1) p below and above.
double percentile_of(std::vector<double> values, double percent) {
  std::ranges::sort(values);
  const double rank = (static_cast<double>(values.size()) - 1) * percent / 100;
  const auto below = static_cast<std::size_t>(rank);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + (rank - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

const char* word_of(double N) {
  return N < 1.5   ? "very comfortable"
         : N < 2.5 ? "comfortable"
         : N < 3.5 ? "medium"
         : N < 4.5 ? "uncomfortable"
                   : "very uncomfortable";
}

double evaluate_direction(const Direction3& d, const Signal& a, const EvaluationInputs& inputs, Evaluation& out) {
  const double block = inputs.quantity_or_refuse("block");
  const Signal weighted = inputs.within(filtered(weighting(d.weighting), a));
  inputs.refuse_many("block", weighted.span() / block);
  const std::vector<double> values = block_values(weighted, block);
  if (values.empty())
    inputs.fail(fmt::format("the record is shorter than a block of {:g} s.", block),
                "Evaluate a longer run; the standard has 300 s.");
  Signal continuous = inputs.within(running_rms(filtered(weighting(d.weighting), a), block));
  continuous.name = std::string(d.name) + ".continuous";
  const std::string n = d.name;
  const double p95 = percentile_of(values, 95);
  out.numbers.push_back(
      {n + ".p95", "m/s^2", p95,
       fmt::format("95 % of the {} values of {:g} s, weighted by {}", values.size(), block, d.weighting)});
  out.numbers.push_back({n + ".p50", "m/s^2", percentile_of(values, 50), "their median"});
  out.numbers.push_back({n + ".largest", "m/s^2", *std::ranges::max_element(values), "the largest of them"});
  if (values.size() < 60 && out.notes.empty())
    out.notes.push_back(fmt::format("there are {} blocks of {:g} s; the standard has 60 of 5 s", values.size(), block));
  out.curves.push_back(std::move(continuous));
  return p95;
}

}  // namespace

void evaluate_en12299(const EvaluationInputs& inputs, Evaluation& out) {
  double squares = 0;
  bool any = false;
  for (const Direction3& d : directions) {
    const auto a = inputs.channel(d.role);
    if (!a) continue;
    any = true;
    const double value = evaluate_direction(d, *a, inputs, out);
    squares += value * value;
  }
  if (!any) (void)inputs.required("vertical_acceleration");  // says what is missing
  const double N = 6 * std::sqrt(squares);
  out.numbers.insert(out.numbers.begin(),
                     {"N_MV", "-", N, "mean comfort, 6 (sum of the squares of the 95 % values)^(1/2)"});
  out.notes.push_back(fmt::format("mean comfort: {}", word_of(N)));
}

}  // namespace skyhook::analysis
