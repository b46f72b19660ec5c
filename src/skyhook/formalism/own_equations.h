// Whether each unknown that a contribution has of its own has an equation ([Arnold 2004] (29): db/dw regular). Of our
// laws that is so by their making; the law of a plug-in may have forgotten one, and a Newton iteration that fails would
// not say which.
#pragma once
#include "skyhook/formalism/assembly.h"

namespace skyhook::formalism {

// At an assembled state. Throws ModelError at the contribution, with all that is found: a rate or an equation that is no number, an unknown
// that no equation contains, an equation without unknowns, equations that depend on each other.
void require_own_equations(const recursive::Equations& eq, const State& state);

}  // namespace skyhook::formalism
