// Reference: a second implementation, coefficient by coefficient with the names of the files and the letters of [Pacejka 2012], on doubles and in
// another arrangement; spring, radii and relaxation lengths as of (A3.1) to (A3.9) there and, for MF-Tyre 5.2 and PAC2002, as their manuals have them. Files: the
// one of the examples, and three in which every coefficient counts.
#include "skyhook/element/tyre/magic_formula.h"

#include <algorithm>
#include <map>
#include <string>

#include "skyhook/element/tyre/magic_tyre.h"
#include "skyhook/element/tyre/slip_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using tyre::MagicCoefficients, tyre::MagicForm, tyre::MagicFormula;

namespace {

double sgn(double x) { return x < 0 ? -1 : 1; }
double pow4(double x) { return x * x * x * x; }

// MF(x) = D sin(C arctan(B x - E (B x - arctan(B x))))
double mf(double D, double C, double B, double E, double x) {
  return D * std::sin(C * std::atan(B * x - E * (B * x - std::atan(B * x))));
}
double mf_cos(double D, double C, double B, double E, double x) {
  return D * std::cos(C * std::atan(B * x - E * (B * x - std::atan(B * x))));
}

struct Reference {
  std::map<std::string, double> k;
  MagicForm form;
  int mode = 4;
  bool v61 = form == MagicForm::mf61;

  double operator[](const std::string& name) const { return k.at(name); }
  double pressure() const {
    const double p0 = k.at("NOMPRES");
    return p0 > 0 ? (k.at("LIP") * k.at("INFLPRES") - p0) / p0 : 0;
  }

  // Relaxation lengths. 6.1: slip stiffness over stiffness of the carcass (A3.7) to (A3.9); else PTX and PTY, with the sign that each has.
  std::pair<double, double> lengths(double Fz, double g) const {
    const auto& q = *this;
    const double R0 = q["UNLOADED_RADIUS"], Fz0 = q["FNOMIN"] * q["LFZO"], df = (Fz - Fz0) / Fz0, dp = pressure();
    if (v61) {
      const double gs = std::sin(g);
      const double Kxk = Fz * (q["PKX1"] + q["PKX2"] * df) * std::exp(q["PKX3"] * df) *
                         (1 + q["PPX1"] * dp + q["PPX2"] * dp * dp) * q["LKX"];
      const double Kya =
          q["PKY1"] * Fz0 * (1 + q["PPY1"] * dp) * (1 - q["PKY3"] * std::abs(gs)) *
          std::sin(q["PKY4"] * std::atan(Fz / Fz0 / ((q["PKY2"] + q["PKY5"] * gs * gs) * (1 + q["PPY2"] * dp)))) *
          q["LKY"];
      const double Cx =
          q["LONGITUDINAL_STIFFNESS"] * (1 + q["PCFX1"] * df + q["PCFX2"] * df * df) * (1 + q["PCFX3"] * dp);
      const double Cy = q["LATERAL_STIFFNESS"] * (1 + q["PCFY1"] * df + q["PCFY2"] * df * df) * (1 + q["PCFY3"] * dp);
      return {q["LSGKP"] * std::abs(Kxk / Cx), q["LSGAL"] * std::abs(Kya / Cy)};
    }
    const double sign = form == MagicForm::mf52 ? -1 : 1;
    return {Fz * (q["PTX1"] + q["PTX2"] * df) * std::exp(sign * q["PTX3"] * df) * (R0 / Fz0) * q["LSGKP"],
            q["PTY1"] * std::sin(2 * std::atan(Fz / (q["PTY2"] * Fz0))) * (1 - q["PKY3"] * std::abs(g * q["LGAY"])) *
                R0 * q["LFZO"] * q["LSGAL"]};
  }

  // (A3.1) to (A3.5) without the terms of Fx and Fy: free radius, elastic load, rolling radius, over the loaded radius.
  std::array<double, 3> radial(double loaded, double omega, double g) const {
    const auto& q = *this;
    const double R0 = q["UNLOADED_RADIUS"], Fz0 = q["FNOMIN"], V0 = q["LONGVL"], Cz0 = q["VERTICAL_STIFFNESS"];
    const double free = R0 * (q["QRE0"] + q["QV1"] * std::pow(omega * R0 / V0, 2)), rho = free - loaded;
    const double q1 = q["QFZ1"] > 0 ? q["QFZ1"] : std::sqrt(std::pow(Cz0 * R0 / Fz0, 2) - 4 * q["QFZ2"]);
    const double by_pressure = (1 + q["PPFZ1"] * pressure()) * q["LCZ"];
    const double Fz = (1 + q["QV2"] * R0 / V0 * std::abs(omega)) * by_pressure *
                      ((q1 + q["QFZ3"] * g * g) * rho / R0 + q["QFZ2"] * std::pow(rho / R0, 2)) * Fz0;
    const double Re =
        free - Fz0 / (Cz0 * by_pressure) * (q["DREFF"] * std::atan(q["BREFF"] * Fz / Fz0) + q["FREFF"] * Fz / Fz0);
    return {free, Fz, Re};
  }

  std::array<double, 5> operator()(const Slip<double>& s) const {
    const auto& q = *this;
    const double Fz = s.load, R0 = q["UNLOADED_RADIUS"], Fz0 = q["FNOMIN"] * q["LFZO"], df = (Fz - Fz0) / Fz0;
    const double dp = pressure();
    const double a = v61 ? s.tan_alpha : std::atan(s.tan_alpha), g = s.camber, kap = s.kappa;
    const double ca = std::cos(std::atan(s.tan_alpha));
    // 6.1: gamma* = sin(gamma) but in mu_x, in the trail and in the arm of Fx
    const double gx = v61 ? g : g * q["LGAX"], gxa = v61 ? std::sin(g) : gx, gy = v61 ? std::sin(g) : g * q["LGAY"];
    const double gz = v61 ? std::sin(g) : g * q["LGAZ"], gt = v61 ? g : g * q["LGAZ"];
    const double lmx = q["LMUX"] * s.friction, lmy = q["LMUY"] * s.friction, lkyc = q["LKYC"], lkzc = q["LKZC"];

    // pure longitudinal
    const double SHx = (q["PHX1"] + q["PHX2"] * df) * q["LHX"], kx = kap + SHx;
    const double mux =
        (q["PDX1"] + q["PDX2"] * df) * (1 + q["PPX3"] * dp + q["PPX4"] * dp * dp) * (1 - q["PDX3"] * gx * gx) * lmx;
    const double Kxk = Fz * (q["PKX1"] + q["PKX2"] * df) * std::exp(q["PKX3"] * df) *
                       (1 + q["PPX1"] * dp + q["PPX2"] * dp * dp) * q["LKX"];
    const double Cx = q["PCX1"] * q["LCX"], Dx = mux * Fz, Bx = Kxk / Cx / Dx;
    const double Ex =
        std::min(1.0, (q["PEX1"] + q["PEX2"] * df + q["PEX3"] * df * df) * (1 - q["PEX4"] * sgn(kx)) * q["LEX"]);
    const double SVx = Fz * (q["PVX1"] + q["PVX2"] * df) * q["LVX"] * lmx;
    const double Fx0 = mf(Dx, Cx, Bx, Ex, kx) + SVx;

    // pure lateral, of a camber
    const double muy0 = (q["PDY1"] + q["PDY2"] * df) * (1 + q["PPY3"] * dp + q["PPY4"] * dp * dp) * lmy;
    struct Side {
      double F, SH, SV, K, B, C, mu;
    };
    const auto side = [&](double gam) {
      Side y{};
      y.K = q["PKY1"] * Fz0 * (1 + q["PPY1"] * dp) * (1 - q["PKY3"] * std::abs(gam)) *
            std::sin(q["PKY4"] * std::atan(Fz / Fz0 / ((q["PKY2"] + q["PKY5"] * gam * gam) * (1 + q["PPY2"] * dp)))) *
            q["LKY"];
      const double SVg = Fz * (q["PVY3"] + q["PVY4"] * df) * gam * lkyc * lmy;
      const double Kyg0 = Fz * (q["PKY6"] + q["PKY7"] * df) * (1 + q["PPY5"] * dp) * lkyc;
      y.SH = (q["PHY1"] + q["PHY2"] * df) * q["LHY"] + (v61 ? (Kyg0 * gam - SVg) / y.K : q["PHY3"] * gam * lkyc);
      y.SV = Fz * (q["PVY1"] + q["PVY2"] * df) * q["LVY"] * lmy + SVg;
      y.mu = muy0 * (1 - q["PDY3"] * gam * gam);
      const double ay = a + y.SH, D = y.mu * Fz;
      y.C = q["PCY1"] * q["LCY"];
      const double E =
          std::min(1.0, (q["PEY1"] + q["PEY2"] * df) *
                            (1 + q["PEY5"] * gam * gam - (q["PEY3"] + q["PEY4"] * gam) * sgn(ay)) * q["LEY"]);
      y.B = y.K / y.C / D;
      y.F = mf(D, y.C, y.B, E, ay) + y.SV;
      return y;
    };
    const Side y = side(gy);

    // combined
    double Gxa = 1, Gyk = 1, SVyk = 0;
    if (mode == 4) {
      const double Bxa = (q["RBX1"] + q["RBX3"] * gxa * gxa) * std::cos(std::atan(q["RBX2"] * kap)) * q["LXAL"];
      const double Exa = std::min(1.0, q["REX1"] + q["REX2"] * df), SHxa = q["RHX1"];
      Gxa = mf_cos(1, q["RCX1"], Bxa, Exa, a + SHxa) / mf_cos(1, q["RCX1"], Bxa, Exa, SHxa);
      const double Byk =
          (q["RBY1"] + q["RBY4"] * gy * gy) * std::cos(std::atan(q["RBY2"] * (a - q["RBY3"]))) * q["LYKA"];
      const double Eyk = std::min(1.0, q["REY1"] + q["REY2"] * df), SHyk = q["RHY1"] + q["RHY2"] * df;
      Gyk = mf_cos(1, q["RCY1"], Byk, Eyk, kap + SHyk) / mf_cos(1, q["RCY1"], Byk, Eyk, SHyk);
      const double DVyk =
          y.mu * Fz * (q["RVY1"] + q["RVY2"] * df + q["RVY3"] * gy) * std::cos(std::atan(q["RVY4"] * a));
      SVyk = DVyk * std::sin(q["RVY5"] * std::atan(q["RVY6"] * kap)) * q["LVYKA"];
    }
    const double Fx = Gxa * Fx0, Fy = Gyk * y.F + SVyk;

    // aligning
    const double SHt = q["QHZ1"] + q["QHZ2"] * df + (q["QHZ3"] + q["QHZ4"] * df) * gz, SHf = y.SH + y.SV / y.K;
    const double at = a + SHt, ar = a + SHf;
    double ate = at, are = ar;
    if (mode == 4) {
      const double turn = Kxk / y.K * kap;
      ate = sgn(at) * (v61 ? std::hypot(at, turn) : std::atan(std::hypot(std::tan(at), turn)));
      are = sgn(ar) * (v61 ? std::hypot(ar, turn) : std::atan(std::hypot(std::tan(ar), turn)));
    }
    const double Bt = (q["QBZ1"] + q["QBZ2"] * df + q["QBZ3"] * df * df) *
                      (1 + q["QBZ4"] * gt + q["QBZ5"] * std::abs(gt) + q["QBZ6"] * gt * gt) * q["LKY"] / lmy;
    const double Ct = q["QCZ1"];
    const double Dt = Fz * (R0 / Fz0) * (q["QDZ1"] + q["QDZ2"] * df) * (1 - q["PPZ1"] * dp) *
                      (1 + q["QDZ3"] * gt + q["QDZ4"] * gt * gt) * q["LTR"];
    const double Et =
        std::min(1.0, (q["QEZ1"] + q["QEZ2"] * df + q["QEZ3"] * df * df) *
                          (1 + (q["QEZ4"] + q["QEZ5"] * gz) * 2 / 3.14159265358979323846 * std::atan(Bt * Ct * at)));
    const double Br = q["QBZ9"] * q["LKY"] / lmy + q["QBZ10"] * y.B * y.C;
    const double Dr =
        Fz * R0 * lmy *
        ((q["QDZ6"] + q["QDZ7"] * df) * q["LRES"] + (q["QDZ8"] + q["QDZ9"] * df) * (1 + q["PPZ2"] * dp) * gz * lkzc +
         (q["QDZ10"] + q["QDZ11"] * df) * gz * std::abs(gz) * lkzc);
    const double t = mf_cos(Dt, Ct, Bt, Et, ate) * ca, Mzr = Dr * std::cos(std::atan(Br * are)) * ca;
    const double arm = R0 * (q["SSZ1"] + q["SSZ2"] * Fy / Fz0 + (q["SSZ3"] + q["SSZ4"] * df) * gt) * q["LS"];
    const double Fy_ = v61 ? Gyk * side(0).F : Fy - SVyk;
    const double Mz = -t * Fy_ + Mzr + (mode == 4 ? arm * Fx : 0);

    const double Mx = R0 * Fz * q["LMX"] *
                          (q["QSX1"] * q["LVMX"] - q["QSX2"] * g * (1 + q["PPMX1"] * dp) -
                           q["QSX12"] * g * std::abs(g) + q["QSX3"] * Fy / Fz0 +
                           q["QSX4"] * std::cos(q["QSX5"] * std::atan(std::pow(q["QSX6"] * Fz / Fz0, 2))) *
                               std::sin(q["QSX7"] * g + q["QSX8"] * std::atan(q["QSX9"] * Fy / Fz0)) +
                           q["QSX10"] * std::atan(q["QSX11"] * Fz / Fz0) * g) +
                      R0 * Fy * q["LMX"] * (q["QSX13"] + q["QSX14"] * std::abs(g));
    const double v = std::abs(s.speed) / q["LONGVL"];
    const double rolling = q["QSY1"] + q["QSY2"] * Fx / Fz0 + q["QSY3"] * v + q["QSY4"] * pow4(v) +
                           (q["QSY5"] + q["QSY6"] * Fz / Fz0) * g * g;
    const double My = q["QSY7"] != 0
                          ? -R0 * Fz0 * q["LMY"] * rolling * std::pow(Fz / Fz0, q["QSY7"]) * std::pow(1 + dp, q["QSY8"])
                          : -R0 * Fz * q["LMY"] * rolling;
    return {Fx, Fy, Mx, My, Mz};
  }
};

Reference reference_of(const MagicFormula& law) {
  Reference r{{}, law.form, law.combined ? 4 : 3};
  for (const auto& entry : tyre::magic_entries()) r.k[entry.name] = law.c.*entry.value;
  return r;
}

MagicFormula example() {
  const std::string path = std::string(SKYHOOK_SOURCE_DIR) + "/models/road/tyres/185_80R14.tir";
  return tyre::magic_tyre(tyre::parse_tir(tyre::read_tir_text(path, {}), path)).law;
}

// Every coefficient differs from its default.
MagicFormula disturbed(MagicForm form) {
  MagicFormula law = example();
  law.form = form;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const auto& entry : tyre::magic_entries()) {
    const std::string_view section = entry.section;
    double& x = law.c.*entry.value;
    if (section.ends_with("COEFFICIENTS")) x = x * (1 + 0.1 * unit(random)) + (x == 0 ? 0.05 * unit(random) : 0.0);
  }
  law.c.nominal_pressure = 2.2e5, law.c.pressure = 2.5e5;
  law.c.qfz2 = 12, law.c.qfz3 = 0.8, law.c.ppfz1 = 0.7, law.c.qre0 = 0.998, law.c.qv1 = 7e-4, law.c.qv2 = 0.04;
  law.c.stiffness_x = 3.6e5, law.c.stiffness_y = 1.1e5, law.c.pcfx1 = 0.2, law.c.pcfx2 = -0.05, law.c.pcfx3 = 0.3,
  law.c.pcfy1 = -0.1, law.c.pcfy2 = 0.04, law.c.pcfy3 = 0.4;
  law.c.load_min = 100, law.c.load_max = 9000;
  return law;
}

bool is_smooth(const Slip<double>&) { return true; }

}  // namespace

TEST_CASE("Magic Formula: 500 random slips, loads, cambers of PAC2002, 5.2 and 6.1 against a second implementation") {
  for (const MagicFormula& law :
       {example(), disturbed(MagicForm::mf52), disturbed(MagicForm::pac2002), disturbed(MagicForm::mf61)}) {
    check_against(law, reference_of(law));
    check_slopes(law, is_smooth);
  }
  MagicFormula pure = disturbed(MagicForm::mf61);
  pure.combined = false;
  check_against(pure, reference_of(pure));
}

TEST_CASE("Magic Formula: each coefficient counts, and as the second implementation has it") {
  const Slip<double> s{0.07, -0.05, 0.06, 4700, 21, 0.9};
  for (const MagicForm form : {MagicForm::mf52, MagicForm::mf61}) {
    const MagicFormula law = disturbed(form);
    std::vector<std::string> silent;
    for (const auto& entry : tyre::magic_entries()) {
      if (!std::string_view(entry.section).ends_with("COEFFICIENTS")) continue;
      MagicFormula changed = law;
      changed.c.*entry.value = 1.5 * changed.c.*entry.value + 0.3;
      const auto before = values(law(s)), after = values(changed(s));
      if (before == after) silent.emplace_back(entry.name);
    }
    // What the other version has, and relaxation.
    const std::vector<std::string> wanted =
        form == MagicForm::mf61 ? std::vector<std::string>{"LGAX", "LGAY", "LGAZ", "LSGKP", "LSGAL", "PTX1",
                                                           "PTX2", "PTX3", "PHY3", "PTY1",  "PTY2"}
                                : std::vector<std::string>{"LSGKP", "LSGAL", "PTX1", "PTX2", "PTX3",
                                                           "PKY6",  "PKY7",  "PPY5", "PTY1", "PTY2"};
    for (const std::string& name : wanted) CHECK_MESSAGE(std::ranges::count(silent, name) == 1, name);
    for (const std::string& name : silent) CHECK_MESSAGE(std::ranges::count(wanted, name) + (name == "LCZ") == 1, name);
  }
}

TEST_CASE("Magic Formula: limits") {
  const MagicFormula law = example();
  const auto f = [&](double kappa, double tan_alpha, double camber = 0) {
    return law(Slip<double>{kappa, tan_alpha, camber, 3800, 16.7});
  };
  CHECK(f(0.05, 0).fx > 1000);
  CHECK(f(-0.05, 0).fx < -1000);
  CHECK(f(0, 0.05).fy < -1000);
  CHECK(f(0, 0.02).mz > 0);
  CHECK(f(0, 0, 0.05).fy < f(0, 0).fy);  // towards its lean
  CHECK(f(0, 0).my < 0);                 // against rolling
  // slope at no slip: dFx/dkappa at the shifted origin is K
  const double shift = -(-0.001779);
  const double h = 1e-6;
  CHECK((f(shift + h, -0.001683).fx - f(shift - h, -0.001683).fx) / (2 * h) ==
        doctest::Approx(19.733 * 3800).epsilon(1e-3));
  // combined: within the ellipse of the largest pure forces, a little play for shifts and the term of drive
  double most_x = 0, most_y = 0;
  for (double x = -1.2; x < 1.2; x += 0.005)
    most_x = std::max(most_x, std::abs(f(x, 0).fx)), most_y = std::max(most_y, std::abs(f(0, x).fy));
  for (double x = -1; x < 1; x += 0.05) {
    for (double y = -1; y < 1; y += 0.05) {
      const auto both = f(x, y);
      CHECK(std::hypot(both.fx / most_x, both.fy / most_y) < 1.1);
    }
  }
  CHECK(std::abs(f(0.5, 0.1).fy) < 0.6 * std::abs(f(0, 0.1).fy));
  // standstill and far: numbers
  for (const double x : {1e3, -1e3, 1e9}) CHECK(std::isfinite(f(x, -x).fx + f(x, -x).fy + f(x, x).mz));
}

TEST_CASE("Magic Formula: outside of its ranges load scales the forces of the end, camber stays; the mirror image") {
  const MagicFormula law = example();
  const auto f = [&](double load, double camber) { return law(Slip<double>{0.02, 0.03, camber, load, 16.7}); };
  CHECK(f(10000, 0.01).fy == doctest::Approx(10000 / 8550.0 * f(8550, 0.01).fy));
  CHECK(f(50, 0.01).fx == doctest::Approx(50 / 190.0 * f(190, 0.01).fx));
  CHECK(f(4000, 0.4).fy == doctest::Approx(f(4000, 0.26181).fy));
  MagicFormula other = law;
  other.mirrored = true;
  const auto left = law(Slip<double>{0.02, 0.03, 0.05, 4000, 10}),
             right = other(Slip<double>{0.02, -0.03, -0.05, 4000, 10});
  CHECK(left.fx == doctest::Approx(right.fx));
  CHECK(left.fy == doctest::Approx(-right.fy));
  CHECK(left.mx == doctest::Approx(-right.mx));
  CHECK(left.my == doctest::Approx(right.my));
  CHECK(left.mz == doctest::Approx(-right.mz));
}

TEST_CASE("Magic Formula: relaxation lengths, rolling radius and spring of a file") {
  MagicFormula law = example();
  CHECK(law.lengths(3800.0, 0.0).u == doctest::Approx(1.9021 * 0.376));
  CHECK(law.lengths(3800.0, 0.0).v == doctest::Approx(1.8473 * std::sin(2 * std::atan(1 / 1.9465)) * 0.376));
  // at a camber of 0.05 rad longer by 0.93342 times that; twice the load: exp(+-PTX3) by whose file it is
  CHECK(law.lengths(3800.0, 0.05).v == doctest::Approx(law.lengths(3800.0, 0.0).v * (1 + 0.93342 * 0.05)));
  const double twice = 2 * (1.9021 - 0.0014739) * 0.376;
  CHECK(law.lengths(7600.0, 0.0).u == doctest::Approx(twice * std::exp(0.03631)));
  law.form = MagicForm::mf52;
  CHECK(law.lengths(7600.0, 0.0).u == doctest::Approx(twice * std::exp(-0.03631)));
  CHECK(law.lengths(1.0, 0.0).v >= 0.05 * 0.376);
  const double p = 0.02, p0 = 3800 / 1.75e5;
  CHECK(law.rolling().at(p) == doctest::Approx(0.376 - p0 * (0.25 * std::atan(7 * p / p0) + 0.01 * p / p0)));
  CHECK(law.vertical().elastic(p, 0.0, 0.0) == doctest::Approx(1.75e5 * p));
  law.form = MagicForm::mf61, law.c.ptx1 = 0, law.c.pty1 = 0, law.c.stiffness_x = 4e5, law.c.stiffness_y = 1e5;
  CHECK(law.has_lengths());
  CHECK(law.lengths(3800.0, 0.0).u == doctest::Approx(19.733 * 3800 / 4e5));
  law.c.qfz1 = 13, law.c.qfz2 = 15;
  CHECK(law.vertical().elastic(p, 0.0, 0.0) == doctest::Approx(3800 * (13 * p / 0.376 + 15 * p * p / 0.376 / 0.376)));
  // without QFZ1 the stiffness at the nominal load is that of the file
  law.c.qfz1 = 0;
  const auto slope_at = [&](double q) {
    return (law.vertical().elastic(q + 1e-6, 0.0, 0.0) - law.vertical().elastic(q - 1e-6, 0.0, 0.0)) / 2e-6;
  };
  double q = 0.02;
  for (int k = 0; k < 50; ++k) q -= (law.vertical().elastic(q, 0.0, 0.0) - 3800) / slope_at(q);
  CHECK(slope_at(q) == doctest::Approx(1.75e5).epsilon(1e-8));
}

TEST_CASE(
    "Magic Formula: lengths, spring and radii at random loads, cambers and spins against the published formulas") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const MagicForm form : {MagicForm::mf52, MagicForm::pac2002, MagicForm::mf61}) {
    const MagicFormula law = disturbed(form);
    const Reference reference = reference_of(law);
    const tyre::Vertical spring = law.vertical();
    for (int k = 0; k < 100; ++k) {
      const double load = 4000 + 3000 * unit(random), camber = 0.2 * unit(random), spin = 120 * unit(random);
      const auto [x, y] = reference.lengths(load, camber);
      CHECK(law.lengths(load, camber).u == doctest::Approx(x).epsilon(1e-12));
      CHECK(law.lengths(load, camber).v == doctest::Approx(y).epsilon(1e-12));
      const double loaded = 0.35 + 0.01 * unit(random), p = spring.free_radius(spin) - loaded;
      const auto [free, force, rolling] = reference.radial(loaded, spin, camber);
      CHECK(spring.free_radius(spin) == doctest::Approx(free).epsilon(1e-13));
      CHECK(spring.elastic(p, spin, camber) == doctest::Approx(force).epsilon(1e-11));
      CHECK(law.rolling().at(force / spring.stiffness) + free - spring.radius ==
            doctest::Approx(rolling).epsilon(1e-12));
      // derivatives of the lengths
      const auto exact = law.lengths(Dual<2>::variable(load, 0), Dual<2>::variable(camber, 1));
      const double h = 1e-6;
      CHECK(
          exact.v.d[1] ==
          doctest::Approx((law.lengths(load, camber + h).v - law.lengths(load, camber - h).v) / (2 * h)).epsilon(1e-6));
      CHECK(exact.u.d[0] ==
            doctest::Approx((law.lengths(load + 1, camber).u - law.lengths(load - 1, camber).u) / 2).epsilon(1e-6));
    }
  }
}
