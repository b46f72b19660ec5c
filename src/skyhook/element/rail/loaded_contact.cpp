#include "skyhook/element/rail/loaded_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/element/rail/contact_gap.h"
#include "skyhook/element/rail/rolling_half_space.h"
#include "skyhook/element/rail/strip_creep.h"

namespace skyhook::element::rail {
namespace {

struct Patch {
  double load, approach, a, b, area, pressure;
  RailContact centre;
  double angle;                               // of the plane
  double depth = approach / std::cos(angle);  // how far the wheel has gone down
  std::string doubt{};
  GapGrid grid{};  // of half-spaces, and what is on it
  HalfSpaceContact cells{};
  std::shared_ptr<const RollingHalfSpace> rolling{};
  Tractions tractions{};
  double pressed_rail_y = centre.rail.y;
};

// One point of contact.
struct Loading {
  const RailPair& pair;
  const AxlePlace& place;
  const RailContact& rigid;
  const WheelMotion& motion;
  const LoadedOptions& options;
  const CreepLaw& law;
  double lowest = -1, highest = 1;  // where its patch ends and that of another point begins

  HertzShape<double> shape() const {
    // x of the track is the axis of the smaller curvature but where profiles conform; the ellipse is taken along it, its turn is left out.
    const RelativeCurvatures k = relative_curvatures(rigid);
    const double least = 1e-3;  // 1/m: never flat
    const bool is_round_along = rigid.rolling_curvature < rigid.wheel_curvature + rigid.rail_curvature;
    const double A = std::max(least, is_round_along ? k.A : k.B), B = std::max(least, is_round_along ? k.B : k.A);
    return hertz_shape(A, B, options.creep.material);
  }
  Patch by_hertz(double normal) const {
    const HertzPatch<double> h = patch_of_load(shape(), normal);
    return {normal, h.approach, h.a, h.b, std::numbers::pi * h.a * h.b, h.pressure, rigid, rigid.angle};
  }
  // The plane has the mean slope of where the bodies would overlap, which depends on how deep the wheel goes down, and that on the plane: found by repetition.
  Patch by_half_space(double normal) const {
    const HertzPatch<double> h = patch_of_load(shape(), normal);
    double angle = rigid.angle, depth = h.approach / std::cos(angle), approach = h.approach, share = 1, divide = 0;
    HalfSpaceContact c;
    GapGrid grid;
    ContactGap::Overlap overlap{};
    bool is_found = false;
    for (int pass = 0; pass < 20 && !is_found; ++pass) {
      const ContactGap gap(pair, place, rigid, angle, depth);
      for (int wider = 0; wider < 12; ++wider, approach *= 1.5) {
        grid = gap.grid(approach, {h.b, options.separate, lowest, highest, overlap.x, overlap.t}, options.cells,
                        options.cell);
        grid.share = share, grid.divide = static_cast<int>(std::ceil((divide - grid.y0) / grid.dy));
        c = solve_half_space(grid, normal, options.creep.material);
        if (!c.touches_edge || approach > 1e-3) break;
      }
      const double next = c.approach / std::cos(angle);
      const ContactGap lower(pair, place, rigid, angle, next);
      overlap = lower.overlap(std::max(grid.y0, lowest), std::min(grid.y(grid.ny - 1), highest));
      if (options.weaken > 0) weaken(lower, overlap, share, divide);
      is_found = std::abs(overlap.angle - angle) < 1e-6 && std::abs(next - depth) < 1e-9;
      if (!is_found) angle = overlap.angle, depth = next;
    }
    const ContactGap gap(pair, place, rigid, angle, depth);
    const ContactGap::Across at = gap.at(overlap.t), pressed = gap.at(c.y);
    const double ratio = c.length / c.width, mean = c.area / std::numbers::pi;
    RailContact centre = pair.at(place, at.s, at.sigma);
    centre.x = rigid.x + overlap.x, centre.angle = angle;
    const double deepest = c.approach + gap.deepest(std::max(grid.y0, lowest), std::min(grid.y(grid.ny - 1), highest));
    Patch out{normal, deepest, std::sqrt(mean * ratio),      std::sqrt(mean / ratio), c.area, c.largest,
              centre, angle,   c.approach / std::cos(angle), doubt_of(c, is_found),   grid,   c};
    out.pressed_rail_y = pair.rail().at(pressed.sigma).y;
    out.cells.x = overlap.x, out.cells.y = overlap.t;  // creepages and moments are taken there
    return out;
  }
  static std::string doubt_of(const HalfSpaceContact& c, bool is_found) {
    if (c.touches_edge)
      return "the patch reaches the end of its grid, or that of a profile; what lies beyond is missing";
    if (!c.is_found) return "the pressures have not settled; take larger cells";
    return is_found ? ""
                    : "the plane of contact has not settled: it jumps between places that touch and leave; --separate "
                      "decides which are one patch";
  }
  // The rule of CONTACT (user guide, D_SEP and D_COMB): between the two lengths influence falls with the power 0.8.
  void weaken(const ContactGap& gap, const ContactGap::Overlap& overlap, double& share, double& divide) const {
    share = 1;
    if (overlap.pieces.size() != 2) return;
    const double end = overlap.pieces[0].last, begin = overlap.pieces[1].first, apart = gap.rail_distance(end, begin);
    divide = (begin + end) / 2;
    share = std::pow(std::clamp((options.separate - apart) / (options.separate - options.weaken), 0.0, 1.0), 0.8);
  }
  bool is_half_space() const { return options.patch == "half_space"; }
  Patch patch(double normal) const { return is_half_space() ? by_half_space(normal) : by_hertz(normal); }
  // Pressed down by that much. The load of a half-space is sought: it grows nearly with the power 3/2.
  Patch of_depth(double depth) const {
    Patch out = patch(patch_of_approach(shape(), depth * std::cos(rigid.angle)).load);
    for (int pass = 0; pass < 12 && std::abs(out.depth / depth - 1) > 1e-7; ++pass)
      out = patch(out.load * std::pow(depth / out.depth, 1.5));
    return out;
  }

  // Of the wheel's particle at the contact, over the mean of the speeds of translation and of rolling.
  Creep<double> creep(const Patch& p) const {
    const AxleTurn t(place);
    const RailContact& c = p.centre;
    // The wheel's point as deep in the rail as the bodies give way, where the axle has gone down to.
    const double ca = std::cos(p.angle), sa = std::sin(p.angle);
    const double rx = c.x, ry = c.y + sa * p.approach - place.y, rz = c.z - ca * p.approach - (rigid.height - p.depth);
    const double ax = -t.sy * t.cr, ay = t.cy * t.cr, az = t.sr;  // the axle
    const double from_axle =
        std::sqrt(std::max(0.0, rx * rx + ry * ry + rz * rz - std::pow(ax * rx + ay * ry + az * rz, 2)));
    const double rate = motion.pitch_rate.value_or(motion.speed / from_axle), wx = ax * rate, wy = ay * rate,
                 wz = az * rate;
    const double vx = wy * rz - wz * ry, vy = wz * rx - wx * rz, vz = wx * ry - wy * rx;
    const double reference = (std::abs(motion.speed) + std::abs(vx)) / 2;
    return {(motion.speed + vx) / reference,
            (ca * (motion.lateral + vy) + sa * vz) / reference,
            (ca * wz - sa * wy) / reference,
            p.load,
            p.a,
            p.b,
            options.friction};
  }
  CreepForce<double> force(Patch& p) const {
    const Creep<double> c = creep(p);
    if (p.grid.nx == 0 || (options.creep.law != "fastsim" && !options.is_exact)) return law.force(c);
    double sum = 0;  // friction cannot exceed that of the load, whatever the sum over cells has lost
    for (const double q : p.cells.pressure) sum += q;
    const double scale = p.load / (sum * p.grid.dx * p.grid.dy);
    if (options.is_exact) {
      if (!p.rolling) p.rolling = std::make_shared<const RollingHalfSpace>(p.grid, options.creep.material);
      return p.rolling->force(p.cells, scale, c, p.tractions);
    }
    static thread_local std::optional<std::pair<double, KalkerCoefficients>> table;
    const double nu = options.creep.material.poisson, shear = options.creep.material.shear;
    if (!table || table->first != nu) table.emplace(nu, KalkerCoefficients(nu));
    const Flexibilities<double> L = flexibilities(c, table->second.at(c.a, c.b), shear, options.creep.flexibilities);
    return strip_force(p.grid, p.cells, scale, c, L, shear);
  }
  // The normal force whose vertical part, with that of the friction, is the load; the ellipse grows with its third root.
  double balanced(const Patch& p) const {
    const double ca = std::cos(p.angle), sa = std::sin(p.angle);
    Patch now = p;
    for (int pass = 0; pass < 50; ++pass) {
      const double share = force(now).y / now.load,
                   next = options.load / (ca + share * sa);  // which hardly changes where all slides
      if (std::abs(next - now.load) < 1e-8 * options.load) return next;
      const double grow = std::cbrt(next / p.load);
      now.load = next, now.a = p.a * grow, now.b = p.b * grow;
    }
    return now.load;
  }
  Patch under_load() const {
    Patch out = patch(options.load / std::cos(rigid.angle));
    for (int pass = 0;; ++pass) {
      const double normal = balanced(out);
      if (std::abs(normal - out.load) < 1e-6 * options.load) break;
      if (pass == 20) {
        if (out.doubt.empty()) out.doubt = "the normal force has not settled under the load";
        break;
      }
      Tractions begin = std::move(out.tractions);
      out = patch(normal);
      if (begin.x.size() == out.cells.pressure.size()) out.tractions = std::move(begin);
    }
    return out;
  }
  LoadedPatch outcome(Patch& p) const {
    LoadedPatch out;
    out.rigid = rigid, out.centre = p.centre, out.pressed_rail_y = p.pressed_rail_y;
    out.normal = p.load, out.approach = p.approach, out.pressure = p.pressure;
    out.a = p.a, out.b = p.b, out.area = p.area;
    const Creep<double> c = creep(p);
    const CreepForce<double> f = force(p);
    out.creep_x = c.x, out.creep_y = c.y, out.spin = c.spin;
    out.fx = f.x, out.fy = f.y, out.moment = f.moment;
    const double ca = std::cos(p.angle), sa = std::sin(p.angle);
    out.lateral = f.y * ca - p.load * sa, out.vertical = p.load * ca + f.y * sa;
    out.doubt = p.doubt;
    if (p.rolling && !p.tractions.is_found && out.doubt.empty())
      out.doubt = "the tractions have not settled; take larger cells, or --law fastsim";
    return out;
  }
  // Of another point, over the plane of this one.
  double across(const RailContact& other, double angle) const {
    return std::cos(angle) * (other.rail.y - rigid.rail.y) + std::sin(angle) * (other.rail.z - rigid.rail.z);
  }
  void end_before(const RailContact& other) {
    const double t = across(other, rigid.angle), ridge = ContactGap(pair, place, rigid).ridge(t);
    (t < 0 ? lowest : highest) = ridge;
  }
  // Does the patch of this point cover the other one? A half-space has it on its grid then; of an ellipse the gap between them is closed.
  bool covers(const Patch& p, const RailContact& other) const {
    const double t = across(other, p.angle);
    if (p.grid.nx > 0) return t > p.grid.y0 && t < p.grid.y(p.grid.ny - 1);
    const ContactGap gap(pair, place, rigid);
    double widest = 0;
    for (int k = 1; k < 20; ++k) widest = std::max(widest, gap.at(t * k / 20).gap);
    return widest < p.approach;
  }
};

// Several points: how deep the axle goes below the height of the first, so that their vertical forces add up to the load (16.12).
struct Sharing {
  const std::vector<Loading>& points;
  const LoadedOptions& options;
  std::vector<LoadedPatch> patches{};

  // What the patches that are pressed give way under the loads of the others, far from them.
  double by_others(std::size_t i) const {
    double sum = 0;
    for (std::size_t k = 0; k < patches.size(); ++k) {
      if (k == i || !(patches[k].normal > 0)) continue;
      const RailContact &a = points[i].rigid, &b = points[k].rigid;
      const double apart = std::hypot(a.rail.y - b.rail.y, a.rail.z - b.rail.z);
      sum += patches[k].normal * std::cos(a.angle - b.angle) /
             (std::numbers::pi * options.creep.material.effective() * apart);
    }
    return sum;
  }
  // The sum of the vertical forces.
  double press(double depth) {
    double sum = 0;
    for (int pass = 0; pass < (points.front().is_half_space() ? 4 : 20); ++pass) {
      double before = sum;
      sum = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const RailContact& r = points[i].rigid;
        const double below = points.front().rigid.height - r.height;
        const double deep =
            depth - below - by_others(i) / std::cos(patches[i].normal > 0 ? patches[i].centre.angle : r.angle);
        patches[i] = {};
        patches[i].rigid = patches[i].centre = r;
        if (!(deep > 0)) continue;
        Patch p = points[i].of_depth(deep);
        patches[i] = points[i].outcome(p);
        sum += patches[i].vertical;
      }
      if (std::abs(sum - before) < 1e-5 * options.load) break;
    }
    return sum;
  }
  // Regula falsi (Illinois) for the power 2/3 of the load, nearly linear in the depth, between none and what the first needs by itself.
  double depth(double most) {
    patches.resize(points.size());
    const auto miss = [&](double at) { return std::pow(std::max(press(at), 0.0) / options.load, 2.0 / 3) - 1; };
    double low = 0, high = most, at_low = -1, at_high = miss(most);
    while (at_high < 0 && high < 2 * most)
      low = high, at_low = at_high, high *= 1.1, at_high = miss(high);  // they push each other away
    double at = high;
    for (int pass = 0, side = 0; pass < 40; ++pass) {
      at = high - at_high * (high - low) / (at_high - at_low);
      const double now = miss(at);
      if (std::abs(now) < 1e-5) break;
      if (now < 0) {
        low = at, at_low = now, at_high *= side == -1 ? 0.5 : 1.0, side = -1;
      } else {
        high = at, at_high = now, at_low *= side == 1 ? 0.5 : 1.0, side = 1;
      }
    }
    return at;
  }
};

}  // namespace

double LoadedContact::sum(double LoadedPatch::*part) const {
  double all = this->*part;
  for (const LoadedPatch& other : others) all += other.*part;
  return all;
}

LoadedContact load_contact(const RailPair& pair, const AxlePlace& place, const RailContacts& found,
                           const WheelMotion& motion, const LoadedOptions& options, const CreepLaw& law) {
  std::vector<Loading> points{{pair, place, found.contact(), motion, options, law}};
  Patch alone = points.front().under_load();
  const double most = alone.depth;
  for (const RailContact& rival : found.minima) {
    if (&rival == &found.contact() || found.contact().height - rival.height >= most || rival.is_edge) continue;
    if (!points.front().covers(alone, rival)) points.push_back({pair, place, rival, motion, options, law});
  }
  LoadedContact out;
  double depth = most;
  if (points.size() == 1) {
    static_cast<LoadedPatch&>(out) = points.front().outcome(alone);
  } else {
    for (Loading& each : points)
      for (const Loading& other : points)
        if (&each != &other) each.end_before(other.rigid);
    Sharing sharing{points, options};
    depth = sharing.depth(most);
    std::erase_if(sharing.patches, [](const LoadedPatch& p) { return !(p.normal > 0); });
    std::ranges::sort(sharing.patches, std::greater{}, &LoadedPatch::normal);
    if (!sharing.patches.empty()) {
      static_cast<LoadedPatch&>(out) = sharing.patches.front();
      out.others.assign(sharing.patches.begin() + 1, sharing.patches.end());
    }
  }
  out.height = found.contact().height - depth;
  return out;
}

}  // namespace skyhook::element::rail
