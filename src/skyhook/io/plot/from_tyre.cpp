#include "skyhook/io/plot/from_tyre.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skyhook::io::plot {
namespace {

using element::tyre::Characteristic, element::tyre::ContactForce, element::tyre::Slip;

constexpr double degree = std::numbers::pi / 180;

// From -end to end.
std::vector<double> spread(double end, int points) {
  std::vector<double> out;
  for (int i = 0; i < points; ++i) out.push_back(end * (2.0 * i / (points - 1) - 1.0));
  return out;
}

std::string label_of(const TyreCurve& c, bool cambers) {
  std::string text = fmt::format("{:.4g} kN", c.load / 1000);
  if (cambers) text += fmt::format(", {:.3g}° camber", c.camber / degree);
  if (c.kind == "ellipse") text += fmt::format(", α {:.3g}°", c.alpha / degree);
  return text;
}

}  // namespace

std::vector<TyreCurve> tyre_curves(const Characteristic& tyre, const TyreRange& range) {
  std::vector<TyreCurve> out;
  const auto at = [&](double kappa, double alpha, double camber, double load) {
    return tyre.force({kappa, std::tan(alpha), camber, load, range.speed, range.friction});
  };
  for (const double camber : range.cambers) {
    for (const double load : range.loads) {
      TyreCurve x{"fx", load, camber, 0, spread(range.kappa, range.points), {}};
      for (const double kappa : x.x) x.y.push_back(at(kappa, 0, camber, load).fx);
      TyreCurve y{"fy", load, camber, 0, spread(range.alpha, range.points), {}}, z = y;
      z.kind = "mz";
      for (const double alpha : y.x) {
        const ContactForce<double> f = at(0, alpha, camber, load);
        y.y.push_back(f.fy), z.y.push_back(f.mz);
      }
      for (TyreCurve* each : {&x, &y, &z}) out.push_back(std::move(*each));
    }
  }
  // The ellipse: kappa from end to end at some slip angles, of one load.
  const double load = range.loads[range.loads.size() / 2];
  for (const double share : {-1.0, -0.5, -0.25, -0.1, 0.1, 0.25, 0.5, 1.0}) {
    TyreCurve e{"ellipse", load, range.cambers[0], share * range.alpha, {}, {}};
    for (const double kappa : spread(1.0, 4 * range.points)) {
      const ContactForce<double> f = at(kappa, e.alpha, e.camber, load);
      e.x.push_back(f.fx), e.y.push_back(f.fy);
    }
    out.push_back(std::move(e));
  }
  return out;
}

TyreNumbers tyre_numbers(const Characteristic& tyre, double load, const TyreRange& range) {
  constexpr double h = 1e-5;
  const auto at = [&](double kappa, double alpha, double camber) {
    return tyre.force({kappa, std::tan(alpha), camber, load, range.speed, range.friction});
  };
  TyreNumbers n;
  n.load = load;
  n.slip_stiffness = (at(h, 0, 0).fx - at(-h, 0, 0).fx) / (2 * h);
  n.cornering_stiffness = (at(0, h, 0).fy - at(0, -h, 0).fy) / (-2 * h);
  n.camber_stiffness = (at(0, 0, h).fy - at(0, 0, -h).fy) / (-2 * h);
  n.trail = n.cornering_stiffness != 0.0 ? (at(0, h, 0).mz - at(0, -h, 0).mz) / (2 * h) / n.cornering_stiffness : 0.0;
  for (int i = 0; i <= 1000; ++i) {
    const double kappa = range.kappa * i / 1000, alpha = range.alpha * i / 1000;
    const double fx = at(kappa, 0, 0).fx, fy = -at(0, alpha, 0).fy;
    if (fx > n.peak_x) n.peak_x = fx, n.peak_kappa = kappa;
    if (fy > n.peak_y) n.peak_y = fy, n.peak_alpha = alpha;
  }
  return n;
}

Figure figure_of(const std::vector<TyreCurve>& curves, const std::string& title) {
  Figure figure{.title = title, .panels = {}};
  const bool cambers = std::ranges::any_of(curves, [&](const TyreCurve& c) { return c.camber != curves[0].camber; });
  struct Kind {
    const char *name, *x, *x_unit, *y, *y_unit;
    double x_factor, y_factor;
  };
  for (const Kind& kind :
       {Kind{"fx", "κ", "", "Fx", "kN", 1, 1e-3}, Kind{"fy", "α", "deg", "Fy", "kN", 1 / degree, 1e-3},
        Kind{"mz", "α", "deg", "Mz", "N.m", 1 / degree, 1}, Kind{"ellipse", "Fx", "kN", "Fy", "kN", 1e-3, 1e-3}}) {
    Panel panel;
    panel.x.label = kind.x, panel.x.unit = kind.x_unit, panel.x.tight = true;
    panel.y.label = kind.y, panel.y.unit = kind.y_unit;
    for (const TyreCurve& c : curves) {
      if (c.kind != kind.name) continue;
      Curve curve{.label = label_of(c, cambers), .x = c.x, .y = c.y};
      for (double& x : curve.x) x *= kind.x_factor;
      for (double& y : curve.y) y *= kind.y_factor;
      panel.curves.push_back(std::move(curve));
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace skyhook::io::plot
