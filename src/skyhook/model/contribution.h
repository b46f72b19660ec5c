// A contribution to the equations of motion [Arnold 2004] (30) between two frames, with all that one may have: loads,
// coordinates p of its own that have inertia, inner states c, algebraic unknowns w with equations b = 0, contact
// variables s with conditions h(q, p, s) = 0, and constraint rows g(q, p, s) = 0. A law says once what it has
// (Declared) and evaluates it on scalars of its choice; whoever wants to know asks the law.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skyhook/model/element.h"

namespace skyhook::model {

constexpr int most_contact_variables = 4;  // own coordinates included
constexpr int most_directions = 6 + most_contact_variables;
constexpr int most_rows = 6;

// Of conditions: displacement and rotation of B seen from A, then its own coordinates, then the contact variables. Nested, its
// derivatives of derivatives: those of rotations do not commute, the outer one is taken first.
using First = Dual<most_directions>;
using Second = Dual<most_directions, First>;

// Position r and rotation R of frame B seen from frame A, in A's axes, and the contribution's own coordinates.
template <class T>
struct Pose {
  Vec3<T> r;
  Mat3<T> R;
  std::span<const T> p = {};
  double way = anywhere;  // as Setting::way
};

// A coordinate p of its own: a mass that no body has. Its kinetic energy is mass p'^2 / 2; gravity does not act on it.
struct OwnCoordinate {
  std::string name, unit;
  double mass = 0;  // kg of a length, kg.m^2 of an angle; above zero
  double nominal = 1;
  std::optional<double> start, rate;  // absent: 0
};

struct RowName {
  std::string direction;   // "off the curve along z"
  bool is_moment = false;  // its multiplier is a moment
};

struct Declared {
  std::vector<OwnCoordinate> coordinates;  // p
  std::vector<double> inertia;             // of p, where it couples them: n x n, symmetric; empty: their masses alone
  std::vector<InnerState> states;          // c
  std::vector<InnerState> algebraic;       // w
  std::vector<InnerState> contact_variables;  // s
  std::vector<RowName> rows;                  // g
  bool has_loads = false;
  // Its loads, and the forces on p, depend on the multipliers of its own rows (LoadInput::lambda), as creep forces do on the normal force
  // of their contact. It has neither c nor w then.
  bool reads_multipliers = false;
};

// What loads may depend on, and what they are: a wrench on B in A's axes, the rates of c, b, and a force on each of p.
template <class T>
struct LoadInput {
  const Relative<T>& motion;
  std::span<const T> c, w, s;
  std::span<const T> p = {}, p_rate = {};
  std::span<const T> lambda = {};  // of its own rows, where it reads them; a row that does not hold has 0
};
template <class T>
struct LoadOutput {
  Wrench<T>& wrench;
  std::span<T> rates, b;
  std::span<T> forces = {};
};

// What acts at one instant: the loads, and the multiplier of each row, which acts as -G^T lambda.
struct Acting {
  const Wrench<double>& loads;
  std::span<const double> multipliers;
};

// Beside ContributionLaw, of a law that switches, as Switching is beside WrenchElement (element.h): the mode is that of in.motion.set.
struct SwitchingLaw {
  virtual ~SwitchingLaw() = default;
  virtual int first_mode(const LoadInput<double>& in) const = 0;
  virtual double watch(const LoadInput<double>& in) const = 0;
  virtual int next_mode(const LoadInput<double>& in) const = 0;
  virtual std::string event(int from, int to) const = 0;
  // Why it may switch to and fro without end, and what the user can do then. Empty: what holds of every law.
  virtual std::string chattering() const { return {}; }
};

struct ContributionLaw {
  virtual ~ContributionLaw() = default;
  virtual const Declared& declared() const = 0;

  // Rows g and conditions h. Multipliers, G and all derivatives follow from these two (local_conditions.h).
  virtual void conditions(const Pose<double>&, std::span<const double>, std::span<double>, std::span<double>) const {}
  virtual void conditions(const Pose<First>&, std::span<const First>, std::span<First>, std::span<First>) const {}
  virtual void conditions(const Pose<Second>&, std::span<const Second>, std::span<Second>, std::span<Second>) const {}
  // Contact variables at a pose from nothing: where Newton's method then begins.
  virtual void search(const Pose<double>&, std::span<double>) const {}
  // Whether these, which satisfy h, are the ones meant; whole turns may be added to them. False: the search begins anew.
  virtual bool takes(const Pose<double>&, std::span<double>) const { return true; }
  // Why it does not hold at this pose and these contact variables: "the end of the curve is reached". Empty: it does.
  virtual std::string refuses(const Pose<double>&, std::span<const double> /*s*/) const { return {}; }

  virtual void loads(const LoadInput<double>&, const LoadOutput<double>&) const {}
  virtual void loads(const LoadInput<Local>&, const LoadOutput<Local>&) const {}
  virtual double energy(const LoadInput<double>&) const { return 0.0; }

  // Named quantities to record, beside its states, contact variables and the wrench on `to`.
  virtual std::vector<Quantity> quantities() const { return {}; }
  virtual void measure(const LoadInput<double>&, const Acting&, std::vector<double>&) const {}
  // Why what acts may not be what the user means: "its sides pull at each other". Empty: there is nothing to say.
  virtual std::string doubts(const Acting&) const { return {}; }
  // What must stay the same where a run takes over a changed model, beside all that is declared.
  virtual std::string signature() const { return {}; }
};

// Derived has: template <class T> void law(const Pose<T>&, std::span<const T> s, std::span<T> g, std::span<T> h) const;
// With loads too: ConditionsLaw<Derived, LoadsLaw<Derived>>.
template <class Derived, class Base = ContributionLaw>
struct ConditionsLaw : Base {
  void conditions(const Pose<double>& x, std::span<const double> s, std::span<double> g,
                  std::span<double> h) const override {
    static_cast<const Derived&>(*this).law(x, s, g, h);
  }
  void conditions(const Pose<First>& x, std::span<const First> s, std::span<First> g,
                  std::span<First> h) const override {
    static_cast<const Derived&>(*this).law(x, s, g, h);
  }
  void conditions(const Pose<Second>& x, std::span<const Second> s, std::span<Second> g,
                  std::span<Second> h) const override {
    static_cast<const Derived&>(*this).law(x, s, g, h);
  }
};

// Derived has: template <class T> void law(const LoadInput<T>&, const LoadOutput<T>&) const;
template <class Derived>
struct LoadsLaw : ContributionLaw {
  void loads(const LoadInput<double>& in, const LoadOutput<double>& out) const override {
    static_cast<const Derived&>(*this).law(in, out);
  }
  void loads(const LoadInput<Local>& in, const LoadOutput<Local>& out) const override {
    static_cast<const Derived&>(*this).law(in, out);
  }
};

}  // namespace skyhook::model
