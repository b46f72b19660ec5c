#include "skyhook/element/rail/creep_law.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <numbers>
#include <random>
#include <sstream>

#include "skyhook/element/rail/fastsim_table.h"
#include "skyhook/element/rail/plain_creep.h"

using namespace skyhook;
using namespace skyhook::element::rail;

namespace {

std::shared_ptr<const CreepLaw> law_of(const char* name) { return make_creep_law({.law = name}); }
std::vector<std::string> all_laws() {
  std::istringstream words(creep_laws);
  return {std::istream_iterator<std::string>(words), {}};
}

// examples/fastsim.inp of CONTACT in m and N
const Creep<double> example{0, -6.25e-4, 0.625, 82000, 8e-3, 4e-3, 0.3};

Creep<double> random_creep(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const double size = std::pow(10, 1.2 * unit(random));  // from hardly creeping to full sliding
  return {1e-3 * size * unit(random),      1e-3 * size * unit(random),      0.3 * size * unit(random),
          80e3 * (1 + 0.9 * unit(random)), 6e-3 * (1 + 0.5 * unit(random)), 5e-3 * (1 + 0.5 * unit(random)),
          0.3 + 0.2 * unit(random)};
}

// Kalker's algorithm on a rectangular grid as CONTACT has it: cells of equal size, tractions at their middles, the rigid slip of the cell over its
// whole length, the first cell of a row included. Another discretisation than the code's, of first order.
CreepForce<double> on_grid(const Creep<double>& c, int n) {
  const CreepCoefficients<double> C = KalkerCoefficients(0.28).at(c.a, c.b);
  const double G = 82e9, L1 = 8 * c.a / (3 * G * C.C11), L2 = 8 * c.a / (3 * G * C.C22);
  const double L3 = std::numbers::pi * c.a * c.a / (4 * G * std::sqrt(c.a * c.b) * C.C23),
               p0 = 2 * c.load / (std::numbers::pi * c.a * c.b);
  CreepForce<double> f{};
  const double dx = 2 * c.a / n, dy = 2 * c.b / n;
  for (int j = 0; j < n; ++j) {
    const double y = (j + 0.5) * dy - c.b;
    double px = 0, py = 0;
    for (int i = n - 1; i >= 0; --i) {
      const double x = (i + 0.5) * dx - c.a, inside = 1 - x * x / (c.a * c.a) - y * y / (c.b * c.b);
      if (inside <= 0) continue;
      px -= dx * (c.x / L1 - c.spin * y / L3), py -= dx * (c.y / L2 + c.spin * x / L3);
      const double shorten = std::min(1.0, c.friction * p0 * inside / std::max(1e-300, std::hypot(px, py)));
      px *= shorten, py *= shorten;
      f.x += px * dx * dy, f.y += py * dx * dy, f.moment += (x * py - y * px) * dx * dy;
    }
  }
  return f;
}

}  // namespace

TEST_CASE("Creep laws: slopes to the seven numbers against differences") {
  for (const std::string& name : all_laws()) {
    CAPTURE(name);
    const auto law = law_of(name.c_str());
    std::mt19937 random(3);
    double worst = 0;
    for (int k = 0; k < 100; ++k) {
      const Creep<double> at = random_creep(random);
      const CreepForce<CreepSlope> exact = law->slopes(at);
      const auto plain = law->force(at);
      CHECK(std::abs(exact.x.v - plain.x) <= 1e-9 * at.load);
      double Creep<double>::*const in[] = {&Creep<double>::x,       &Creep<double>::y, &Creep<double>::spin,
                                           &Creep<double>::load,    &Creep<double>::a, &Creep<double>::b,
                                           &Creep<double>::friction};
      const double size[] = {1e-3, 1e-3, 0.3, 1e5, 6e-3, 6e-3, 0.3};
      for (std::size_t i = 0; i < 7; ++i) {
        const auto moved = [&](double by) {
          Creep<double> c = at;
          c.*in[i] += by;
          return law->force(c);
        };
        const double h = 1e-6 * size[i], scale = size[i] / (at.load * at.friction);
        const CreepForce<double> up = moved(h), down = moved(-h);
        const double errors[] = {(up.x - down.x) / (2 * h) - exact.x.d[i], (up.y - down.y) / (2 * h) - exact.y.d[i],
                                 ((up.moment - down.moment) / (2 * h) - exact.moment.d[i]) / at.a};
        for (double e : errors) worst = std::max(worst, std::abs(e) * scale);
      }
    }
    // Curves have kinks in their second derivatives where a cell begins to slide: a difference of 1e-6 across one leaves 1e-6.
    INFO("worst ", worst);
    CHECK(worst < 2e-5);
  }
}

TEST_CASE("Creep laws: at rest, without load, without friction, at zero creep all is regular") {
  for (const std::string& name : all_laws()) {
    CAPTURE(name);
    const auto law = law_of(name.c_str());
    const auto is_finite = [](const CreepForce<CreepSlope>& f) {
      bool ok = true;
      for (const CreepSlope* y : {&f.x, &f.y, &f.moment}) {
        ok = ok && std::isfinite(y->v);
        for (double d : y->d) ok = ok && std::isfinite(d);
      }
      return ok;
    };
    const Creep<double> none{0, 0, 0, 8e4, 6e-3, 5e-3, 0.3};
    CHECK(is_finite(law->slopes(none)));
    CHECK(law->force(none).x == 0.0);
    CHECK(law->force(none).y == 0.0);
    // as Kalker's theory: FASTSIM's slope to spin has the error of its cells, 2e-3
    const CreepForce<CreepSlope> linear = law_of("kalker")->slopes(none), slope = law->slopes(none);
    // Polach has one C for all directions, and at rest it is that of y: 4.1 against 4.5
    CHECK(slope.x.d[0] == doctest::Approx(linear.x.d[0]).epsilon(name == "polach" ? 0.12 : 1e-5));
    CHECK(slope.y.d[1] == doctest::Approx(linear.y.d[1]).epsilon(1e-5));
    CHECK(slope.y.d[2] == doctest::Approx(linear.y.d[2]).epsilon(3e-3));
    for (double load : {0.0, -10.0, 1e-12, 1e-3}) {
      const double size = std::cbrt(std::max(load, 0.0) / 8e4);
      const Creep<double> light{1e-3, 2e-3, 0.1, load, 6e-3 * size, 5e-3 * size, 0.3};
      CHECK(is_finite(law->slopes(light)));
      if (name != "kalker")
        CHECK(std::hypot(law->force(light).x, law->force(light).y) <= 0.3 * std::max(load, 0.0) * (1 + 1e-9));
    }
    Creep<double> smooth = none;
    smooth.x = 1e-3, smooth.friction = 0;
    CHECK(is_finite(law->slopes(smooth)));
  }
}

TEST_CASE("Creep laws: large creep slides with all of the friction against the slip") {
  for (const std::string& name : all_laws()) {
    if (name == "kalker") continue;  // has no bound
    CAPTURE(name);
    Creep<double> at{0.3, -0.4, 0, 8e4, 6e-3, 5e-3, 0.3};
    if (name == "tanh") at.y = 0, at.x = 0.5;  // its axes saturate one by one: the direction is right on the axes alone
    const CreepForce<double> f = law_of(name.c_str())->force(at);
    const double most = 0.3 * 8e4, size = std::hypot(at.x, at.y);
    // SHE and FASTSIM with three flexibilities have the direction of the linear force
    if (name == "she" || name.starts_with("fastsim"))
      CHECK(std::hypot(f.x, f.y) == doctest::Approx(most).epsilon(name == "fastsim_table" ? 2e-3 : 1e-9));
    // Polach's curve ends like an arc tangent, 2/(pi eps)
    const double within = name == "polach" ? 0.01 : name == "tanh" ? 1e-9 : 0.05;
    CHECK(std::abs(f.x + most * at.x / size) < within * most);
    CHECK(std::abs(f.y + most * at.y / size) < within * most);
  }
}

TEST_CASE("FASTSIM with one flexibility: slides against the slip, and creeps along an axis as with three") {
  const auto one = make_creep_law({.law = "fastsim", .flexibilities = 1}), three = law_of("fastsim");
  const CreepForce<double> f = one->force({0.3, -0.4, 0, 8e4, 6e-3, 5e-3, 0.3});
  CHECK(f.x == doctest::Approx(-0.6 * 24e3).epsilon(1e-9));
  CHECK(f.y == doctest::Approx(0.8 * 24e3).epsilon(1e-9));
  for (const Creep<double>& at :
       {Creep<double>{1e-3, 0, 0, 8e4, 6e-3, 5e-3, 0.3}, Creep<double>{0, 1e-3, 0, 8e4, 6e-3, 5e-3, 0.3},
        Creep<double>{0, 0, 0.4, 8e4, 6e-3, 5e-3, 0.3}}) {
    const CreepForce<double> g = one->force(at), h = three->force(at);
    CHECK(g.x == doctest::Approx(h.x).epsilon(1e-9));
    CHECK(g.y == doctest::Approx(h.y).epsilon(1e-9));
  }
}

TEST_CASE("Kalker's coefficients: smooth, through the table, and how far from the straight lines of CONTACT") {
  double worst = 0, usual = 0;
  for (double nu : {0.0, 0.25, 0.28, 0.3, 0.5}) {
    const KalkerCoefficients smooth(nu);
    for (std::size_t row = 0; row < kalker_table().size(); ++row) {
      const KalkerRow& r = kalker_table()[row];
      const CreepCoefficients<double> C = smooth.at(r.ratio, 1.0);
      const std::array<double, 4> at{C.C11, C.C22, C.C23, C.C33};
      for (std::size_t i = 0; i < 4; ++i) CHECK(at[i] == doctest::Approx(at_poisson(r.C[i], nu)).epsilon(1e-12));
      if (row == 0) continue;
      // in between: linear in g = min(a/b, b/a)
      const KalkerRow& before = kalker_table()[row - 1];
      const auto g = [](double ratio) { return ratio > 1 ? 1 / ratio : ratio; };
      const double middle = 0.5 * (g(r.ratio) + g(before.ratio)), ratio = r.ratio > 1 ? 1 / middle : middle;
      const CreepCoefficients<double> between = smooth.at(ratio, 1.0);
      const std::array<double, 3> curve{between.C11, between.C22, between.C23};
      for (std::size_t i = 0; i < 3; ++i) {
        const double line = 0.5 * (at_poisson(r.C[i], nu) + at_poisson(before.C[i], nu));
        worst = std::max(worst, std::abs(curve[i] / line - 1));
        if (middle > 0.2) usual = std::max(usual, std::abs(curve[i] / line - 1));
      }
    }
    // Kalker's asymptotes are taken over below 0.05; his table ends at 0.1, 5 % from them or less
    const CreepCoefficients<double> narrow = smooth.at(0.02, 1.0), wide = smooth.at(50.0, 1.0);
    CHECK(narrow.C11 == doctest::Approx(narrow_along(0.02, nu)[0]).epsilon(0.01));
    CHECK(narrow.C23 == doctest::Approx(narrow_along(0.02, nu)[2]).epsilon(0.01));
    CHECK(wide.C11 == doctest::Approx(narrow_across(0.02, nu)[0]).epsilon(0.01));
    CHECK(wide.C33 == doctest::Approx(narrow_across(0.02, nu)[3]).epsilon(0.02));
  }
  MESSAGE("smooth against linear in g: at most ", 100 * worst, " %, from g = 0.2 on ", 100 * usual, " %");
  // C23 between b/a = 0.1 and 0.2, where a line cuts across (b/a)^-1.5: 15 %. From 0.2 on it is 5 %.
  CHECK(worst < 0.15);
  CHECK(worst > 0.1);
  CHECK(usual < 0.055);
}

TEST_CASE("FASTSIM: small creep is Kalker's linear theory, to the square of the cell") {
  // Along a slice x and y are exact (a ramp is summed exactly), across it fourth order; spin has the error of the sums of a parabola.
  const Creep<double> at{0, 0, 0, 8e4, 6e-3, 5e-3, 0.3};
  const CreepForce<CreepSlope> linear = law_of("kalker")->slopes(at);
  double before = 0;
  for (int along : {8, 16, 32}) {
    const CreepForce<CreepSlope> f = make_creep_law({.law = "fastsim", .across = 32, .along = along})->slopes(at);
    CHECK(f.x.d[0] == doctest::Approx(linear.x.d[0]).epsilon(2e-6));
    CHECK(f.y.d[1] == doctest::Approx(linear.y.d[1]).epsilon(2e-6));
    const double error = std::abs(f.y.d[2] / linear.y.d[2] - 1);
    CHECK(error < 0.6 / (along * along));
    if (before > 0) CHECK(before / error == doctest::Approx(4).epsilon(0.05));  // order 2
    before = error;
  }
}

TEST_CASE("FASTSIM: the example of CONTACT, on its grid and on ours") {
  // creep_laws.yaml: 40 x 40 cells Fy -1.505e4, Mz -39.00; 200 x 200 Fy -1.564e4, Mz -37.98, first order in the cells. The 2.3 % that
  // are left at 40 cells have no explanation yet.
  const CreepForce<double> coarse = on_grid(example, 40), fine = on_grid(example, 200);
  CHECK(coarse.y == doctest::Approx(-1.505e4).epsilon(0.025));
  CHECK(coarse.moment == doctest::Approx(-39.00).epsilon(0.02));
  CHECK(fine.y == doctest::Approx(-1.564e4).epsilon(0.004));
  CHECK(fine.moment == doctest::Approx(-37.98).epsilon(0.003));
  // Its limit by extrapolation of order one, 1.579e4, lies 0.9 % from ours for the same reason.
  const CreepForce<double> ours = law_of("fastsim")->force(example);
  CHECK(ours.x == doctest::Approx(0).scale(1e4));
  CHECK(ours.y == doctest::Approx(-1.579e4).epsilon(0.012));
  // and both discretisations have one limit: the grid's error falls with 1/n, ours is at the tenth of a per cent already
  const CreepForce<double> limit = on_grid(example, 1600);
  CHECK(ours.y == doctest::Approx(limit.y).epsilon(4e-3));
  CHECK(ours.moment == doctest::Approx(limit.moment).epsilon(6e-3));
  CHECK(std::abs(fine.y - limit.y) > 3 * std::abs(ours.y - limit.y));
}

TEST_CASE("FASTSIM: the usual slices are within 1 % of many") {
  const Fastsim usual, many({96, 96});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  double worst = 0, sum = 0;
  const int count = 60;
  for (int k = 0; k < count; ++k) {
    const double size = 6 * std::pow(10, unit(random) - 1), ratio = std::pow(3, unit(random)),
                 turn = size * unit(random);
    const ReducedCreep<double> u{size * unit(random), size * unit(random), turn * ratio, turn};
    const ReducedForce<double> f = usual.force(u), g = many.force(u);
    const double e = std::hypot(f.x - g.x, f.y - g.y);
    worst = std::max(worst, e), sum += e * e;
  }
  INFO("worst ", worst, ", usual ", std::sqrt(sum / count));
  CHECK(worst < 0.01);
  CHECK(std::sqrt(sum / count) < 0.0025);
}

TEST_CASE("FASTSIM: continuous, also where cells begin and cease to slide") {
  // A jump would show as a change that does not shrink with the step.
  const Fastsim law({8, 8});
  double largest = 0;
  ReducedForce<double> before = law.force({0.1, 0.3, 0.0, 0.0});
  const int n = 20000;
  for (int i = 1; i <= n; ++i) {
    const double turn = 8.0 * i / n;
    const ReducedForce<double> now = law.force({0.1, 0.3 - 0.2 * turn, 1.3 * turn, turn});
    largest = std::max(largest, std::hypot(now.x - before.x, now.y - before.y));
    before = now;
  }
  CHECK(largest < 3.0 * 8 / n);  // slopes of the force over its units are about one
}

TEST_CASE("FASTSIM: zones of the picture") {
  const Fastsim law({24, 16});
  const auto sliding = [&](double x) {
    int count = 0;
    for (const Bristle& b : law.patch({x, 0, 0, 0})) count += b.slides;
    return count;
  };
  CHECK(sliding(1e-3) == 0);
  CHECK(sliding(10.0) == 24 * 16);
  // without spin a slice of half length l slides behind x = u - l: the share of the area is an integral over l
  double share = 0;
  const double u = 0.8;
  for (int j = 0; j < 1000; ++j) {
    const double y = -1 + (j + 0.5) / 500, l = std::sqrt(1 - y * y);
    share += std::min(2 * l, u) / 500 / std::numbers::pi;
  }
  double area = 0;
  const std::vector<Bristle> all = law.patch({u, 0, 0, 0});
  for (const Bristle& b : all) area += b.slides ? 1.0 - b.y * b.y : 0.0;  // weight of a cell: l^2
  double total = 0;
  for (const Bristle& b : all) total += 1.0 - b.y * b.y;
  CHECK(area / total == doctest::Approx(share).epsilon(0.06));  // to a cell
}

TEST_CASE("Polach against FASTSIM: within a twentieth of the friction without spin, a tenth with that of treads") {
  // [Polach 1999] shows his curves on those of FASTSIM without spin, and near them with it.
  const auto polach = law_of("polach"), fastsim = law_of("fastsim");
  const auto worst = [&](double spin) {
    double most = 0;
    for (double creep = 1e-4; creep < 2e-2; creep *= 1.3) {
      for (double ratio : {0.6, 1.0, 1.8}) {
        const double a = 5e-3 * std::sqrt(ratio), b = 5e-3 / std::sqrt(ratio);
        for (const Creep<double>& at :
             {Creep<double>{creep, 0, spin, 8e4, a, b, 0.3}, Creep<double>{0, creep, spin, 8e4, a, b, 0.3}}) {
          const CreepForce<double> f = polach->force(at), g = fastsim->force(at);
          most = std::max(most, std::hypot(f.x - g.x, f.y - g.y) / (0.3 * 8e4));
        }
      }
    }
    return most;
  };
  CHECK(worst(0.0) < 0.05);
  CHECK(worst(0.1) < 0.07);  // 1/m: a contact angle of 2.6 degrees at a radius of 0.46 m
  CHECK(worst(0.2) < 0.10);
  CHECK(worst(0.4) > 0.10);  // where it is no longer meant
}

TEST_CASE("Polach 2005: the initial slope is (k_A + k_S)/2 of the linear one; friction falls with sliding") {
  const Creep<double> at{1e-7, 0, 0, 8e4, 6e-3, 5e-3, 0.3};
  const double whole = make_creep_law({.law = "polach"})->force(at).x;
  CHECK(make_creep_law({.law = "polach", .adhesion = 0.3, .slip = 0.1})->force(at).x ==
        doctest::Approx(0.2 * whole).epsilon(1e-6));
  const Friction wet{.value = 0.3, .far = 0.4, .decay = 0.2};
  CHECK(wet.at(0.0, 0.0) == doctest::Approx(0.3));
  CHECK(wet.at(3.0, 4.0) == doctest::Approx(0.3 * (0.4 + 0.6 * std::exp(-0.2 * 5))).epsilon(1e-3));
  CHECK(wet.at(1e4, 0.0) == doctest::Approx(0.12));
}

TEST_CASE("Jaschinski's law as the wheelset of the test set has it") {
  // Tx and Ty written out as in ivp_wheelset.yaml, with its coefficients and a = b = c
  const double G = 7.92e10, c = 1.1e-3, N = 80, mu = 0.12, C11 = 4.72772197, C22 = 4.27526987, C23 = 1.97203505;
  const auto law =
      make_creep_law({.law = "tanh", .material = {G, 0.28}, .coefficients = FixedCoefficients{C11, C22, C23}});
  for (double scale : {1e-5, 1e-4, 1e-2}) {
    const double nx = 0.7 * scale, ny = -0.4 * scale, phi = 2.0 * scale;
    double tx = -mu * N * std::tanh(G * c * c * C11 * nx / (mu * N));
    double ty = -mu * N * std::tanh(G * c * c * C22 * ny / (mu * N) + G * c * c * c * C23 * phi / (mu * N));
    const double size = std::hypot(tx, ty);
    if (size > mu * N) tx *= mu * N / size, ty *= mu * N / size;
    const CreepForce<double> f = law->force({nx, ny, phi, N, c, c, mu});
    CHECK(f.x == doctest::Approx(tx).epsilon(1e-12));
    CHECK(f.y == doctest::Approx(ty).epsilon(1e-12));
  }
}

TEST_CASE("Table of FASTSIM: within its stated bound of the law, and continuous across the edges of its cube") {
  const auto table = usual_fastsim_table();
  std::mt19937 random(9);
  std::uniform_real_distribution<double> unit(-1, 1);
  double worst = 0, sum = 0;
  const int count = 2000;
  for (int k = 0; k < count; ++k) {
    const double size = std::pow(10, 1.5 * unit(random)), ratio = std::pow(FastsimTable::widest, unit(random)),
                 turn = size * unit(random);
    const ReducedCreep<double> u{size * unit(random), size * unit(random), turn * ratio, turn};
    const ReducedForce<double> f = table->force(u), g = table->law().force(u);
    const double e =
        std::max({std::hypot(f.x - g.x, f.y - g.y), std::abs(f.arm_x - g.arm_x), std::abs(f.arm_y - g.arm_y)});
    worst = std::max(worst, e), sum += e * e;
  }
  MESSAGE("table of ", table->bytes() / 1024, " kB: largest error ", worst, ", root mean square ",
          std::sqrt(sum / count));
  CHECK(worst < FastsimTable::largest_error);
  CHECK(std::sqrt(sum / count) < FastsimTable::usual_error);
  for (double any : {-0.7, 0.0, 0.4}) {
    const double e = 1e-9;
    const auto jump = [&](const ReducedCreep<double>& a, const ReducedCreep<double>& b) {
      const ReducedForce<double> f = table->force(a), g = table->force(b);
      return std::hypot(f.x - g.x, f.y - g.y);
    };
    CHECK(jump({1 + e, 1, any, any}, {1 - e, 1, any, any}) < 1e-7);
    CHECK(jump({1 + e, any, 2, 1}, {1 - e, any, 2, 1}) < 1e-7);
    CHECK(jump({std::abs(any), 1 + e, 2, 1}, {std::abs(any), 1 - e, 2, 1}) < 1e-7);
    CHECK(jump({std::abs(any), -1 - e, 2, 1}, {std::abs(any), -1 + e, 2, 1}) < 1e-7);
    CHECK(jump({e, any, 2, 1}, {-e, any, 2, 1}) < 1e-7);
    CHECK(jump({any, 0.3, e, e}, {any, 0.3, -e, -e}) < 1e-7);
  }
}
