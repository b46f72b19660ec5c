// Consistent initial velocities: G v + gI = 0, what is given held, the rest of least kinetic energy (assembly.h).
#pragma once
#include "skyhook/formalism/assembly.h"

namespace skyhook::formalism {

// Nearest to the velocities of `state`, as assemble() is to its positions.
Consistency fit_velocities(const recursive::Equations& eq, State& state, const std::vector<int>& held);

// From what the user gives. At a dead centre a rate that the mechanism cannot have there is given up and told; near one, where it
// means rates many times as large elsewhere, it is kept and told (Consistency::near_dead_centre).
Consistency fit_velocities(const recursive::Equations& eq, State& state, const GivenValues& given,
                           const Velocities& reference);

// Do rates that a state on the constraints has mean far larger ones elsewhere because a dead centre is near?
std::optional<NearDeadCentre> find_dead_centre(const recursive::Equations& eq, const State& state,
                                               const GivenValues& rates);

// Behind a jump of drives: the velocities nearest to those before it, by the mass that they move. That is what impulses of drives and
// constraints make of them, which do no work on what is left free.
Consistency velocities_behind_jump(const recursive::Equations& eq, State& state, const State& before);

}  // namespace skyhook::formalism
