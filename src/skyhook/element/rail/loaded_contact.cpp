#include "skyhook/element/rail/loaded_contact.h"

#include <cmath>
#include <numbers>

#include "skyhook/element/rail/contact_gap.h"
#include "skyhook/element/rail/strip_creep.h"

namespace skyhook::element::rail {
namespace {

struct Patch {
  double load, approach, a, b, area, pressure;
  RailContact centre;
  GapGrid grid{};  // of half-spaces, and what is on it
  HalfSpaceContact cells{};
};

struct Loading {
  const RailPair& pair;
  const AxlePlace& place;
  const RailContact& rigid;
  const WheelMotion& motion;
  const LoadedOptions& options;
  const CreepLaw& law;

  HertzPatch<double> hertz(double normal) const {
    // x of the track is the axis of the smaller curvature but where profiles conform; the ellipse is taken along it, its turn is left out.
    const RelativeCurvatures k = relative_curvatures(rigid);
    const double least = 1e-3;  // 1/m: never flat
    const bool is_round_along = rigid.rolling_curvature < rigid.wheel_curvature + rigid.rail_curvature;
    const double A = std::max(least, is_round_along ? k.A : k.B), B = std::max(least, is_round_along ? k.B : k.A);
    return patch_of_load(hertz_shape(A, B, options.creep.material), normal);
  }
  Patch by_hertz(double normal) const {
    const HertzPatch<double> h = hertz(normal);
    return {normal, h.approach, h.a, h.b, std::numbers::pi * h.a * h.b, h.pressure, rigid};
  }
  Patch by_half_space(double normal) const {
    const ContactGap gap(pair, place, rigid);
    double approach = hertz(normal).approach;
    HalfSpaceContact c;
    GapGrid grid;
    do {
      grid = gap.grid(approach, hertz(normal).b, options.cells, options.cell);
      c = solve_half_space(grid, normal, options.creep.material);
      approach *= 1.5;
    } while (c.touches_edge && approach < 1e-3);
    const ContactGap::Across at = gap.at(c.y);
    const double ratio = c.length / c.width, mean = c.area / std::numbers::pi;
    return {normal, c.approach, std::sqrt(mean * ratio),        std::sqrt(mean / ratio),
            c.area, c.largest,  pair.at(place, at.s, at.sigma), grid,
            c};
  }
  Patch patch(double normal) const { return options.patch == "half_space" ? by_half_space(normal) : by_hertz(normal); }

  // Of the wheel's particle at the contact, over the mean of the speeds of translation and of rolling.
  Creep<double> creep(const Patch& p) const {
    const AxleTurn t(place);
    const RailContact& c = p.centre;
    const double rate = motion.pitch_rate.value_or(motion.speed / c.radius);
    const double wx = -t.sy * t.cr * rate, wy = t.cy * t.cr * rate, wz = t.sr * rate;  // R (0, rate, 0)
    const double rx = c.x, ry = c.y - place.y, rz = c.z - c.height;
    const double vx = wy * rz - wz * ry, vy = wz * rx - wx * rz, vz = wx * ry - wy * rx;
    const double ca = std::cos(c.angle), sa = std::sin(c.angle);
    const double reference = (std::abs(motion.speed) + std::abs(vx)) / 2;
    return {(motion.speed + vx) / reference,
            (ca * (motion.lateral + vy) + sa * vz) / reference,
            (ca * wz - sa * wy) / reference,
            p.load,
            p.a,
            p.b,
            options.friction};
  }
  CreepForce<double> force(const Patch& p) const {
    const Creep<double> c = creep(p);
    if (p.grid.nx == 0 || options.creep.law != "fastsim") return law.force(c);
    static thread_local std::optional<std::pair<double, KalkerCoefficients>> table;
    const double nu = options.creep.material.poisson;
    if (!table || table->first != nu) table.emplace(nu, KalkerCoefficients(nu));
    const double shear = options.creep.material.shear;
    const Flexibilities<double> L = flexibilities(c, table->second.at(c.a, c.b), shear, options.creep.flexibilities);
    double sum = 0;  // friction cannot exceed that of the load, whatever the sum over cells has lost
    for (const double q : p.cells.pressure) sum += q;
    return strip_force(p.grid, p.cells, p.load / (sum * p.grid.dx * p.grid.dy), c, L, shear);
  }
  // The normal force whose vertical part, with that of the friction, is the load; the ellipse grows with its third root.
  double balanced(const Patch& p) const {
    double normal = p.load;
    const double ca = std::cos(p.centre.angle), sa = std::sin(p.centre.angle);
    for (int pass = 0; pass < 200; ++pass) {
      Patch now = p;
      const double grow = std::cbrt(normal / p.load);
      now.load = normal, now.a *= grow, now.b *= grow;
      const double next = (options.load - force(now).y * sa) / ca;
      if (std::abs(next - normal) < 1e-10 * options.load) return next;
      normal = next;
    }
    return normal;
  }
};

LoadedContact outcome(const Loading& l, const Patch& p) {
  LoadedContact out;
  out.rigid = l.rigid, out.centre = p.centre;
  out.normal = p.load, out.approach = p.approach, out.pressure = p.pressure;
  out.a = p.a, out.b = p.b, out.area = p.area;
  const Creep<double> c = l.creep(p);
  const CreepForce<double> f = l.force(p);
  out.creep_x = c.x, out.creep_y = c.y, out.spin = c.spin;
  out.fx = f.x, out.fy = f.y, out.moment = f.moment;
  const double ca = std::cos(p.centre.angle), sa = std::sin(p.centre.angle);
  out.lateral = f.y * ca - p.load * sa, out.vertical = p.load * ca + f.y * sa;
  out.height = l.rigid.height - p.approach / std::cos(l.rigid.angle);
  return out;
}

}  // namespace

LoadedContact load_contact(const RailPair& pair, const AxlePlace& place, const RailContact& rigid,
                           const WheelMotion& motion, const LoadedOptions& options, const CreepLaw& law) {
  const Loading loading{pair, place, rigid, motion, options, law};
  Patch patch = loading.patch(options.load / std::cos(rigid.angle));
  for (int pass = 0; pass < 20; ++pass) {
    const double normal = loading.balanced(patch);
    if (std::abs(normal - patch.load) < 1e-6 * options.load) break;
    patch = loading.patch(normal);
  }
  return outcome(loading, patch);
}

}  // namespace skyhook::element::rail
