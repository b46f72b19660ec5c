// Stops between a bogie and its body that a curve reaches, told before the run: the bogie is put beside its body as it stands in the sharpest curves of its line (bogies.h), with no other motion,
// and stops are asked that were free where it is drawn. These are bump stops between the two, on a joint between them too, and tables of springs behind whose end a run stops or nothing is known.
// Tables that say `beyond: straight` or `hold` mean what they do there: their force counts for what turns the bogie (tight_curves.h). What a vehicle does besides by its speed, cant and irregularities is not
// counted, nor how wheelsets stand in the bogie: of a curve of which nothing is said stops may still be reached.
#pragma once
#include <optional>

#include "skyhook/analysis/bogies.h"
#include "skyhook/base/warning.h"

namespace skyhook::analysis {

std::optional<Warning> stop_in_curve(const model::Model& model, const Bogie& bogie);

}  // namespace skyhook::analysis
