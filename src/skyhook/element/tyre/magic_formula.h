// The Magic Formula: [Pacejka 2012] (4.E1) to (4.E78) without turn slip, and its older form of MF-Tyre 5.2 and PAC2002, which differs in the slip angle
// (itself, not its tangent), in how camber enters the lateral force, and in the trail of a wheel that leans. docs/theory/14_tyres.md.
// Signs are those of TYDEX W, which are ours.
#pragma once
#include <numbers>

#include "skyhook/element/tyre/magic_coefficients.h"
#include "skyhook/element/tyre/relaxation.h"
#include "skyhook/element/tyre/slip.h"
#include "skyhook/element/tyre/vertical.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::element::tyre {

struct MagicFormula {
  MagicCoefficients c;
  bool is_61 = true;      // else 5.2
  bool drives_x = true;   // what USE_MODE asks for: Fx and My
  bool drives_y = true;   // Fy, Mx and Mz
  bool combined = true;   // each with the slip of the other
  bool mirrored = false;  // of a tyre that stands on the other side

  static constexpr bool drives = true;

  template <class T>
  ContactForce<T> operator()(const Slip<T>& slip) const;
  template <class T>
  Displaced<T> lengths(const T& load) const;
  bool has_lengths() const { return (c.ptx1 != 0.0 || c.stiffness_x > 0.0) && (c.pty1 != 0.0 || c.stiffness_y > 0.0); }
  double pressure_change() const {
    return c.nominal_pressure > 0.0 && c.pressure > 0.0 ? (c.pressure - c.nominal_pressure) / c.nominal_pressure : 0.0;
  }
  // With QFZ1 that of 6.1, else one stiffness.
  Vertical vertical() const {
    if (c.qfz1 <= 0.0) return {c.radius, c.stiffness * c.lcz, 0.0, c.damping};
    const double k = c.nominal_load / c.radius * (1.0 + c.ppfz1 * pressure_change()) * c.lcz;
    return {c.radius, c.qfz1 * k, c.qfz2 * k / c.radius, c.damping};
  }
  // r0 - Fz0/k (DREFF atan(BREFF Fz/Fz0) + FREFF Fz/Fz0) with Fz = k p; without these a third of the deflection.
  RollingRadius rolling() const {
    if (c.breff == 0.0 && c.freff == 0.0) return {c.radius};
    const double p0 = c.nominal_load / vertical().stiffness;
    return {c.radius, c.freff, c.dreff * p0, c.breff / p0};
  }
  // The ranges of the file, of which it says where it has been left.
  void look(const Slip<double>& s, model::TableLooks& looks) const {
    constexpr auto said = model::Beyond::unsaid;
    const double side = mirrored ? -1.0 : 1.0;
    constexpr const char* goes_on = "the formula has gone on";
    looks.push_back({"kappa", "longitudinal slip", "", s.kappa, c.kappa_min, c.kappa_max, said, "range", goes_on});
    looks.push_back({"alpha", "slip angle", "rad", side * std::atan(s.tan_alpha), c.alpha_min, c.alpha_max, said,
                     "range", goes_on});
    looks.push_back({"camber", "camber", "rad", side * s.camber, c.camber_min, c.camber_max, said, "range",
                     "it has been taken as at the end"});
    looks.push_back(
        {"load", "load", "N", s.load, 0.0, c.load_max, said, "range", "forces have grown in proportion to it"});
  }
  // Largest force over stiffness of slip, both at the nominal load.
  Displaced<double> limits() const {
    const At<double> a = at(c.lfzo * c.nominal_load, 0.0, 1.0);
    return {drives_x ? c.pdx1 * a.mu_x * a.load / stiffness_x(a) : 0.0,
            drives_y ? -c.pdy1 * a.mu_y * a.load / stiffness_y(a, 0.0) : 0.0};
  }

 private:
  template <class T>
  struct At {  // all that the load, the camber and the pressure say
    T load, df, camber, gamma_x, gamma_y, gamma_z;
    double nominal, dp, mu_x, mu_y, shift_x, shift_y;  // friction with that of the road; the same as it scales shifts
  };
  template <class T>
  struct Lateral {
    T force, mu, b, c, stiffness, shift, shift_v;
  };

  template <class T>
  static T at_most_1(const T& e) {
    return value_of(e) > 1.0 ? T(1.0) : e;
  }
  template <class T>
  static T positive(const T& x) {
    return value_of(x) < 0.0 ? T(-1.0) : T(1.0);
  }
  // B x - E (B x - atan(B x))
  template <class T>
  static T bent(const T& b, const T& e, const T& x) {
    using std::atan;
    const T bx = b * x;
    return bx - e * (bx - atan(bx));
  }
  template <class T>
  static T sine(const T& d, const T& c, const T& b, const T& e, const T& x) {
    using std::atan, std::sin;
    return d * sin(c * atan(bent(b, e, x)));
  }
  template <class T>
  static T cosine(const T& c, const T& b, const T& e, const T& x) {
    using std::atan, std::cos;
    return cos(c * atan(bent(b, e, x)));
  }
  // As sin(atan(x)) and cos(atan(x)).
  template <class T>
  static T cos_atan(const T& x) {
    using std::sqrt;
    return T(1.0) / sqrt(T(1.0) + x * x);
  }

  template <class T>
  At<T> at(const T& load, const T& camber, double friction) const;
  template <class T>
  T stiffness_x(const At<T>& a) const;
  template <class T>
  T stiffness_y(const At<T>& a, const T& gamma) const;
  template <class T>
  T force_x(const At<T>& a, const T& kappa, const T& k) const;
  template <class T>
  Lateral<T> lateral(const At<T>& a, const T& gamma, const T& alpha) const;
};

template <class T>
MagicFormula::At<T> MagicFormula::at(const T& load, const T& camber, double friction) const {
  constexpr double digressive = 10;  // A_mu
  At<T> a;
  a.nominal = c.lfzo * c.nominal_load;
  a.load = load, a.df = (load - T(a.nominal)) / T(a.nominal);
  a.camber = camber;
  a.gamma_x = is_61 ? camber : T(c.lgax) * camber;
  a.gamma_y = is_61 ? camber : T(c.lgay) * camber;
  a.gamma_z = is_61 ? camber : T(c.lgaz) * camber;
  a.dp = pressure_change();
  a.mu_x = c.lmux * friction, a.mu_y = c.lmuy * friction;
  const auto shifts = [&](double mu) { return is_61 ? digressive * mu / (1.0 + (digressive - 1.0) * mu) : mu; };
  a.shift_x = shifts(a.mu_x), a.shift_y = shifts(a.mu_y);
  return a;
}

template <class T>
T MagicFormula::stiffness_x(const At<T>& a) const {
  using std::exp;
  return a.load * (T(c.pkx1) + T(c.pkx2) * a.df) * exp(T(c.pkx3) * a.df) *
         T((1.0 + c.ppx1 * a.dp + c.ppx2 * a.dp * a.dp) * c.lkx);
}

template <class T>
T MagicFormula::stiffness_y(const At<T>& a, const T& gamma) const {
  using std::abs, std::atan, std::sin;
  const T knee = (T(c.pky2) + T(c.pky5) * gamma * gamma) * T(1.0 + c.ppy2 * a.dp);
  return T(c.pky1 * a.nominal * (1.0 + c.ppy1 * a.dp) * c.lky) * (T(1.0) - T(c.pky3) * abs(gamma)) *
         sin(T(c.pky4) * atan(a.load / T(a.nominal) / knee));
}

template <class T>
T MagicFormula::force_x(const At<T>& a, const T& kappa, const T& k) const {
  const T x = kappa + (T(c.phx1) + T(c.phx2) * a.df) * T(c.lhx);
  const T mu = (T(c.pdx1) + T(c.pdx2) * a.df) * (T(1.0) - T(c.pdx3) * a.gamma_x * a.gamma_x) *
               T((1.0 + c.ppx3 * a.dp + c.ppx4 * a.dp * a.dp) * a.mu_x);
  const T d = mu * a.load;
  const T e = at_most_1((T(c.pex1) + T(c.pex2) * a.df + T(c.pex3) * a.df * a.df) * (T(1.0) - T(c.pex4) * positive(x)) *
                        T(c.lex));
  const double shape = c.pcx1 * c.lcx;
  const T shift = a.load * (T(c.pvx1) + T(c.pvx2) * a.df) * T(c.lvx * a.shift_x);
  return sine(d, T(shape), k / (T(shape) * d), e, x) + shift;
}

template <class T>
MagicFormula::Lateral<T> MagicFormula::lateral(const At<T>& a, const T& gamma, const T& alpha) const {
  Lateral<T> y;
  y.stiffness = stiffness_y(a, gamma);
  const T by_camber = a.load * (T(c.pvy3) + T(c.pvy4) * a.df) * gamma * T((is_61 ? c.lkyc : 1.0) * a.shift_y);
  const T own = a.load * (T(c.pvy1) + T(c.pvy2) * a.df) * T(c.lvy * a.shift_y);
  T lean = T(c.phy3) * gamma;
  if (is_61) {
    const T by_lean = a.load * (T(c.pky6) + T(c.pky7) * a.df) * T((1.0 + c.ppy5 * a.dp) * c.lkyc);
    lean = (by_lean * gamma - by_camber) / y.stiffness;
  }
  y.shift = (T(c.phy1) + T(c.phy2) * a.df) * T(c.lhy) + lean;
  y.shift_v = own + by_camber;
  y.mu = (T(c.pdy1) + T(c.pdy2) * a.df) * (T(1.0) - T(c.pdy3) * gamma * gamma) *
         T((1.0 + c.ppy3 * a.dp + c.ppy4 * a.dp * a.dp) * a.mu_y);
  const T d = y.mu * a.load, x = alpha + y.shift;
  const T e =
      at_most_1((T(c.pey1) + T(c.pey2) * a.df) *
                (T(1.0) + T(c.pey5) * gamma * gamma - (T(c.pey3) + T(c.pey4) * gamma) * positive(x)) * T(c.ley));
  y.c = T(c.pcy1 * c.lcy);
  y.b = y.stiffness / (y.c * d);
  y.force = sine(d, y.c, y.b, e, x) + y.shift_v;
  return y;
}

// Loads outside of the range: the forces of its end, in proportion to the load. Camber outside of it: that of its end.
template <class T>
ContactForce<T> MagicFormula::operator()(const Slip<T>& given) const {
  using std::abs, std::atan, std::cos, std::sin, std::sqrt;
  const double side = mirrored ? -1.0 : 1.0;
  const T load = value_of(given.load) < c.load_min   ? T(c.load_min)
                 : value_of(given.load) > c.load_max ? T(c.load_max)
                                                     : given.load;
  T camber = T(side) * given.camber;
  if (value_of(camber) < c.camber_min) camber = T(c.camber_min);
  if (value_of(camber) > c.camber_max) camber = T(c.camber_max);
  const T& kappa = given.kappa;
  const T tan_alpha = T(side) * given.tan_alpha;
  const T angle = atan(tan_alpha), cos_alpha = cos_atan(tan_alpha), alpha = is_61 ? tan_alpha : angle;
  const At<T> a = at(load, camber, given.friction);
  const T kx = stiffness_x(a);
  ContactForce<T> f;

  if (drives_x) {
    f.fx = force_x(a, kappa, kx);
    if (combined) {
      const T b = (T(c.rbx1) + T(c.rbx3) * a.gamma_x * a.gamma_x) * cos_atan(T(c.rbx2) * kappa) * T(c.lxal);
      const T e = at_most_1(T(c.rex1) + T(c.rex2) * a.df);
      f.fx = f.fx * cosine(T(c.rcx1), b, e, alpha + T(c.rhx1)) / cosine(T(c.rcx1), b, e, T(c.rhx1));
    }
    const T v = abs(given.speed) / T(c.nominal_speed), v2 = v * v;
    T roll = T(c.qsy1) + T(c.qsy2 / a.nominal) * f.fx + T(c.qsy3) * v + T(c.qsy4) * v2 * v2 +
             (T(c.qsy5) + T(c.qsy6 / a.nominal) * load) * camber * camber;
    if (c.qsy7 != 0.0) {
      using std::exp, std::log;
      roll = roll * exp(T(c.qsy7) * log(load / T(a.nominal))) * T(a.nominal);
      if (a.dp != 0.0) roll = roll * T(std::pow(1.0 + a.dp, c.qsy8));
    } else {
      roll = roll * load;
    }
    f.my = T(-c.radius * c.lmy) * roll;
  }
  if (drives_y) {
    const Lateral<T> y = lateral(a, a.gamma_y, alpha);
    T weight(1.0), shift_k(0.0);
    if (combined) {
      const T b =
          (T(c.rby1) + T(c.rby4) * a.gamma_y * a.gamma_y) * cos_atan(T(c.rby2) * (alpha - T(c.rby3))) * T(c.lyka);
      const T e = at_most_1(T(c.rey1) + T(c.rey2) * a.df), shift = T(c.rhy1) + T(c.rhy2) * a.df;
      weight = cosine(T(c.rcy1), b, e, kappa + shift) / cosine(T(c.rcy1), b, e, shift);
      const T most = y.mu * load * (T(c.rvy1) + T(c.rvy2) * a.df + T(c.rvy3) * a.gamma_y) * cos_atan(T(c.rvy4) * alpha);
      shift_k = most * sin(T(c.rvy5) * atan(T(c.rvy6) * kappa)) * T(c.lvyka);
    }
    f.fy = weight * y.force + shift_k;

    const T& g = a.gamma_z;
    const T shift_t = T(c.qhz1) + T(c.qhz2) * a.df + (T(c.qhz3) + T(c.qhz4) * a.df) * g;
    const T shift_r = y.shift + y.shift_v / y.stiffness;
    T at = alpha + shift_t, ar = alpha + shift_r;
    if (combined) {  // with the slip of both directions; those of 5.2 are angles
      const T other = kx / y.stiffness * kappa;
      const auto both = [&](const T& one) {
        using std::tan;
        const T t = is_61 ? one : tan(one);
        const T size = sqrt(t * t + other * other + T(1e-24));
        return positive(one) * (is_61 ? size : atan(size));
      };
      at = both(at), ar = both(ar);
    }
    const double friction = a.mu_y > 0.0 ? c.lky / a.mu_y : 0.0;
    const T bt = (T(c.qbz1) + T(c.qbz2) * a.df + T(c.qbz3) * a.df * a.df) *
                 (T(1.0) + T(c.qbz4) * g + T(c.qbz5) * abs(g) + T(c.qbz6) * g * g) * T(friction);
    const T lean = is_61 ? T(c.qdz3) * abs(g) : T(c.qdz3) * g;
    const T dt = load * T(c.radius / a.nominal * c.ltr * (1.0 - c.ppz1 * a.dp)) * (T(c.qdz1) + T(c.qdz2) * a.df) *
                 (T(1.0) + lean + T(c.qdz4) * g * g);
    const T unshifted = alpha + shift_t;
    const T et = at_most_1(
        (T(c.qez1) + T(c.qez2) * a.df + T(c.qez3) * a.df * a.df) *
        (T(1.0) + (T(c.qez4) + T(c.qez5) * g) * T(2.0 / std::numbers::pi) * atan(bt * T(c.qcz1) * unshifted)));
    const T trail = dt * cosine(T(c.qcz1), bt, et, at) * cos_alpha;
    const T br = T(c.qbz9 * friction) + T(c.qbz10) * y.b * y.c;
    const T dr =
        load * T(c.radius * a.mu_y) *
        ((T(c.qdz6) + T(c.qdz7) * a.df) * T(c.lres) +
         (T(1.0 + c.ppz2 * a.dp) * (T(c.qdz8) + T(c.qdz9) * a.df) + (T(c.qdz10) + T(c.qdz11) * a.df) * abs(g)) * g *
             T(is_61 ? c.lkzc : 1.0));
    const T residual = dr * cos_atan(br * ar) * cos_alpha;
    // The trail is that of the force without camber in 6.1, without the share of drive in both.
    const T behind = is_61 ? weight * lateral(a, T(0.0), alpha).force : f.fy - shift_k;
    const T arm = T(c.radius * c.ls) * (T(c.ssz1) + T(c.ssz2 / a.nominal) * f.fy + (T(c.ssz3) + T(c.ssz4) * a.df) * g);
    f.mz = residual - trail * behind;
    if (combined && drives_x) f.mz = f.mz + arm * f.fx;

    const T per = f.fy / T(a.nominal), share = load / T(a.nominal);
    T over = T(c.qsx1 * c.lvmx) - T(c.qsx2 * (1.0 + c.ppmx1 * a.dp)) * camber + T(c.qsx3) * per -
             T(c.qsx12) * camber * abs(camber) + T(c.qsx10) * atan(T(c.qsx11) * share) * camber;
    if (c.qsx4 != 0.0) {
      const T bend = T(c.qsx6) * share;
      over = over + T(c.qsx4) * cos(T(c.qsx5) * atan(bend * bend)) *
                        sin(T(c.qsx7) * camber + T(c.qsx8) * atan(T(c.qsx9) * per));
    }
    f.mx = T(c.radius * c.lmx) * (load * over + f.fy * (T(c.qsx13) + T(c.qsx14) * abs(camber)));
  }

  const T ratio = given.load / load;
  f.fx = ratio * f.fx, f.fy = T(side) * ratio * f.fy;
  f.mx = T(side) * ratio * f.mx, f.my = ratio * f.my, f.mz = T(side) * ratio * f.mz;
  return f;
}

// From PTX and PTY where the file has them, else from the stiffness of the carcass; never less than a twentieth of the radius, so that a wheel
// that just touches is not stiff without bound.
template <class T>
Displaced<T> MagicFormula::lengths(const T& given) const {
  using std::abs, std::atan, std::exp, std::sin;
  const T load = value_of(given) < c.load_min ? T(c.load_min) : value_of(given) > c.load_max ? T(c.load_max) : given;
  const At<T> a = at(load, T(0.0), 1.0);
  T x(0.0), y(0.0);
  if (c.ptx1 != 0.0)
    x = load * (T(c.ptx1) + T(c.ptx2) * a.df) * exp(T(c.ptx3) * a.df) * T(c.radius / a.nominal * c.lsgkp);
  else if (c.stiffness_x > 0.0)
    x = abs(stiffness_x(a)) * T(c.lsgkp / c.stiffness_x);
  if (c.pty1 != 0.0)
    y = T(c.pty1 * c.radius * c.lfzo * c.lsgal) * sin(T(2.0) * atan(load / T(c.pty2 * a.nominal)));
  else if (c.stiffness_y > 0.0)
    y = abs(stiffness_y(a, T(0.0))) * T(c.lsgal / c.stiffness_y);
  const double least = 0.05 * c.radius;
  return {value_of(x) < least ? T(least) : x, value_of(y) < least ? T(least) : y};
}

}  // namespace skyhook::element::tyre
