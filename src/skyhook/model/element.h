// What the formalism needs to know of an element: narrow interfaces over a handful of local variables.
#pragma once
#include <string>
#include <vector>

#include "skyhook/math/dual.h"
#include "skyhook/math/vec.h"

namespace skyhook::model {

// Motion of frame B seen from frame A, in A's axes: position r of B's origin, rotation R (B's axes to A's),
// velocity v = dr/dt as an observer on A sees it, angular velocity w of B relative to A.
template <class T>
struct Relative {
  T t;
  Vec3<T> r;
  Mat3<T> R;
  Vec3<T> v, w;
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

struct Quantity {
  std::string name, unit;
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
  virtual double force(double x, double v, double t) const = 0;
  virtual Dual<2> force(const Dual<2>& x, const Dual<2>& v, double t) const = 0;
  virtual double energy(double /*x*/) const { return 0.0; }
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
