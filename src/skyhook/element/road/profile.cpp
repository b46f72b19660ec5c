#include "skyhook/element/road/profile.h"

#include <algorithm>

#include "skyhook/element/finding.h"
#include "skyhook/element/two_tracks.h"
#include "skyhook/model/bend_of.h"
#include "skyhook/model/grain.h"

namespace skyhook::element {

namespace {

using model::Bend, model::Curve;

void look_up(const Curve& curve, const char* field, double x, model::TableLooks& looks) {
  add_look(curve, field, "x", "m", x, looks);
}

// Formulas and tables as they are: their derivatives are those of dual numbers.
struct CurveRelief final : model::Relief, model::Grained {
  CurveRelief(Curve of, const char* name) : curve(std::move(of)), field(name) {}
  Curve curve;
  const char* field;
  Bend at(double x, double /*y*/) const override { return model::bend_of(curve, x); }
  void look(double x, double /*y*/, model::TableLooks& looks) const override { look_up(curve, field, x, looks); }
  double grain() const override { return model::grain_of(curve); }
  Span span() const override { return curve.table() ? Span{curve.table()->first(), curve.table()->last()} : Span{}; }
};

struct Nodes {
  std::vector<double> x, z;
};
Nodes nodes_of(const MonotoneCubic& table) {
  Nodes n;
  for (int k = 1; k < table.pieces(); ++k) n.x.push_back(table.begin_of(k));
  for (const double x : n.x) n.z.push_back(table(x));
  return n;
}

struct SplineRelief final : model::Relief, model::Grained {
  SplineRelief(Curve of, const char* name)
      : curve(std::move(of)), field(name), spline(make(*curve.table(), curve.beyond())) {}
  static CubicSpline make(const MonotoneCubic& table, model::Beyond beyond) {
    const Nodes n = nodes_of(table);
    const bool is_held = beyond == model::Beyond::hold;
    return {n.x, n.z, is_held ? SplineEnd::at_rest : SplineEnd::natural,
            is_held ? Continued::level : Continued::straight};
  }
  Curve curve;
  const char* field;
  CubicSpline spline;
  Bend at(double x, double /*y*/) const override {
    return {.value = spline(x), .x = spline.derivative(x), .xx = spline.second_derivative(x)};
  }
  void look(double x, double /*y*/, model::TableLooks& looks) const override { look_up(curve, field, x, looks); }
  double grain() const override { return model::grain_of(curve); }
  Span span() const override { return {spline.first(), spline.last()}; }
};

struct LinearRelief final : model::Relief, model::Grained {
  LinearRelief(Curve of, const char* name) : curve(std::move(of)), field(name), n(nodes_of(*curve.table())) {}
  Curve curve;
  const char* field;
  Nodes n;
  Bend at(double x, double /*y*/) const override {
    const bool is_beyond = x < n.x.front() || x > n.x.back();
    if (is_beyond && curve.beyond() == model::Beyond::hold)
      return {.value = x < n.x.front() ? n.z.front() : n.z.back()};
    const auto next = std::upper_bound(n.x.begin() + 1, n.x.end() - 1, x) - n.x.begin();
    const auto k = static_cast<std::size_t>(next);
    const double slope = (n.z[k] - n.z[k - 1]) / (n.x[k] - n.x[k - 1]);
    return {.value = n.z[k - 1] + slope * (x - n.x[k - 1]), .x = slope};
  }
  void look(double x, double /*y*/, model::TableLooks& looks) const override { look_up(curve, field, x, looks); }
  double grain() const override { return model::grain_of(curve); }
  Span span() const override { return {n.x.front(), n.x.back()}; }
};

std::shared_ptr<const model::Relief> relief_of(const Curve& curve, const char* field,
                                               const std::string& interpolation) {
  if (curve.table() && interpolation == "spline") return std::make_shared<SplineRelief>(curve, field);
  if (curve.table() && interpolation == "linear") return std::make_shared<LinearRelief>(curve, field);
  return std::make_shared<CurveRelief>(curve, field);
}

}  // namespace

void Profile::add_to(model::FieldSource& source, model::Model& model) const {
  if (height.has_value() == (left || right) || left.has_value() != right.has_value())
    fail(source,
         height ? "height"
         : left ? "right"
                : "height",
         "its heights are not given in one way.", "Give `height`, or `left` and `right`.");
  if (height) return put(relief_of(*height, "height", interpolation), source, model);
  put(std::make_shared<TwoTracks>(relief_of(*left, "left", interpolation), relief_of(*right, "right", interpolation),
                                  track),
      source, model);
}

}  // namespace skyhook::element
