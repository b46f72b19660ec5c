// Beside ContributionLaw, of a law that acts at places of its own and refuses others (ContributionLaw::refuses), as a wheel does that is not above its rail. A start that puts it elsewhere is told with its message as it was
// given, before loops are closed: closing would move it far from what was meant. Of other laws a refusal counts only once loops are closed.
#pragma once
#include "skyhook/model/contribution.h"
#include "skyhook/model/model.h"

namespace skyhook::model {

struct RefusingLaw {
  virtual ~RefusingLaw() = default;
  // From a place that it takes it may be moved by so much (m, rad) and still have one: how far rough starts of searches go.
  virtual double leeway() const = 0;
};

inline const RefusingLaw* refusing_law(const Contribution& c) { return dynamic_cast<const RefusingLaw*>(c.law.get()); }

}  // namespace skyhook::model
