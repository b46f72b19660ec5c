// What the formalism needs to know of an element: narrow interfaces over a handful of local variables.
#pragma once
#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "skyhook/math/dual.h"
#include "skyhook/math/vec.h"

namespace skyhook::model {

constexpr double anywhere = std::numeric_limits<double>::infinity();

// What stands still for an element between events and samples, and the signal that it listens to.
struct Setting {
  double signal = 0;
  int mode = 0;  // of a law that switches (Switching); 0: nobody watches, the law decides by itself
  std::array<double, 3>
      angles{};  // of the cut joint whose coordinate it acts on, from design: turns are counted from here
  // The derivative to the signal is asked for: it stands in the first direction of dual numbers, and nothing else has one.
  bool differentiates = false;
  double way =
      anywhere;  // m, of one that stands on a track: roughly how far along its line, as a joint says (along_track.h)

  // The signal as a law reads it.
  template <class T>
  T heard() const {
    T out(signal);
    if constexpr (requires { out.d[0]; })
      if (differentiates) out.d[0] = 1.0;
    return out;
  }
};

// Motion of frame B seen from frame A, in A's axes: position r of B's origin, rotation R (B's axes to A's),
// velocity v = dr/dt as an observer on A sees it, angular velocity w of B relative to A.
template <class T>
struct Relative {
  T t;
  Vec3<T> r;
  Mat3<T> R;
  Vec3<T> v, w;
  Setting set{};
};

// The motion of one length or joint coordinate: its value x and rate v.
template <class T>
struct Stroke {
  T x, v;
  double t = 0;
  Setting set{};
};

// Force and moment on B at B's origin, in A's axes. A receives the opposite.
template <class T>
struct Wrench {
  Vec3<T> f, n;
};

// Twelve local variables: displacement, rotation, velocity and angular velocity of B relative to A.
using Local = Dual<12>;

// f(x, v), given with its derivatives to x and v.
inline Local chain_rule(const Dual<2>& f, const Local& x, const Local& v) {
  Local out(f.v);
  for (std::size_t k = 0; k < out.d.size(); ++k) out.d[k] = f.d[0] * x.d[k] + f.d[1] * v.d[k];
  return out;
}

// force(x, v) of a law on two directions, which are enough, as one on twelve; or its derivative to the signal, see Setting.
template <class Force>
Local scalar_force(const Force& force, const Local& x, const Local& v, const Setting& set) {
  if (!set.differentiates) return chain_rule(force(Dual<2>::variable(x.v, 0), Dual<2>::variable(v.v, 1)), x, v);
  const Dual<2> f = force(Dual<2>(x.v), Dual<2>(v.v));
  Local out(f.v);
  out.d[0] = f.d[0];
  return out;
}

struct Quantity {
  std::string name, unit;
  const char* meaning = "";  // one line of help
};

// A force between two frames. Its law is a template over the scalar; WrenchLaw<Derived> instantiates it.
struct WrenchElement {
  virtual ~WrenchElement() = default;
  virtual void wrench(const Relative<double>&, Wrench<double>&) const = 0;
  virtual void wrench(const Relative<Local>&, Wrench<Local>&) const = 0;
  // The law asks for t, r and v alone and answers with a force alone: nobody need fill in R and w.
  virtual bool between_points() const { return false; }
  // Stored energy; 0 where the element stores none. dU/dt + (power of the conservative part) = 0.
  virtual double energy(const Relative<double>&) const { return 0.0; }
  // Named quantities to record ("force", "length", ...) and their values.
  virtual std::vector<Quantity> quantities() const { return {}; }
  virtual void measure(const Relative<double>&, const Wrench<double>&, std::vector<double>&) const {}
};

// Beside WrenchElement, of a law that is not ours: whose it is, and why its last call on this thread gave no answer.
struct Outsider {
  struct Complaint {
    std::string text;       // in its own words; empty: it said nothing
    bool is_final = false;  // trying a smaller step is of no use
  };
  virtual ~Outsider() = default;
  virtual std::string origin() const = 0;  // "plug-in my_law.so"
  virtual Complaint complaint() const = 0;
};

// A generalised force on one joint coordinate: x its value, v its rate. Positive force drives x up.
struct CoordinateElement {
  virtual ~CoordinateElement() = default;
  virtual double force(double x, double v, double t, const Setting& set = {}) const = 0;
  virtual Dual<2> force(const Dual<2>& x, const Dual<2>& v, double t, const Setting& set = {}) const = 0;
  virtual double energy(double /*x*/) const { return 0.0; }
};

// Beside WrenchElement, of a law that switches. Its modes count from 1. A run holds the mode between events, so that
// the law is smooth there and a little beyond. watch() is positive in the mode and falls through zero where it ends.
struct Switching {
  virtual ~Switching() = default;
  virtual int first_mode(const Relative<double>&) const = 0;  // from the motion alone
  virtual double watch(const Relative<double>&) const = 0;    // in the mode of its setting
  virtual int next_mode(const Relative<double>&) const = 0;   // behind a crossing, where watch() is zero
  virtual std::string event(int from, int to) const = 0;      // "lift-off"
};

// The same beside CoordinateElement.
struct SwitchingCoordinate {
  virtual ~SwitchingCoordinate() = default;
  virtual int first_mode(const Stroke<double>&) const = 0;
  virtual double watch(const Stroke<double>&) const = 0;
  virtual int next_mode(const Stroke<double>&) const = 0;
  virtual std::string event(int from, int to) const = 0;
};

// A force along a line or on a joint coordinate with inner states c of its own ([Arnold 2004] (16)): c' = d(x, v, c, t).
struct InnerState {
  std::string name, unit;
  double nominal = 1;  // its usual size, for tolerances
  double start = 0;
};
constexpr int most_inner_states = 4;
using Inner = Dual<2 + most_inner_states>;  // directions: x, v, then the states
struct StateElement {
  virtual ~StateElement() = default;
  virtual std::vector<InnerState> states() const = 0;
  // The force, positive where it pulls together (drives x down), and the rates of the states.
  virtual double evaluate(const Stroke<double>&, std::span<const double> c, std::span<double> rates) const = 0;
  virtual Inner evaluate(const Stroke<Inner>&, std::span<const Inner> c, std::span<Inner> rates) const = 0;
  // Stored energy; dU/dt along x' = v and c' = d is what the element keeps of the power that it takes.
  virtual double energy(double /*x*/, std::span<const double> /*c*/) const { return 0.0; }
  // What users call its force is positive where it pulls together, or where it pushes apart, as of an actuator; or it has none and is states alone.
  enum class Force { pulls, pushes, none };
  virtual Force acts() const { return Force::pulls; }
};

// Derived has: template <class T> T law(const Stroke<T>&, std::span<const T> c, std::span<T> rates) const;
template <class Derived>
struct StateLaw : StateElement {
  double evaluate(const Stroke<double>& s, std::span<const double> c, std::span<double> rates) const override {
    return static_cast<const Derived&>(*this).law(s, c, rates);
  }
  Inner evaluate(const Stroke<Inner>& s, std::span<const Inner> c, std::span<Inner> rates) const override {
    return static_cast<const Derived&>(*this).law(s, c, rates);
  }
};

// Dry friction against the free motion of a hinge or slider that depends on what the joint carries ([Arnold 2004] (29)):
// F = factor(speed) load(force, moments), with the rate of the joint's coordinate, its force in axes of `from` and the sum of the squares of
// its moments across the free motion.
struct LoadedFriction {
  struct Load {
    double size = 0;
    Vec3d by_force;         // derivatives to the force
    double by_moments = 0;  // and to the sum of squares
  };
  virtual ~LoadedFriction() = default;
  virtual Load load(const Vec3d& force, double moments) const = 0;
  // What these would add to the load of a joint that carries nothing: 0 where they do not count.
  virtual double weight_of(const Vec3d& force, double moments) const = 0;
  virtual double factor(double speed) const = 0;
  virtual double factor_slope(double speed) const = 0;
  virtual double full_factor() const = 0;                  // sliding fast
  virtual double coefficient() const = 0;                  // as the user gave it, for messages
  virtual double speed_ratio(double speed) const = 0;      // sliding speed over the one below which it creeps
  virtual std::string if_ambiguous() const { return {}; }  // what else helps where the load is not unique
};

// The law of a sampled controller ([Arnold 2004] (17)): called at its sampling times, in between its outputs are held.
struct SampledLaw {
  virtual ~SampledLaw() = default;
  virtual std::vector<double> memory() const { return {}; }  // r at the start
  // Whether the outputs follow from the inputs of the same instant; false: from the memory alone.
  virtual bool feeds_through() const { return true; }
  virtual void update(double t, std::span<const double> inputs, std::span<double> memory,
                      std::span<double> outputs) const = 0;
};

// Derived has: template <class T> void law(const Relative<T>&, Wrench<T>&) const;
template <class Derived>
struct WrenchLaw : WrenchElement {
  void wrench(const Relative<double>& m, Wrench<double>& out) const override { self().law(m, out); }
  void wrench(const Relative<Local>& m, Wrench<Local>& out) const override { self().law(m, out); }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace skyhook::model
