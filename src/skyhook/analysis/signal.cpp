#include "skyhook/analysis/signal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/analysis/unknown.h"
#include "skyhook/base/units.h"

namespace skyhook::analysis {
namespace {

bool has_nan(const Signal& s) {
  return s.y.empty() || std::ranges::any_of(s.y, [](double y) { return std::isnan(y); });
}

// Calls visit(a, b) for each interval that has a length.
template <class Visit>
void each_interval(const Signal& s, Visit&& visit) {
  for (std::size_t k = 1; k < s.x.size(); ++k) {
    if (s.x[k] > s.x[k - 1]) visit(s.node(k - 1), s.node(k));
  }
}

template <class F>
double gauss(const HermiteNode& a, const HermiteNode& b, F&& f) {
  constexpr double place[] = {0.3399810435848563, 0.8611363115940526},
                   weight[] = {0.6521451548625461, 0.3478548451374538};
  const double middle = (a.t + b.t) / 2, half = (b.t - a.t) / 2;
  double sum = 0;
  for (int k = 0; k < 2; ++k)
    sum += weight[k] * (f(hermite(a, b, middle - half * place[k])) + f(hermite(a, b, middle + half * place[k])));
  return half * sum;
}

double time_mean(const Signal& s, const std::function<double(double)>& f) {
  if (has_nan(s)) return unknown;
  return s.span() > 0 ? integral_of(s, f) / s.span() : f(s.y.back());
}

// Root of g between t0 and t1, where its signs differ.
template <class G>
double bisect(double t0, double t1, G&& g) {
  const bool rises = g(t0) < 0;
  for (int k = 0; k < 60; ++k) {
    const double t = (t0 + t1) / 2;
    ((g(t) < 0) == rises ? t0 : t1) = t;
  }
  return (t0 + t1) / 2;
}

bool is_compound(const std::string& unit) { return unit.find_first_of("./^ ") != std::string::npos; }
std::string simplified(const Dimension& d, bool is_angle) {
  if (!is_angle) return d.is_dimensionless() ? "-" : to_string(d);
  const std::string plain = to_string(d);
  return d.is_dimensionless() ? "rad" : plain.starts_with("1/") ? "rad" + plain.substr(1) : "rad." + plain;
}
std::string in_parentheses(const std::string& unit) { return is_compound(unit) ? "(" + unit + ")" : unit; }

}  // namespace

Signal Signal::number(std::string name, std::string unit, double value) {
  Signal s;
  s.name = std::move(name), s.unit = std::move(unit), s.y = {value};
  return s;
}

HermiteNode Signal::node(std::size_t k) const { return {x[k], y[k], k < rate.size() ? rate[k] : unknown}; }

double Signal::at(double t) const {
  if (x.empty()) return y.front();
  const auto beyond = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), t) - x.begin());
  if (beyond == 0) return y.front();
  if (beyond == x.size() || x[beyond - 1] == t) return y[beyond - 1];
  return hermite(node(beyond - 1), node(beyond), t);
}

Signal Signal::like(std::string its_name, std::string its_unit) const {
  Signal s;
  s.name = std::move(its_name), s.unit = std::move(its_unit), s.abscissa = abscissa, s.x = x;
  return s;
}

double integral_of(const Signal& s, const std::function<double(double)>& f) {
  double sum = 0;
  each_interval(s, [&](const HermiteNode& a, const HermiteNode& b) { sum += gauss(a, b, f); });
  return sum;
}

double mean(const Signal& s) {
  return time_mean(s, [](double y) { return y; });
}
double rms(const Signal& s) {
  return std::sqrt(time_mean(s, [](double y) { return y * y; }));
}
double deviation(const Signal& s) {
  const double m = mean(s);
  return std::sqrt(time_mean(s, [m](double y) { return (y - m) * (y - m); }));
}
double smallest(const Signal& s) { return has_nan(s) ? unknown : *std::ranges::min_element(s.y); }
double largest(const Signal& s) { return has_nan(s) ? unknown : *std::ranges::max_element(s.y); }

// Bisection on the share of time that the line through the samples lies below a level.
double percentile(const Signal& s, double percent) {
  if (has_nan(s) || !(s.span() > 0)) return s.y.size() == 1 ? s.y[0] : unknown;
  struct Rise {
    double low, by_height, time;
  };
  std::vector<Rise> rises;
  rises.reserve(s.y.size());
  constexpr double steepest = 1e300;  // of what stays on one level
  for (std::size_t k = 1; k < s.y.size(); ++k) {
    const double height = std::abs(s.y[k] - s.y[k - 1]);
    rises.push_back({std::min(s.y[k], s.y[k - 1]), height > 1 / steepest ? 1 / height : steepest, s.x[k] - s.x[k - 1]});
  }
  const double wanted = percent / 100 * s.span();
  double low = smallest(s), high = largest(s);
  for (int k = 0; k < 60 && low < high; ++k) {
    const double middle = (low + high) / 2;
    double below = 0;
    for (const Rise& r : rises) below += r.time * std::clamp((middle - r.low) * r.by_height, 0.0, 1.0);
    (below < wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

double crossings(const Signal& s, double level) {
  if (has_nan(s) || !(s.span() > 0)) return unknown;
  double count = 0;
  for (std::size_t k = 1; k < s.y.size(); ++k) count += s.y[k - 1] < level && s.y[k] >= level ? 1 : 0;
  return count / s.span();
}

double vibration_dose(const Signal& s) {
  if (has_nan(s)) return unknown;
  return std::pow(integral_of(s, [](double y) { return y * y * y * y; }), 0.25);
}

Signal integral(const Signal& s) {
  Signal out = s.like("integral(" + s.name + ")", times_unit(s.unit, s.abscissa.unit));
  out.y.assign(s.y.size(), 0.0), out.rate = s.y;
  for (std::size_t k = 1; k < s.x.size(); ++k)
    out.y[k] = out.y[k - 1] + (s.x[k] > s.x[k - 1] ? hermite_integral(s.node(k - 1), s.node(k)) : 0.0);
  return out;
}

// Where no rate is recorded: the parabola through three samples, at ends and jumps the line to the one neighbour there is.
Signal derivative(const Signal& s) {
  Signal out = s.like("derivative(" + s.name + ")", over_unit(s.unit, s.abscissa.unit));
  out.y.resize(s.y.size());
  const auto slope = [&](std::size_t a, std::size_t b) { return (s.y[b] - s.y[a]) / (s.x[b] - s.x[a]); };
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    const bool left = k > 0 && s.x[k] > s.x[k - 1], right = k + 1 < s.x.size() && s.x[k + 1] > s.x[k];
    if (std::isfinite(s.node(k).v))
      out.y[k] = s.rate[k];
    else if (left && right)
      out.y[k] = ((s.x[k + 1] - s.x[k]) * slope(k - 1, k) + (s.x[k] - s.x[k - 1]) * slope(k, k + 1)) /
                 (s.x[k + 1] - s.x[k - 1]);
    else
      out.y[k] = left ? slope(k - 1, k) : right ? slope(k, k + 1) : unknown;
  }
  return out;
}

Signal running_rms(const Signal& s, double window) {
  Signal squares = s.like("", "");
  squares.y.assign(s.y.size(), 0.0);
  for (std::size_t k = 0; k < s.y.size(); ++k) squares.rate.push_back(s.y[k] * s.y[k]);
  for (std::size_t k = 1; k < s.x.size(); ++k)
    squares.y[k] = squares.y[k - 1] +
                   (s.x[k] > s.x[k - 1] ? gauss(s.node(k - 1), s.node(k), [](double y) { return y * y; }) : 0.0);
  Signal out = s.like("running_rms(" + s.name + ")", s.unit);
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    const double begin = std::max(s.x.front(), s.x[k] - window), length = s.x[k] - begin;
    const double sum = squares.y[k] - squares.at(begin);
    out.y.push_back(length > 0 ? std::sqrt(std::max(0.0, sum / length)) : std::abs(s.y[k]));
  }
  return out;
}

std::vector<double> evenly(const Signal& s, std::size_t n) {
  std::vector<double> out;
  for (std::size_t k = 0; k < n; ++k)
    out.push_back(s.at(s.x.front() + s.span() * static_cast<double>(k) / static_cast<double>(n)));
  return out;
}

Signal part(const Signal& s, double from, double to) {
  Signal out = s.like(s.name, s.unit);
  out.x.clear();
  const auto add = [&](double t, double y, double v) { out.x.push_back(t), out.y.push_back(y), out.rate.push_back(v); };
  const auto rate_at = [&](double t) {
    const auto k = static_cast<std::size_t>(std::upper_bound(s.x.begin(), s.x.end(), t) - s.x.begin());
    return k == 0 || k >= s.x.size() ? unknown : hermite_rate(s.node(k - 1), s.node(k), t);
  };
  if (from > s.x.front()) add(from, s.at(from), rate_at(from));
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    if ((s.x[k] > from || from <= s.x.front()) && s.x[k] <= to) add(s.x[k], s.y[k], s.node(k).v);
  }
  if (to < s.x.back() && (out.x.empty() || out.x.back() < to)) add(to, s.at(to), rate_at(to));
  return out;
}

std::optional<double> first_at(const Signal& s, double level, double from) {
  if (s.x.empty() || from > s.x.back()) return {};
  const Signal rest = part(s, from, s.x.back());
  for (std::size_t k = 0; k < rest.x.size(); ++k) {
    if (rest.y[k] == level) return rest.x[k];
    if (k == 0 || (rest.y[k - 1] < level) == (rest.y[k] < level)) continue;
    if (rest.x[k] == rest.x[k - 1]) return rest.x[k];
    const HermiteNode a = rest.node(k - 1), b = rest.node(k);
    return bisect(a.t, b.t, [&](double t) { return hermite(a, b, t) - level; });
  }
  return {};
}

Peak peak(const Signal& s, double sign, double from, double to) {
  const Signal within = part(s, from, to);
  Peak best{from, -std::numeric_limits<double>::infinity()};
  const auto offer = [&](double t, double y) {
    if (sign * y > best.value) best = {t, sign * y};
  };
  for (std::size_t k = 0; k < within.x.size(); ++k) {
    offer(within.x[k], within.y[k]);
    if (k == 0 || within.x[k] == within.x[k - 1]) continue;
    const HermiteNode a = within.node(k - 1), b = within.node(k);
    if (!have_rates(a, b) || (a.v < 0) == (b.v < 0)) continue;  // the cubic may turn twice between: then both are small
    const double t = bisect(a.t, b.t, [&](double at) { return hermite_rate(a, b, at); });
    offer(t, hermite(a, b, t));
  }
  best.value *= sign;
  return best;
}

std::string power_unit(const std::string& unit, const std::string& power) {
  return unit == "-" || unit.empty() ? "-" : in_parentheses(unit) + "^" + power;
}

std::string quotient_unit(const std::string& a, const std::string& b) {
  if (a == b) return "-";
  if (b == "-" || b.empty()) return a;
  return (a == "-" || a.empty() ? "1" : a) + "/" + in_parentheses(b);
}

std::string times_unit(const std::string& a, const std::string& b) {
  return simplified(parse_unit(a).dimension * parse_unit(b).dimension, a.starts_with("rad"));
}

std::string over_unit(const std::string& a, const std::string& b) {
  return simplified(parse_unit(a).dimension / parse_unit(b).dimension, a.starts_with("rad"));
}

}  // namespace skyhook::analysis
