// What to say of an element that gave no number.
#pragma once
#include <string>

#include "skyhook/model/model.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formalism::recursive {

// `what`: "force" or "derivative". Of a law that is not ours also whose it is, what it said and where: only its author can
// find out why. Eval::fatal where it wants the run to end.
Eval blame_force(const char* what, const model::Contribution& force, const model::WrenchElement& law,
                 const model::Relative<double>& motion, const model::Wrench<double>& wrench, std::string& blame);

// Of a contribution, `what` being the finding: "its force is not a number". Of a law that is not ours what it said instead.
Eval blame_loads(const std::string& what, const model::Contribution& of, const model::Relative<double>& motion,
                 std::string& blame);

// Of a drive that is not finite, or whose rate or acceleration is not: Eval::recoverable, a shorter step may end before.
Eval blame_drive(const model::Joint& joint, int dof, double t, std::string& blame);

}  // namespace skyhook::formalism::recursive
