#include "skyhook/model/space_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/base/error.h"
#include "skyhook/expression/derivatives.h"

namespace skyhook::model {
namespace {

using Formulas = std::array<expression::Expression, 3>;
using Third = Dual<1, Dual<1, Dual<1>>>;

Third parameter(double s) {
  Third x(Dual<1, Dual<1>>(Dual<1>::variable(s, 0)));
  x.v.d[0] = Dual<1>(1.0);
  x.d[0] = Dual<1, Dual<1>>(1.0);
  return x;
}

void put(const Third& y, int i, std::array<Vec3d, 4>& out) {
  out[0][i] = y.v.v.v, out[1][i] = y.v.v.d[0], out[2][i] = y.v.d[0].d[0], out[3][i] = y.d[0].d[0].d[0];
}

constexpr int samples_a_span = 16;

std::string text(const Vec3d& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x, p.y, p.z); }

// Smallest distance of two segments: the usual quadratic programme, clamped.
double distance(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  const Vec3d u = b - a, v = d - c, w = a - c;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;
  const auto clamp = [](double x) { return std::clamp(x, 0.0, 1.0); };
  double x = det > 1e-12 * uu * vv ? clamp((uv * vw - vv * uw) / det) : 0.0;
  const double y = vv > 0 ? clamp((uv * x + vw) / vv) : 0.0;
  x = uu > 0 ? clamp((uv * y - uw) / uu) : 0.0;
  return norm(w + x * u - y * v);
}

}  // namespace

SpaceCurve::SpaceCurve(std::span<const Vec3d> points, bool closed, Through through) : closed_(closed) {
  const std::size_t least = closed ? 3 : 2;
  if (points.size() < least)
    throw ModelError({}, fmt::format("a curve through {} points is given, it needs at least {}.", points.size(), least),
                     "Add points.");
  std::vector<double> s{0.0};
  std::array<std::vector<double>, 3> x;
  const std::size_t ends = points.size() + (closed ? 1 : 0);
  for (std::size_t k = 0; k < ends; ++k) {
    const Vec3d& p = points[k % points.size()];
    if (k > 0) {
      const double chord = norm(p - points[k - 1]);
      if (!(chord > 0))
        throw ModelError({}, fmt::format("points {} and {} of the curve are the same.", k, k % points.size() + 1),
                         closed && k == points.size()
                             ? "A closed curve returns to its first point by itself: leave the last one out."
                             : "Remove one of them.");
      s.push_back(s.back() + chord);
    }
    for (int i = 0; i < 3; ++i) x[static_cast<std::size_t>(i)].push_back(p[i]);
  }
  if (through == Through::quintic && points.size() > 2) {
    std::vector<QuinticSpline> splines;
    for (const auto& values : x) splines.emplace_back(s, values, closed);
    law_ = std::move(splines);
  } else {
    std::vector<CubicSpline> splines;
    for (const auto& values : x) splines.emplace_back(s, values, closed ? SplineEnd::periodic : SplineEnd::not_a_knot);
    law_ = std::move(splines);
  }
  first_ = 0, last_ = s.back();
  take_samples(static_cast<int>(s.size() - 1) * samples_a_span);
}

SpaceCurve::SpaceCurve(std::array<expression::Expression, 3> of_s, double first, double last, bool closed)
    : closed_(closed), first_(first), last_(last), law_(std::move(of_s)) {
  take_samples(40 * samples_a_span);
}

SpaceCurve::SpaceCurve(double radius) : closed_(true), last_(2 * std::numbers::pi), law_(Circle{radius}) {
  take_samples(20 * samples_a_span);
}

std::array<Vec3d, 4> SpaceCurve::at(double s) const {
  if (const Circle* circle = std::get_if<Circle>(&law_)) {
    const double x = circle->radius * std::cos(s), z = circle->radius * std::sin(s);
    return {Vec3d{x, 0, z}, {-z, 0, x}, {-x, 0, -z}, {z, 0, -x}};
  }
  std::array<Vec3d, 4> out;
  if (const auto* formulas = std::get_if<Formulas>(&law_)) {
    for (int i = 0; i < 3; ++i) {
      const auto d = expression::derivatives<3>((*formulas)[static_cast<std::size_t>(i)], within(s));
      for (std::size_t k = 0; k < out.size(); ++k) out[k][i] = d[k];
    }
    return out;
  }
  const auto y = evaluate(parameter(within(s)));
  for (int i = 0; i < 3; ++i) put(y[i], i, out);
  return out;
}

Vec3d SpaceCurve::fourth(double s) const {
  if (const Circle* circle = std::get_if<Circle>(&law_))
    return {circle->radius * std::cos(s), 0, circle->radius * std::sin(s)};
  Vec3d out;
  if (const auto* formulas = std::get_if<Formulas>(&law_)) {
    for (int i = 0; i < 3; ++i)
      out[i] = expression::derivatives<4>((*formulas)[static_cast<std::size_t>(i)], within(s))[4];
    return out;
  }
  using Fourth = Dual<1, Third>;
  const auto y = evaluate(Fourth::variable(parameter(within(s)), 0));
  for (int i = 0; i < 3; ++i) out[i] = y[i].d[0].d[0].d[0].d[0];
  return out;
}

double SpaceCurve::speed(double s) const {
  if (const Circle* circle = std::get_if<Circle>(&law_)) return circle->radius;
  const auto y = evaluate(Dual<1>::variable(within(s), 0));
  return norm(Vec3d{y.x.d[0], y.y.d[0], y.z.d[0]});
}

double SpaceCurve::within(double s) const { return closed_ ? s - span() * std::floor((s - first_) / span()) : s; }

template <class T>
Vec3<T> SpaceCurve::evaluate(const T& s) const {
  Vec3<T> out;
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (const auto* cubics = std::get_if<std::vector<CubicSpline>>(&law_))
      out[i] = (*cubics)[k].evaluate(s);
    else if (const auto* quintics = std::get_if<std::vector<QuinticSpline>>(&law_))
      out[i] = (*quintics)[k].evaluate(s);
    else
      out[i] = std::get<Formulas>(law_)[k].template evaluate<T>(std::span<const T>(&s, 1));
  }
  return out;
}

void SpaceCurve::add_sample(double s) {
  const auto d = at(s);
  const double fast = norm(d[1]);
  arc_.push_back(samples_.empty() ? 0.0 : arc_.back() + arc_between(samples_.back().s, s));
  samples_.push_back({s, d[0], fast > 0 ? (1 / fast) * d[1] : Vec3d{}, fast});
}

// Between evenly spaced ones as many more as the curve needs: the length of each piece is that of its halves, and the curve turns little.
void SpaceCurve::take_samples(int count) {
  constexpr int most_halvings = 12;
  const auto place = [&](int k) {
    return first_ + span() * (closed_ && k == count ? 1 - 1e-12 : static_cast<double>(k) / count);
  };
  add_sample(place(0));
  for (int k = 0; k < count; ++k) add_samples(place(k), place(k + 1), most_halvings);
}

void SpaceCurve::add_samples(double from, double to, int halvings) {
  constexpr std::size_t most = 100000;
  constexpr double exact = 1e-10, largest_turn = 0.3;  // of the length; rad
  const double middle = 0.5 * (from + to), whole = arc_between(from, to);
  const double halves = arc_between(from, middle) + arc_between(middle, to);
  const auto direction = [&](double s) { return at(s)[1]; };
  const Vec3d a = direction(from), m = direction(middle), b = direction(to);
  const auto turns = [](const Vec3d& x, const Vec3d& y) {
    return !(dot(x, y) > std::cos(largest_turn) * norm(x) * norm(y));
  };
  const bool rough = !(std::abs(whole - halves) <= exact * halves) || turns(a, m) || turns(m, b);
  if (!rough || !std::isfinite(halves) || halves == 0 || samples_.size() >= most || halvings == 0) {
    is_resolved_ = is_resolved_ && samples_.size() < most;
    return add_sample(to);
  }
  add_samples(from, middle, halvings - 1), add_samples(middle, to, halvings - 1);
}

// Gauss's rule of five points: between samples the speed is smooth, or has the corners of a cubic spline's third derivative.
double SpaceCurve::arc_between(double from, double to) const {
  constexpr std::array<double, 3> place{0.0, 0.5384693101056831, 0.9061798459386640};
  constexpr std::array<double, 3> weight{0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = weight[0] * speed(middle);
  for (std::size_t k = 1; k < 3; ++k)
    sum += weight[k] * (speed(middle - half * place[k]) + speed(middle + half * place[k]));
  return half * sum;
}

double SpaceCurve::arc_to(double s) const {
  const double turns = closed_ ? std::floor((s - first_) / span()) : 0.0;
  const double rest = s - turns * span();
  const auto after = std::ranges::upper_bound(samples_, rest, {}, &Sample::s);
  const auto k = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(after - samples_.begin() - 1, 0, static_cast<std::ptrdiff_t>(samples_.size()) - 2));
  return turns * length() + arc_[k] + arc_between(samples_[k].s, rest);
}

// Newton's method, from the cubic through the samples about it with their slopes. The length grows steadily with s.
double SpaceCurve::find_arc(double arc) const {
  constexpr int most = 20;
  constexpr double near = 1e-8;  // the error left is its square
  const double turns = closed_ ? std::floor(arc / length()) : 0.0, rest = arc - turns * length();
  const auto after = std::ranges::upper_bound(arc_, rest);
  const auto k = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(after - arc_.begin() - 1, 0, static_cast<std::ptrdiff_t>(arc_.size()) - 2));
  const Sample &a = samples_[k], &b = samples_[k + 1];
  const double h = arc_[k + 1] - arc_[k], x = (rest - arc_[k]) / h, y = 1 - x;
  double s = y * y * (1 + 2 * x) * a.s + x * x * (1 + 2 * y) * b.s + h * x * y * (y / a.speed - x / b.speed);
  if (x < 0 || x > 1) s = x < 0 ? a.s + x * h / a.speed : b.s - y * h / b.speed;
  for (int i = 0; i < most; ++i) {
    const double move = (rest - arc_[k] - arc_between(a.s, s)) / speed(s);
    s += move;
    if (!(std::abs(move) > near * span())) break;
  }
  return s + turns * span();
}

double SpaceCurve::foot(const Vec3d& p) const {
  double s = nearest(p);
  for (int i = 0; i < 20; ++i) {
    const auto d = at(s);
    const Vec3d way = p - d[0];
    const double slope = dot(d[1], d[1]) - dot(d[2], way);
    const double move = dot(d[1], way) / (slope > 0 ? slope : dot(d[1], d[1]));
    s += move;
    if (!closed_) s = std::clamp(s, first_, last_);
    if (!(std::abs(move) > 1e-14 * span())) break;
  }
  return s;
}

double SpaceCurve::nearest(const Vec3d& p) const {
  const auto away = [&](const Sample& x) { return dot(x.p - p, x.p - p); };
  return std::ranges::min_element(samples_, {}, away)->s;
}

double SpaceCurve::gap_between(std::size_t i, std::size_t j) const {
  return distance(samples_[i].p, samples_[i + 1].p, samples_[j].p, samples_[j + 1].p);
}

namespace {

// Halved again and again, a smooth change becomes less and less; a jump stays in one of the halves.
template <class F>
bool has_jump(const F& value, double from, double to, double smallest) {
  constexpr int halvings = 6;
  Vec3d at_from = value(from), at_to = value(to);
  double whole = norm(at_to - at_from);  // or what is more of it in one half, as about an extremum
  if (!(whole > smallest)) return false;
  double left = whole;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (from + to);
    const Vec3d between = value(middle);
    const double first = norm(between - at_from), second = norm(at_to - between);
    (first > second ? to : from) = middle, (first > second ? at_to : at_from) = between;
    left = std::max(first, second);
    if (k == 0) whole = std::max(whole, left);
  }
  return left > 0.3 * whole;
}

}  // namespace

bool SpaceCurve::has_kink(double from, double to) const {
  return has_jump([&](double s) { return normalized(at(s)[1]); }, from, to, 1e-3);  // rad
}

Vec3d SpaceCurve::curvature(double s) const {
  const auto d = at(s);
  const double uu = dot(d[1], d[1]);
  return (1 / uu) * (d[2] - (dot(d[1], d[2]) / uu) * d[1]);
}

std::string SpaceCurve::jump_of_curvature() const {
  double largest = 0;
  for (const Sample& x : samples_) largest = std::max(largest, norm(curvature(x.s)));
  const auto value = [&](double s) { return curvature(s); };
  for (std::size_t k = 1; k < samples_.size(); ++k) {
    if (has_jump(value, samples_[k - 1].s, samples_[k].s, 1e-3 * largest))
      return fmt::format("its curvature jumps near {}", text(samples_[k].p));
  }
  const bool closes = !closed_ || norm(curvature(last_ - 1e-9 * span()) - curvature(first_)) <= 1e-3 * largest;
  return closes ? "" : "its curvature jumps where its end meets its beginning";
}

std::string SpaceCurve::problem() const {
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    const Sample& x = samples_[k];
    if (!std::isfinite(x.p.x + x.p.y + x.p.z)) return fmt::format("it is not a number at s = {:.6g}", x.s);
    if (!(norm(x.tangent) > 0)) return fmt::format("it stands still at s = {:.6g}", x.s);
  }
  if (!is_resolved_) return "it changes too quickly over s: 100000 places along it do not tell its length";
  for (std::size_t k = 1; k < samples_.size(); ++k) {
    if (has_kink(samples_[k - 1].s, samples_[k].s)) return fmt::format("it has a kink near {}", text(samples_[k].p));
  }
  if (closed_ && norm(samples_.back().p - samples_.front().p) > 1e-6 * length())
    return fmt::format("it is closed, but does not return to its beginning: it ends {:.3g} m from it",
                       norm(samples_.back().p - samples_.front().p));
  if (closed_ && norm(samples_.back().tangent - samples_.front().tangent) > 1e-3)
    return "it has a kink where its end meets its beginning";
  const std::size_t n = samples_.size() - 1, stride = std::max<std::size_t>(1, n / 400);
  const double step = length() / static_cast<double>(n);
  for (std::size_t i = 0; i < n; i += stride) {
    for (std::size_t j = i + stride; j < n; j += stride) {
      const std::size_t between = closed_ ? std::min(j - i, n - (j - i)) : j - i;
      const double far = norm(samples_[i].p - samples_[j].p);
      if (static_cast<double>(between) < 4.0 * static_cast<double>(stride) ||
          far > 4 * step * static_cast<double>(stride))
        continue;
      for (std::size_t a = i; a < std::min(i + stride, n); ++a) {
        for (std::size_t b = j; b < std::min(j + stride, n); ++b) {
          if (gap_between(a, b) < 1e-3 * step) return fmt::format("it meets itself near {}", text(samples_[a].p));
        }
      }
    }
  }
  return {};
}

Vec3d SpaceCurve::across() const {
  constexpr int turns = 24;
  Vec3d best{0, 0, 1};
  double most = -1;
  const auto try_one = [&](const Vec3d& e) {
    double least = 1;
    for (const Sample& x : samples_) least = std::min(least, norm(cross(e, x.tangent)));
    if (least > most + 1e-9) most = least, best = e;
  };
  for (const Vec3d& e : {Vec3d{0, 0, 1}, Vec3d{0, 1, 0}, Vec3d{1, 0, 0}}) try_one(e);
  const double golden = 2.399963229728653;
  for (int k = 0; k < turns * turns && most < 0.7; ++k) {  // evenly over half a sphere
    const double z = (k + 0.5) / (turns * turns), r = std::sqrt(1 - z * z);
    try_one({r * std::cos(golden * k), r * std::sin(golden * k), z});
  }
  return best;
}

// By Jacobi's rotations of the sum of t t^T over the way.
Vec3d SpaceCurve::binormal() const {
  Mat3d A;
  for (std::size_t k = 1; k < samples_.size(); ++k) {
    const Vec3d& t = samples_[k].tangent;
    A += (arc_[k] - arc_[k - 1]) * outer(t, t);
  }
  Mat3d V = Mat3d::identity();
  for (int sweep = 0; sweep < 30; ++sweep) {
    const int p = sweep % 3, q = (p + 1) % 3;
    if (A[p][q] == 0) continue;
    const double angle = 0.5 * std::atan2(2 * A[p][q], A[q][q] - A[p][p]), c = std::cos(angle), s = std::sin(angle);
    Mat3d J = Mat3d::identity();
    J[p][p] = J[q][q] = c, J[p][q] = s, J[q][p] = -s;
    A = transpose(J) * A * J, V = V * J;
  }
  int least = 0;
  for (int k = 1; k < 3; ++k) {
    if (A[k][k] < A[least][least]) least = k;
  }
  return normalized(V.column(least));
}

}  // namespace skyhook::model
