// Laws that read tables tell what they look up in them, so that a run can say where it has left one.
#pragma once
#include <span>
#include <vector>

#include "skyhook/model/element.h"
#include "skyhook/model/function.h"

namespace skyhook::model {

struct TableLook {
  const char* field;        // "damper_force"
  const char *what, *unit;  // of what the table is: "rate", "m/s"
  double x, first, last;    // where it was looked up, and from where to where it goes
  Beyond beyond;
  const char* range = "table";  // what ends there
  const char* held = nullptr;   // of other things than tables: what is done beyond, as a sentence without its end
};
using TableLooks = std::vector<TableLook>;

// Beside WrenchElement.
struct Tabulated {
  virtual ~Tabulated() = default;
  virtual void look(const Relative<double>&, TableLooks&) const = 0;
};

// Beside CoordinateElement.
struct TabulatedCoordinate {
  virtual ~TabulatedCoordinate() = default;
  virtual void look(const Stroke<double>&, TableLooks&) const = 0;
};

// Beside SampledLaw.
struct TabulatedSampling {
  virtual ~TabulatedSampling() = default;
  virtual void look(std::span<const double> inputs, TableLooks&) const = 0;
};

// Beside ContributionLaw.
template <class T>
struct LoadInput;
struct TabulatedLoads {
  virtual ~TabulatedLoads() = default;
  virtual void look(const LoadInput<double>&, TableLooks&) const = 0;
};

// Nothing where the curve is a formula.
inline void add_look(const Curve& curve, const char* field, const char* what, const char* unit, double x,
                     TableLooks& looks) {
  if (const MonotoneCubic* table = curve.table())
    looks.push_back({field, what, unit, x, table->first(), table->last(), curve.beyond()});
}

}  // namespace skyhook::model
