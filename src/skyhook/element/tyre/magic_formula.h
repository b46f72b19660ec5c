// The Magic Formula: [Pacejka 2012] (4.E1) to (4.E78) without turn slip, and its older form of MF-Tyre 5.2 and PAC2002, which differs in the slip angle
// (itself, not its tangent), in how camber enters the lateral force, and in the trail of a wheel that leans. docs/theory/14_tyres.md.
// Signs are those of TYDEX W, which are ours.
#pragma once
#include <numbers>

#include "skyhook/element/tyre/magic_coefficients.h"
#include "skyhook/element/tyre/magic_curve.h"
#include "skyhook/element/tyre/relaxation.h"
#include "skyhook/element/tyre/slip.h"
#include "skyhook/element/tyre/vertical.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::element::tyre {

enum class MagicForm { mf61, mf52, pac2002 };

struct MagicFormula {
  MagicCoefficients c;
  MagicForm form = MagicForm::mf61;
  bool drives_x = true;   // what USE_MODE asks for: Fx and My
  bool drives_y = true;   // Fy, Mx and Mz
  bool combined = true;   // each with the slip of the other
  bool mirrored = false;  // of a tyre that stands on the other side

  static constexpr bool drives = true;
  static constexpr bool one_way = true;  // not odd in kappa: its shifts are those of a wheel that rolls ahead

  // Directions 0 and 1 of dual numbers are those of kappa and tan_alpha.
  template <class T>
  ContactForce<T> operator()(const Slip<T>& slip) const;
  double my_by_speed(const Slip<double>& slip) const;
  template <class T>
  Displaced<T> lengths(const T& load, const T& camber) const;
  bool has_lengths() const { return (c.ptx1 != 0.0 || c.stiffness_x > 0.0) && (c.pty1 != 0.0 || c.stiffness_y > 0.0); }
  double pressure_change() const {
    const bool is_told = c.nominal_pressure > 0.0 && c.pressure > 0.0;
    return is_told ? (c.lip * c.pressure - c.nominal_pressure) / c.nominal_pressure : 0.0;
  }
  Vertical vertical() const;
  RollingRadius rolling() const;
  // The ranges of the file, of which it says where it has been left.
  void look(const Slip<double>& s, model::TableLooks& looks) const;
  // Largest force over stiffness of slip, both at the nominal load.
  Displaced<double> limits() const;

 private:
  bool is_61() const { return form == MagicForm::mf61; }

  template <class L>
  struct At {  // all that the load, the camber, the friction and the pressure say
    L load, df, camber, mu_x, mu_y;
    L gamma_x, gamma_y, gamma_z, gamma_t;  // as they count in Fx, Fy, Mz and in the trail
    double nominal, dp;
  };
  template <class L>
  struct Curve {  // d sin(c atan(...(x + shift))) + shift_v
    double c = 0;
    L b{}, d{}, e{}, shift{}, shift_v{};
    template <class T>
    T at(const T& slip) const {
      const T z = widened<T>(b) * (slip + widened<T>(shift));
      return widened<T>(d) * sin_atan(c, bent(z, widened<T>(e))) + widened<T>(shift_v);
    }
  };
  template <class L>
  struct Lateral {
    Curve<L> curve;
    L mu, stiffness;
  };

  static double sign(double x) { return x < 0.0 ? -1.0 : 1.0; }
  template <class L>
  static L at_most_1(const L& e) {
    return value_of(e) > 1.0 ? L(1.0) : e;
  }
  template <class T>
  static T within(const T& x, double least, double most) {
    return value_of(x) < least ? T(least) : value_of(x) > most ? T(most) : x;
  }
  // Of combined slip: 1 where the other slip is none.
  template <class T>
  static T weight(double c, const T& b, const T& e, const T& slip, const T& shift) {
    return cos_atan(c, bent(b * (slip + shift), e)) / cos_atan(c, bent(b * shift, e));
  }

  template <class L>
  At<L> at(const L& load, const L& camber, const L& friction) const;
  template <class L>
  L stiffness_x(const At<L>& a) const;
  template <class L>
  L stiffness_y(const At<L>& a, const L& gamma) const;
  template <class L>
  Curve<L> curve_x(const At<L>& a, const L& k, double kappa) const;
  template <class L>
  Lateral<L> lateral(const At<L>& a, const L& gamma, double alpha) const;
  template <class T>
  T weighted_x(const At<unslipped<T>>& a, const T& kappa, const T& alpha) const;
  template <class T, class L>
  T moment_x(const At<L>& a, const T& fy) const;
  template <class T, class L>
  T moment_y(const At<L>& a, const T& fx, const T& speed) const;
  template <class L>
  L rolling_load(const At<L>& a) const;
  template <class T>
  void lateral_force(const At<unslipped<T>>& a, const unslipped<T>& kx, const T& kappa, const T& alpha,
                     const T& cos_alpha, ContactForce<T>& f) const;
};

template <class L>
MagicFormula::At<L> MagicFormula::at(const L& load, const L& camber, const L& friction) const {
  using std::sin;
  At<L> a;
  a.nominal = c.lfzo * c.nominal_load;
  a.dp = pressure_change();
  a.load = load, a.df = line(-1.0, 1.0 / a.nominal, load);
  a.camber = camber;
  a.mu_x = times(c.lmux, friction), a.mu_y = times(c.lmuy, friction);
  if (is_61()) {
    const L star = sin(camber);
    a.gamma_x = camber, a.gamma_y = star, a.gamma_z = star, a.gamma_t = camber;
  } else {
    a.gamma_x = times(c.lgax, camber), a.gamma_y = times(c.lgay, camber);
    a.gamma_z = times(c.lgaz, camber), a.gamma_t = a.gamma_z;
  }
  return a;
}

template <class L>
L MagicFormula::stiffness_x(const At<L>& a) const {
  using std::exp;
  const double by_pressure = 1.0 + c.ppx1 * a.dp + c.ppx2 * a.dp * a.dp;
  return a.load * line(by_pressure * c.lkx * c.pkx1, by_pressure * c.lkx * c.pkx2, a.df) * exp(times(c.pkx3, a.df));
}

template <class L>
L MagicFormula::stiffness_y(const At<L>& a, const L& gamma) const {
  using std::abs;
  const L knee = times((1.0 + c.ppy2 * a.dp) * a.nominal, parabola(c.pky2, 0.0, c.pky5, gamma));
  const double most = c.pky1 * a.nominal * (1.0 + c.ppy1 * a.dp) * c.lky;
  return line(most, -most * c.pky3, L(abs(gamma))) * sin_atan(c.pky4, a.load / knee);
}

template <class L>
MagicFormula::Curve<L> MagicFormula::curve_x(const At<L>& a, const L& k, double kappa) const {
  Curve<L> x;
  x.c = c.pcx1 * c.lcx;
  x.shift = line(c.lhx * c.phx1, c.lhx * c.phx2, a.df);
  const double by_pressure = 1.0 + c.ppx3 * a.dp + c.ppx4 * a.dp * a.dp;
  const L mu = line(by_pressure * c.pdx1, by_pressure * c.pdx2, a.df) * parabola(1.0, 0.0, -c.pdx3, a.gamma_x) * a.mu_x;
  x.d = mu * a.load;
  x.b = k / times(x.c, x.d);
  const double by_sign = (1.0 - c.pex4 * sign(kappa + value_of(x.shift))) * c.lex;
  x.e = at_most_1(times(by_sign, parabola(c.pex1, c.pex2, c.pex3, a.df)));
  x.shift_v = a.load * line(c.lvx * c.pvx1, c.lvx * c.pvx2, a.df) * a.mu_x;
  return x;
}

template <class L>
MagicFormula::Lateral<L> MagicFormula::lateral(const At<L>& a, const L& gamma, double alpha) const {
  Lateral<L> y;
  y.stiffness = stiffness_y(a, gamma);
  const L by_camber = a.load * line(c.lkyc * c.pvy3, c.lkyc * c.pvy4, a.df) * gamma * a.mu_y;
  Curve<L>& curve = y.curve;
  curve.shift = line(c.lhy * c.phy1, c.lhy * c.phy2, a.df);
  if (is_61()) {
    const double by_pressure = (1.0 + c.ppy5 * a.dp) * c.lkyc;
    const L by_lean = a.load * line(by_pressure * c.pky6, by_pressure * c.pky7, a.df);
    curve.shift += (by_lean * gamma - by_camber) / y.stiffness;
  } else {
    curve.shift += times(c.lkyc * c.phy3, gamma);
  }
  curve.shift_v = a.load * line(c.lvy * c.pvy1, c.lvy * c.pvy2, a.df) * a.mu_y + by_camber;
  const double by_pressure = 1.0 + c.ppy3 * a.dp + c.ppy4 * a.dp * a.dp;
  y.mu = line(by_pressure * c.pdy1, by_pressure * c.pdy2, a.df) * parabola(1.0, 0.0, -c.pdy3, gamma) * a.mu_y;
  curve.c = c.pcy1 * c.lcy;
  curve.d = y.mu * a.load;
  curve.b = y.stiffness / times(curve.c, curve.d);
  const double side = sign(alpha + value_of(curve.shift));
  curve.e = at_most_1(line(c.ley * c.pey1, c.ley * c.pey2, a.df) *
                      parabola(1.0 - c.pey3 * side, -c.pey4 * side, c.pey5, gamma));
  return y;
}

template <class T>
T MagicFormula::weighted_x(const At<unslipped<T>>& a, const T& kappa, const T& alpha) const {
  const unslipped<T>& gamma = is_61() ? a.gamma_y : a.gamma_x;  // sin(camber) in 6.1
  const T b = widened<T>(parabola(c.lxal * c.rbx1, 0.0, c.lxal * c.rbx3, gamma)) * cos_atan(times(c.rbx2, kappa));
  return weight(c.rcx1, b, widened<T>(at_most_1(line(c.rex1, c.rex2, a.df))), alpha, T(c.rhx1));
}

// The load in front of the rolling moment.
template <class L>
L MagicFormula::rolling_load(const At<L>& a) const {
  using std::exp, std::log;
  if (c.qsy7 == 0.0) return a.load;
  const double by_pressure = a.dp != 0.0 ? std::pow(1.0 + a.dp, c.qsy8) : 1.0;
  return times(a.nominal * by_pressure, exp(times(c.qsy7, log(times(1.0 / a.nominal, a.load)))));
}

template <class T, class L>
T MagicFormula::moment_y(const At<L>& a, const T& fx, const T& speed) const {
  const double v = std::abs(value_of(speed)) / c.nominal_speed;
  const L roll = line(c.qsy5, c.qsy6 / a.nominal, a.load) * a.camber * a.camber;
  const T all = line(c.qsy1 + (c.qsy3 + c.qsy4 * v * v * v) * v, c.qsy2 / a.nominal, fx) + widened<T>(roll);
  return widened<T>(times(-c.radius * c.lmy, rolling_load(a))) * all;
}

template <class T, class L>
T MagicFormula::moment_x(const At<L>& a, const T& fy) const {
  using std::abs, std::atan, std::sin;
  const L size = abs(a.camber), share = times(1.0 / a.nominal, a.load);
  L upright = line(c.qsx1 * c.lvmx, -c.qsx2 * (1.0 + c.ppmx1 * a.dp), a.camber) - times(c.qsx12, a.camber * size);
  if (c.qsx10 != 0.0) upright += times(c.qsx10, a.camber * L(atan(times(c.qsx11, share))));
  T over = widened<T>(upright) + times(c.qsx3 / a.nominal, fy);
  if (c.qsx4 != 0.0) {
    const L bend = times(c.qsx6, share);
    const T turn = widened<T>(times(c.qsx7, a.camber)) + times(c.qsx8, T(atan(times(c.qsx9 / a.nominal, fy))));
    over += widened<T>(times(c.qsx4, cos_atan(c.qsx5, L(bend * bend)))) * T(sin(turn));
  }
  return times(c.radius * c.lmx, widened<T>(a.load) * over + fy * widened<T>(line(c.qsx13, c.qsx14, size)));
}

template <class T>
void MagicFormula::lateral_force(const At<unslipped<T>>& a, const unslipped<T>& kx, const T& kappa, const T& alpha,
                                 const T& cos_alpha, ContactForce<T>& f) const {
  using L = unslipped<T>;
  using std::abs, std::atan, std::tan;
  const Lateral<L> y = lateral(a, a.gamma_y, value_of(alpha));
  const T force = y.curve.at(alpha);
  T share(1.0), by_drive(0.0);
  if (combined) {
    const T b = widened<T>(parabola(c.lyka * c.rby1, 0.0, c.lyka * c.rby4, a.gamma_y)) *
                cos_atan(times(c.rby2, alpha - T(c.rby3)));
    share = weight(c.rcy1, b, widened<T>(at_most_1(line(c.rey1, c.rey2, a.df))), kappa,
                   widened<T>(line(c.rhy1, c.rhy2, a.df)));
    const L most = times(c.lvyka, y.curve.d * (line(c.rvy1, c.rvy2, a.df) + times(c.rvy3, a.gamma_y)));
    by_drive = widened<T>(most) * cos_atan(times(c.rvy4, alpha)) * sin_atan(c.rvy5, times(c.rvy6, kappa));
  }
  f.fy = share * force + by_drive;

  const L shift_t = line(c.qhz1, c.qhz2, a.df) + line(c.qhz3, c.qhz4, a.df) * a.gamma_z;
  const L shift_r = y.curve.shift + y.curve.shift_v / y.stiffness;
  const T at = alpha + widened<T>(shift_t);
  T trail_slip = at, rest_slip = alpha + widened<T>(shift_r);
  if (combined) {  // with the slip of both directions; those of 5.2 are angles
    const T other = widened<T>(L(kx / y.stiffness)) * kappa;
    const auto both = [&](const T& one) {
      const T size = is_61() ? length(one, other) : T(atan(length(T(tan(one)), other)));
      return times(sign(value_of(one)), size);
    };
    trail_slip = both(trail_slip), rest_slip = both(rest_slip);
  }
  const L stiffer = L(c.lky) / a.mu_y;
  const L &g = a.gamma_z, &t = a.gamma_t, size = abs(a.gamma_t);
  const L bt =
      parabola(c.qbz1, c.qbz2, c.qbz3, a.df) * (parabola(1.0, c.qbz4, c.qbz6, t) + times(c.qbz5, size)) * stiffer;
  const double lever = c.radius / a.nominal * c.ltr * (1.0 - c.ppz1 * a.dp);
  const L dt = a.load * line(lever * c.qdz1, lever * c.qdz2, a.df) * parabola(1.0, c.qdz3, c.qdz4, t);
  const T by_side = widened<T>(line(c.qez4, c.qez5, g)) * T(atan(widened<T>(times(c.qcz1, bt)) * at));
  const T et =
      at_most_1(widened<T>(parabola(c.qez1, c.qez2, c.qez3, a.df)) * line(1.0, 2.0 / std::numbers::pi, by_side));
  const T trail = widened<T>(dt) * cos_atan(c.qcz1, bent(widened<T>(bt) * trail_slip, et)) * cos_alpha;
  const L br = times(c.qbz9, stiffer) + times(c.qbz10 * y.curve.c, y.curve.b);
  const double by_pressure = 1.0 + c.ppz2 * a.dp;
  const L leaning = line(by_pressure * c.qdz8, by_pressure * c.qdz9, a.df) + line(c.qdz10, c.qdz11, a.df) * abs(g);
  const L dr =
      times(c.radius, a.load * a.mu_y) * (line(c.lres * c.qdz6, c.lres * c.qdz7, a.df) + times(c.lkzc, leaning * g));
  const T residual = widened<T>(dr) * cos_atan(widened<T>(br) * rest_slip) * cos_alpha;
  // The trail is that of the force without camber in 6.1, without the share of drive in both.
  const T behind = is_61() ? share * lateral(a, L(0.0), value_of(alpha)).curve.at(alpha) : share * force;
  f.mz = residual - trail * behind;
  if (combined && drives_x) {
    const L arm = L(c.ssz1) + line(c.ssz3, c.ssz4, a.df) * t;
    f.mz = f.mz + times(c.radius * c.ls, (widened<T>(arm) + times(c.ssz2 / a.nominal, f.fy)) * f.fx);
  }
  f.mx = moment_x(a, f.fy);
}

// Loads outside of the range: the forces of its end, in proportion to the load. Camber outside of it: that of its end.
template <class T>
ContactForce<T> MagicFormula::operator()(const Slip<T>& given) const {
  using std::atan;
  using L = unslipped<T>;
  const double side = mirrored ? -1.0 : 1.0;
  const L load = within(narrow(given.load), c.load_min, c.load_max);
  const L camber = within(times(side, narrow(given.camber)), c.camber_min, c.camber_max);
  const T tan_alpha = times(side, given.tan_alpha);
  const T alpha = is_61() ? tan_alpha : T(atan(tan_alpha));
  const At<L> a = at(load, camber, narrow(given.friction));
  const L kx = stiffness_x(a);
  ContactForce<T> f;
  if (drives_x) {
    f.fx = curve_x(a, kx, value_of(given.kappa)).at(given.kappa);
    if (combined) f.fx = f.fx * weighted_x(a, given.kappa, alpha);
    f.my = moment_y(a, f.fx, given.speed);
  }
  if (drives_y) lateral_force(a, kx, given.kappa, alpha, cos_atan(tan_alpha), f);

  const bool is_within = value_of(given.load) == value_of(load);
  const T ratio = is_within ? T(1.0) : given.load / widened<T>(load);
  for (T* each : {&f.fx, &f.fy, &f.mx, &f.my, &f.mz}) {
    if (!is_within) *each = ratio * *each;
    if (mirrored && each != &f.fx && each != &f.my) *each = -*each;
  }
  return f;
}

// From the stiffness of the carcass, or from PTX and PTY: 6.1 has the former, 5.2 and PAC2002 the latter, and where a file has only the other it is taken.
// Never less than a twentieth of the radius, so that a wheel that just touches is not stiff without bound.
template <class T>
Displaced<T> MagicFormula::lengths(const T& given, const T& camber) const {
  using std::abs, std::exp;
  const T load = within(given, c.load_min, c.load_max);
  const At<T> a = at(load, within(camber, c.camber_min, c.camber_max), T(1.0));
  const bool carcass_x = c.stiffness_x > 0.0 && (is_61() || c.ptx1 == 0.0);
  const bool carcass_y = c.stiffness_y > 0.0 && (is_61() || c.pty1 == 0.0);
  T x(0.0), y(0.0);
  if (carcass_x) {
    const double soft = c.lsgkp / (c.stiffness_x * (1.0 + c.pcfx3 * a.dp));
    x = times(soft, T(abs(stiffness_x(a)))) / parabola(1.0, c.pcfx1, c.pcfx2, a.df);
  } else if (c.ptx1 != 0.0) {
    const double power = form == MagicForm::mf52 ? -c.ptx3 : c.ptx3;
    x = times(c.radius / a.nominal * c.lsgkp, load * line(c.ptx1, c.ptx2, a.df) * exp(times(power, a.df)));
  }
  if (carcass_y) {
    const double soft = c.lsgal / (c.stiffness_y * (1.0 + c.pcfy3 * a.dp));
    y = times(soft, T(abs(stiffness_y(a, a.gamma_y)))) / parabola(1.0, c.pcfy1, c.pcfy2, a.df);
  } else if (c.pty1 != 0.0) {
    const double most = c.pty1 * c.radius * c.lfzo * c.lsgal;
    y = line(most, -most * c.pky3, T(abs(a.gamma_y))) * sin_atan(2.0, times(1.0 / (c.pty2 * a.nominal), load));
  }
  const double least = 0.05 * c.radius;
  return {value_of(x) < least ? T(least) : x, value_of(y) < least ? T(least) : y};
}

}  // namespace skyhook::element::tyre
