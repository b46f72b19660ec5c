// Beside ContributionLaw, of a law whose loads already know what it measures: one evaluation serves both. Not for laws with algebraic unknowns.
#pragma once
#include <vector>

#include "skyhook/model/contribution.h"

namespace skyhook::model {

struct MeasuringLaw {
  virtual ~MeasuringLaw() = default;
  // As ContributionLaw::loads(); and puts behind `measured` what ContributionLaw::measure() would there.
  virtual void measured_loads(const LoadInput<double>& in, const LoadOutput<double>& out,
                              std::vector<double>& measured) const = 0;
};

}  // namespace skyhook::model
