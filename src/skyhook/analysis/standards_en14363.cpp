// EN 14363 (on-track tests, normal method) and UIC 518, from general knowledge of them; filters, means and percentiles agree with the table of
// gensys.se, UIC518_tests. Limits: [EN 14363] as quoted in docs/evaluation.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/filters.h"
#include "skyhook/analysis/rail_instability.h"
#include "skyhook/analysis/rail_sections.h"
#include "skyhook/analysis/rail_wheels.h"
#include "skyhook/analysis/signal_over.h"

namespace skyhook::analysis {
namespace {

constexpr double low_percent = 0.15, high_percent = 99.85, median = 50;

// A quantity of one wheel or axle as a curve over the distance, with the limits of its size.
struct Assessed {
  std::string kind, owner;  // "yq", "front.left"
  Signal curve;             // over the distance
  double limit = 0;         // 0: none
};

class RailRun {
 public:
  RailRun(const EvaluationInputs& inputs, Evaluation& out)
      : inputs_(inputs),
        out_(out),
        filter_(butterworth(4, Pass::low, inputs.quantity_or_refuse("cutoff"))),
        window_(inputs.quantity_or_refuse("window")),
        step_(inputs.quantity_or_refuse("interval")),
        distance_(rail_distance(inputs)),
        wheels_(rail_wheels(inputs)) {
    for (RailWheel& w : wheels_) w.Y = low_passed(w.Y), w.Q = low_passed(w.Q);
  }

  void evaluate() {
    for (const RailWheel& w : wheels_) assess(w);
    for (const RailAxle& a : rail_axles(wheels_)) assess(a);
    if (rail_axles(wheels_).empty()) out_.notes.push_back("no axle has both its wheels here: there is no sum of Y");
    add_accelerations();
    tell_worst();
    divide();
    draw();
  }

 private:
  Signal low_passed(const Signal& s) const { return filtered(filter_, s); }

  // Over the distance, within `from` and `to`.
  Signal along(const Signal& s) const {
    const auto out = over(inputs_.within(s), inputs_.within(distance_));
    if (!out)
      inputs_.fail("the distance does not rise throughout.",
                   "Give --from and --to so that the vehicle goes forward between them.");
    return *out;
  }
  Signal mean_of(const Signal& s) const {
    const Signal whole = along(s);
    inputs_.refuse_many("interval", whole.span() / step_);
    Signal out = sliding_mean(whole, window_, step_);
    if (out.x.size() < 2)
      inputs_.fail(fmt::format("the vehicle goes less than {:g} m, the window of the sliding mean.", window_ + step_),
                   "Evaluate a longer run, or give --window.");
    return out;
  }

  double add(const std::string& name, const char* unit, double value, const std::string& meaning) {
    out_.numbers.push_back({name, unit, value, meaning});
    return value;
  }
  // Both percentiles; gives the one of the larger size.
  double add_percentiles(const std::string& name, const char* unit, const Signal& s, const std::string& of) {
    const double low = add(name + ".p0.15", unit, percentile(s, low_percent), of + ", 0.15 %");
    const double high = add(name + ".p99.85", unit, percentile(s, high_percent), of + ", 99.85 %");
    return std::abs(low) > std::abs(high) ? low : high;
  }
  void judge(const std::string& what, double value, double limit, const std::string& of) {
    if (limit > 0 && std::abs(value) > limit)
      out_.notes.push_back(fmt::format("{}: {:.4g} is above the limit of {:.4g} {}", what, std::abs(value), limit, of));
  }

  double static_load(const RailWheel& w) const {
    if (const auto given = inputs_.quantity("static_load")) return *given;
    return mean(inputs_.within(w.Q));
  }

  void assess(const RailWheel& w) {
    const Signal quotient = quotient_of(w);
    const Signal mean = mean_of(quotient), Q = along(w.Q), Y = along(w.Y);
    const double Q0 = static_load(w), yq_limit = inputs_.quantity_or_refuse("yq_limit");
    const double nadal =
        nadal_limit(inputs_.quantity_or_refuse("friction"), inputs_.quantity_or_refuse("flange_angle"));
    const double q_limit = std::min(Q0 + 90e3, largest_Q());
    const std::string& n = w.name;
    judge(n + ".yq", add_percentiles(n + ".yq", "-", mean, "Y/Q, 2 m mean"), yq_limit, "of EN 14363");
    judge(n + ".yq.max", add(n + ".yq.max", "-", largest_size(mean), "largest 2 m mean of Y/Q"), nadal, "of Nadal");
    judge(n + ".q", add(n + ".q.p99.85", "N", percentile(Q, high_percent), "wheel force Q"), q_limit, "of EN 14363");
    judge(n + ".y_qst", add(n + ".y_qst", "N", percentile(Y, median), "quasi-static guiding force: median of Y"), 60e3,
          "of EN 14363");
    judge(n + ".q_qst", add(n + ".q_qst", "N", percentile(Q, median), "quasi-static wheel force: median of Q"), 145e3,
          "of EN 14363");
    add(n + ".q_0", "N", Q0,
        inputs_.quantity("static_load") ? "static wheel force, as given" : "static wheel force: the mean of the run");
    const double unloading_limit = inputs_.quantity_or_refuse("unloading_limit");
    judge(n + ".unloading", add(n + ".unloading", "-", 1 - smallest(Q) / Q0, "largest unloading of the wheel, dQ/Q0"),
          unloading_limit, "of EN 14363");
    if (smallest(Q) <= 0) out_.notes.push_back(n + ": the wheel lifts off");
    Signal unloading = Q;
    unloading.unit = "-";
    for (double& y : unloading.y) y = 1 - y / Q0;
    for (double& v : unloading.rate) v = -v / Q0;
    assessed_.push_back({"yq", n, mean, std::min(yq_limit, nadal)});
    assessed_.push_back({"q", n, Q, q_limit});
    assessed_.push_back({"y", n, Y, 0});
    assessed_.push_back({"unloading", n, unloading, unloading_limit});
  }

  // Where a wheel is off the rail, Y/Q has no meaning and counts as 0.
  static Signal quotient_of(const RailWheel& w) {
    Signal out = w.Y.like("yq", "-");
    for (std::size_t k = 0; k < w.Y.y.size(); ++k) {
      const double Q = w.Q.y[k], Y = w.Y.y[k];
      out.y.push_back(Q > 0 ? Y / Q : 0);
      out.rate.push_back(Q > 0 ? (w.Y.node(k).v - Y / Q * w.Q.node(k).v) / Q : 0);
    }
    return out;
  }
  static double largest_size(const Signal& s) { return std::max(largest(s), -smallest(s)); }

  // To the left: Y of wheels points to the field side.
  void assess(const RailAxle& a) {
    Signal sum = wheels_[a.left].Y;
    const Signal& right = wheels_[a.right].Y;
    for (std::size_t k = 0; k < sum.y.size(); ++k) {
      sum.y[k] -= right.y[k];
      if (k < sum.rate.size()) sum.rate[k] -= right.node(k).v;
    }
    const Signal mean = mean_of(sum);
    const double load = static_load(wheels_[a.left]) + static_load(wheels_[a.right]);
    const double limit = prudhomme_limit(load, inputs_.quantity_or_refuse("prudhomme_factor"));
    judge(a.name + ".sum_y", add_percentiles(a.name + ".sum_y", "N", mean, "sum of Y, 2 m mean, to the left"), limit,
          "N of Prud'homme");
    add(a.name + ".sum_y.limit", "N", limit, "of Prud'homme, k (10 kN + P0/3)");
    assessed_.push_back({"sum_y", a.name, mean, limit});
    add_instability(a.name + ".sum_y", sum, "N", limit / 2);
  }

  // Half of what the largest value may be: the amplitude of a sine is 1.4 times its rms.
  void add_instability(const std::string& name, const Signal& s, const char* unit, double limit) {
    const double window = inputs_.quantity_or_refuse("instability_window");
    const auto found = instability_of(inputs_.within(s), inputs_.within(distance_),
                                      inputs_.quantity("instability_frequency"), window, 10);
    if (!found) {
      const std::string note = fmt::format(
          "there is no rms over {:g} m, for the instability: the way is shorter, or nothing swings", window);
      if (std::ranges::find(out_.notes, note) == out_.notes.end()) out_.notes.push_back(note);
      return;
    }
    const double most = add(name + ".instability", unit, largest(found->rms),
                            fmt::format("largest rms over {:g} m, within 2 Hz of {:.3g} Hz", window, found->frequency));
    if (limit > 0) add(name + ".instability.limit", unit, limit, "half of the limit of the largest value");
    judge(name + ".instability", most, limit, std::string(unit) + " of EN 14363: it does not run steadily");
    assessed_.push_back({name.ends_with("sum_y") ? "instability" : "instability_bogie", name.substr(0, name.rfind('.')),
                         found->rms, limit});
  }

  // By the speed; UIC 518 and EN 14363 have these steps.
  double largest_Q() const {
    const Signal d = inputs_.within(distance_);
    const double kmh = 3.6 * (d.y.back() - d.y.front()) / d.span();
    return kmh <= 160 ? 200e3 : kmh <= 200 ? 190e3 : kmh <= 250 ? 180e3 : kmh <= 300 ? 170e3 : 160e3;
  }

  void add_accelerations() {
    for (const auto& [role, name] :
         {std::pair("lateral_acceleration", "lateral"), {"vertical_acceleration", "vertical"}}) {
      const auto a = inputs_.channel(role);
      if (!a) continue;
      const Signal ride = along(filtered(butterworth(4, Pass::band, 0.4, 10), *a));
      const std::string n = name;
      judge(n + ".ride", add_percentiles(n + ".ride", "m/s^2", ride, "acceleration of the body, 0.4 to 10 Hz"), 2.5,
            "m/s^2 of EN 14363");
      add(n + ".ride.rms", "m/s^2", rms(ride), "its rms");
      assessed_.push_back({n, "ride", ride, 2.5});
    }
    if (const auto a = inputs_.channel("bogie_acceleration")) {
      const Signal s = along(filtered(butterworth(4, Pass::low, 10), *a));
      const double limit = inputs_.quantity("bogie_mass") ? 12 - *inputs_.quantity("bogie_mass") / 5000 : 0;
      judge("bogie", add_percentiles("bogie", "m/s^2", s, "lateral acceleration of the bogie frame, 10 Hz"), limit,
            "m/s^2 of EN 14363");
      assessed_.push_back({"bogie", "lateral", s, limit});
      add_instability("bogie", *a, "m/s^2", limit / 2);
    }
  }

  void tell_worst() {
    const auto worst = [&](const char* ending, const char* name, const char* unit, const char* meaning) {
      double most = -1;
      for (const EvaluatedNumber& n : out_.numbers) {
        if (n.name.find(ending) != std::string::npos) most = std::max(most, std::abs(n.value));
      }
      if (most >= 0) numbers_.push_back({name, unit, most, meaning});
    };
    worst(".yq.max", "worst.yq", "-", "largest 2 m mean of Y/Q of all wheels");
    worst(".unloading", "worst.unloading", "-", "largest dQ/Q0 of all wheels");
    worst(".sum_y.p", "worst.sum_y", "N", "larger of the percentiles of the sum of Y, of all axles");
    numbers_.push_back({"nadal", "-",
                        nadal_limit(inputs_.quantity_or_refuse("friction"), inputs_.quantity_or_refuse("flange_angle")),
                        "limit of Nadal for Y/Q, (tan a - mu)/(1 + mu tan a)"});
    out_.numbers.insert(out_.numbers.begin(), numbers_.begin(), numbers_.end());
  }

  // Where the curvature is known, by the layout of the track.
  std::vector<TrackSection> sections() const {
    const double length = inputs_.quantity_or_refuse("section");
    const Signal& places = assessed_.front().curve;
    if (length < window_)
      inputs_.fail(
          fmt::format("a section of {:g} m is shorter than the window of the sliding mean, {:g} m.", length, window_),
          "Give a longer --section.");
    const SignalSource& signals = inputs_.run(0).signals;
    for (const std::string& name : signals.names) {
      if (const auto curvature = name.ends_with(".curvature") ? signals.find(name) : std::nullopt)
        return track_sections(along(*curvature), length);
    }
    return even_sections(places.x.front(), places.x.back(), length);
  }

  // Largest sizes of all wheels and axles on each section; of the medians the largest too.
  void divide() {
    for (const TrackSection& s : sections()) {
      EvaluatedSection out{s.zone, s.from, s.to, s.radius};
      for (const char* kind : {"yq", "sum_y", "q", "unloading", "y_qst"}) {
        double most = 0;
        for (const Assessed& a : assessed_) {
          const bool is_median = std::string_view(kind) == "y_qst";
          if (a.kind != (is_median ? "y" : kind) || s.to <= a.curve.x.front() || s.from >= a.curve.x.back()) continue;
          const Signal here = part(a.curve, std::max(s.from, a.curve.x.front()), std::min(s.to, a.curve.x.back()));
          const bool is_force = a.kind == "q" || a.kind == "sum_y";
          const double value = is_median  ? percentile(here, median)
                               : is_force ? larger_percentile(here)
                                          : largest_size(here);
          if (std::abs(value) > std::abs(most)) most = value;
        }
        out.values.emplace_back(kind, most);
      }
      out_.sections.push_back(std::move(out));
    }
    estimate();
  }
  static double larger_percentile(const Signal& s) {
    const double low = percentile(s, low_percent), high = percentile(s, high_percent);
    return std::abs(low) > std::abs(high) ? low : high;
  }

  // Statistics over the sections of a zone: the estimated maximum, mean + k times the standard deviation; k is 3 for safety, 2.2 for the track.
  void estimate() {
    std::vector<std::string> zones;
    for (const EvaluatedSection& s : out_.sections) {
      if (std::ranges::find(zones, s.zone) == zones.end()) zones.push_back(s.zone);
    }
    constexpr std::size_t least = 3, wanted = 25;
    for (const std::string& zone : zones) {
      for (const auto& [kind, k, unit] : {std::tuple("yq", 3.0, "-"), {"sum_y", 3.0, "N"}, {"q", 2.2, "N"}}) {
        std::vector<double> values;
        for (const EvaluatedSection& s : out_.sections) {
          if (s.zone == zone)
            values.push_back(
                std::abs(std::ranges::find(s.values, kind, &std::pair<std::string, double>::first)->second));
        }
        if (values.size() < least) continue;
        double sum = 0, squares = 0;
        for (const double v : values) sum += v;
        const double middle = sum / static_cast<double>(values.size());
        for (const double v : values) squares += (v - middle) * (v - middle);
        const double spread = std::sqrt(squares / static_cast<double>(values.size() - 1));
        add(fmt::format("zone.{}.{}", zone, kind), unit, middle + k * spread,
            fmt::format("estimated maximum of {} sections, mean + {:g} s{}", values.size(), k,
                        values.size() < wanted ? "; the standard has 25 or more" : ""));
      }
    }
  }

  // All over the places of the sliding means, limits behind the curves of their kind.
  void draw() {
    const Signal& places = assessed_.front().curve;
    std::vector<std::pair<std::string, double>> limits;
    for (const Assessed& a : assessed_) {
      Signal s = places.like(a.kind + "." + a.owner, a.curve.unit);
      for (const double x : places.x) s.y.push_back(a.curve.at(x));
      out_.curves.push_back(std::move(s));
      const auto known = std::ranges::find(limits, a.kind, &std::pair<std::string, double>::first);
      if (!(a.limit > 0)) continue;
      if (known == limits.end())
        limits.emplace_back(a.kind, a.limit);
      else
        known->second = std::min(known->second, a.limit);
    }
    for (const auto& [kind, limit] : limits) {
      const auto of = std::ranges::find(assessed_, kind, &Assessed::kind);
      for (const double sign : {1.0, -1.0}) {
        Signal s = places.like(kind + (sign > 0 ? ".limit" : ".lower_limit"), of->curve.unit);
        s.y.assign(places.x.size(), sign * limit);
        if (sign > 0 || (kind != "unloading" && kind != "q" && !kind.starts_with("instability")))
          out_.curves.push_back(std::move(s));
      }
    }
  }

  const EvaluationInputs& inputs_;
  Evaluation& out_;
  Filter filter_;
  double window_, step_;
  Signal distance_;
  std::vector<RailWheel> wheels_;
  std::vector<Assessed> assessed_;
  std::vector<EvaluatedNumber> numbers_;
};

}  // namespace

void evaluate_en14363(const EvaluationInputs& inputs, Evaluation& out) { RailRun(inputs, out).evaluate(); }

}  // namespace skyhook::analysis
