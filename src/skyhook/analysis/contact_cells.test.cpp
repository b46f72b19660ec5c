// What is left between our results and CONTACT's in the Manchester benchmark, reproduced: the same rows by its cells. Facts of its sources and user guide (Apache-2.0):
// - cells of 0.2 mm, one of which has its middle at the contact point;
// - the wheel is the surface of straight lines between points 0.2 mm apart along its profile and along x;
// - its profiles pass through all points;
// - a cell at the leading edge has come a whole step, and spin counts 1/6 of a step ahead of the middles;
// - the approach is the deepest overlap of all cells.
// With these, height, approach, largest pressure, spin moment, forces and the counts of cells are those that it prints. So the differences in docs/validation.md are discretisation and smoothing, no physics.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "skyhook/analysis/contact_cases.h"
#include "skyhook/element/rail/contact_gap.h"
#include "skyhook/element/rail/profile_file.h"
#include "skyhook/element/rail/rolling_half_space.h"
#include "skyhook/element/rail/wheel_over_plane.h"

using namespace skyhook;
using namespace skyhook::analysis;
using namespace skyhook::element::rail;
using doctest::Approx;

namespace {

constexpr double cell = 0.2e-3;

std::string text_of(const char* name) {
  std::ifstream in(std::string(SKYHOOK_SOURCE_DIR "/models/rail/") + name);
  return {std::istreambuf_iterator<char>(in), {}};
}
ProfilePtr through_points(const char* name, Profile::Kind kind) {
  return fit_profile(parse_profile(text_of(name), name, {.kind = kind}).points,
                     {.name = name, .kind = kind, .smoothing = 0});
}

// Bilinear between nodes of the wheel, at steps of its own x and of the length along its profile.
struct ChordedWheel {
  const WheelOverPlane& exact;
  const Profile& wheel;
  double radius, x0, s0;

  Vec3<double> node(double i, double k) const {
    const double s = s0 + k * cell, rho = radius - wheel.at(s).z;
    return exact.point({s, std::asin((x0 + i * cell) / rho)});
  }
  Vec3<double> at(double u, double v) const {
    const double i = std::floor(u), k = std::floor(v), p = u - i, q = v - k;
    return (1 - p) * (1 - q) * node(i, k) + p * (1 - q) * node(i + 1, k) + (1 - p) * q * node(i, k + 1) +
           p * q * node(i + 1, k + 1);
  }
  double height(double x, double t, WheelOverPlane::At& near) const {
    exact.height(x, t, near);
    double u = ((radius - wheel.at(near.s).z) * std::sin(near.phi) - x0) / cell, v = (near.s - s0) / cell;
    for (int pass = 0; pass < 40; ++pass) {
      const double e = 1e-4;
      const Vec3<double> here = at(u, v), by_u = at(u + e, v) - here, by_v = at(u, v + e) - here;
      const double fx = x - here.x, ft = t - here.y, det = (by_u.x * by_v.y - by_v.x * by_u.y) / e;
      const double du = (fx * by_v.y - by_v.x * ft) / det, dv = (by_u.x * ft - by_u.y * fx) / det;
      u += du, v += dv;
      if (std::abs(du) + std::abs(dv) < 1e-9) break;
    }
    return at(u, v).z;
  }
};

// One row, pressed down until the pressures carry the normal force.
struct ByCells {
  const WheelsetOnTrack& wheelset;
  const CaseResult& ours;
  double depth = 0, deepest = 0;
  RailContact rigid{};
  ContactGap::Overlap overlap{};
  GapGrid grid{};
  HalfSpaceContact found{};

  const RailPair& pair() const { return ours.of.side == "left" ? wheelset.left() : wheelset.right(); }

  void lay(double angle) {
    const RailContact at = pair().at(place_of(ours.of), rigid.s, pair().rail().s_at(overlap.y));
    const SlopedPlane plane{{rigid.x + overlap.x, pair().rail_y() + at.rail.y, at.rail.z - rigid.height + depth},
                            angle};
    const WheelOverPlane exact(pair().wheel(), place_of(ours.of), pair().half(), pair().radius(), plane);
    WheelOverPlane::At middle{rigid.s, 0.0};
    exact.height(0, 0, middle);
    // A node lies where the contact point is, seen across the wheel.
    const AxleTurn turn(place_of(ours.of));
    const double y = plane.origin.y - turn.y, level = turn.cy * y - turn.sy * plane.origin.x;
    const ChordedWheel wheel{exact, pair().wheel(), pair().radius(), turn.cy * plane.origin.x + turn.sy * y,
                             pair().wheel().s_at(turn.cr * level + turn.sr * plane.origin.z - pair().half())};
    const ContactGap gap(pair(), place_of(ours.of), rigid, angle, depth);
    const double length = std::sqrt(2 * pair().radius() * depth * std::cos(angle)) * 1.25 + 1e-3;
    const int reach = static_cast<int>(std::ceil(length / cell));
    const double first = std::floor((overlap.pieces.front().first - overlap.t) / cell) - 1,
                 last = std::ceil((overlap.pieces.back().last - overlap.t) / cell) + 1;
    grid = {-reach * cell, first * cell, cell, cell, 2 * reach + 1, static_cast<int>(last - first) + 1, {}};
    for (int k = 0; k < grid.ny; ++k) {
      const double t = grid.y(k), rail = rail_height(gap, plane, t);
      WheelOverPlane::At near = middle;
      for (int i = 0; i < grid.nx; ++i) grid.gap.push_back(wheel.height(grid.x(i), t, near) - rail);
    }
    deepest = -*std::ranges::min_element(grid.gap);
  }
  double rail_height(const ContactGap& gap, const SlopedPlane& plane, double t) const {
    const ProfilePoint<double> p = pair().rail().at(gap.at(t + overlap.t).sigma);
    const double y = p.y + pair().rail_y() - plane.origin.y, z = p.z - rigid.height + depth - plane.origin.z;
    return std::cos(plane.angle) * z - std::sin(plane.angle) * y;
  }
  void weaken(const ContactGap& gap) {
    if (overlap.pieces.size() != 2) return;
    const double end = overlap.pieces[0].last, begin = overlap.pieces[1].first;
    grid.share = std::pow((8e-3 - gap.rail_distance(end, begin)) / 4e-3, 0.8);
    grid.divide = static_cast<int>(std::ceil(((begin + end) / 2 - overlap.t - grid.y0) / cell));
  }
  void press() {
    rigid = pair().find(place_of(ours.of)).contact();
    double angle = ours.contact.centre.angle;
    depth = rigid.height - ours.contact.height;
    for (int pass = 0; pass < 8; ++pass) {
      overlap = ContactGap(pair(), place_of(ours.of), rigid, angle, depth).overlap(-1, 1);
      angle = overlap.angle;
      const ContactGap gap(pair(), place_of(ours.of), rigid, angle, depth);
      overlap = gap.overlap(-1, 1);
      lay(angle);
      weaken(gap);
      found = solve_half_space(grid, ours.contact.normal, {});
      depth += found.approach / std::cos(angle);
      if (std::abs(found.approach) < 1e-11) break;
    }
  }
};

}  // namespace

TEST_CASE("Manchester A-2.2 by CONTACT's cells: what it prints, so that nothing of the differences is left") {
  const WheelsetOnTrack wheelset(through_points("profiles/s1002_manchester.csv", Profile::Kind::wheel),
                                 through_points("profiles/uic60_1in40_manchester.csv", Profile::Kind::rail), {});
  LoadedOptions options{.patch = "half_space", .cell = cell, .weaken = 4e-3, .is_exact = true};
  for (const ContactCase& c : parse_cases(text_of("benchmarks/manchester_a22_all.csv"), "a22")) {
    const bool is_left = c.side == "left";
    if (is_left
            ? c.name != "2"
            : c.name != "1" && c.name != "2" && c.name != "11" && c.name != "13" && c.name != "14" && c.name != "21")
      continue;
    CAPTURE(c.side);
    CAPTURE(c.name);
    const CaseResult ours = compute(c, wheelset, 2, options, *make_creep_law(options.creep));
    ByCells by{wheelset, ours};
    by.press();
    const auto ref = [&](const char* name) { return *c.reference(name); };
    const double side = is_left ? -1 : 1, z = -1e3 * (by.rigid.height - by.depth - wheelset.measures().radius);
    double sum = 0;
    for (const double p : by.found.pressure) sum += p;
    const LoadedContact& at = ours.contact;
    HalfSpaceContact about = by.found;
    about.x = about.y = 0;
    Tractions t;
    const CreepForce<double> f = RollingHalfSpace(by.grid, {}, {.edge = 1, .ahead = 1.0 / 6})
                                     .force(about, at.normal / (sum * cell * cell),
                                            {at.creep_x, at.creep_y, at.spin, at.normal, at.a, at.b, 0.3}, t);
    REQUIRE(t.is_found);
    long touch = 0, stick = 0;
    for (std::size_t k = 0; k < t.x.size(); ++k)
      if (by.found.pressure[k] > 0) ++touch, stick += !t.slides[k];
    MESSAGE(c.side, " ", c.name, ": height ", 1e3 * (z - ref("z_ws")), " um, approach ",
            100 * (1e3 * by.deepest / ref("approach") - 1), " %, pressure ",
            100 * (1e-6 * by.found.largest / ref("pmax") - 1), " %, cells ", touch, " of ", ref("ncon"), ", stick ",
            stick, " of ", ref("nadh"), ", Fx ", -f.x, " ", ref("Fx"), ", Fs ", -side * f.y, " ", ref("Fs"), ", Mn ",
            -side * 1e3 * f.moment, " ", ref("Mn"));
    CHECK(std::abs(z - ref("z_ws")) < 1e-4);                           // mm; it is printed to 0.1 um
    CHECK(1e3 * by.deepest == Approx(ref("approach")).epsilon(8e-4));  // four digits
    CHECK(1e-6 * by.found.largest == Approx(ref("pmax")).epsilon(2e-3));
    CHECK(std::abs(touch - static_cast<long>(ref("ncon"))) <= 1);
    CHECK(std::abs(stick - static_cast<long>(ref("nadh"))) <= 1);
    const double friction = 0.3 * ref("Fn");
    CHECK(std::abs(-f.x - ref("Fx")) < 1e-3 * friction);
    CHECK(std::abs(-side * f.y - ref("Fs")) < 1e-3 * friction);
    CHECK(std::abs(-side * 1e3 * f.moment - ref("Mn")) < 0.01 * std::abs(ref("Mn")) + 1);  // N.mm
    CHECK(std::abs(side * 1e3 * by.overlap.y - ref("ycp_r")) < 1e-3);
    CHECK(std::abs(-side * by.overlap.angle - ref("delta_cp")) < 6e-5);
  }
}
