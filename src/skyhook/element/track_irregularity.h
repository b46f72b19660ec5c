// The irregularities of a track: random with a spectrum, or as measured, or both, faded in behind a begin.
#pragma once
#include <memory>

#include "skyhook/model/irregularity.h"
#include "skyhook/model/track_layout.h"

namespace skyhook::element {

// `side` -1: left and right are exchanged. ModelError (with the place in the file) where there is nothing, or the waves do not fit. A `scale` of zero:
// none.
std::shared_ptr<const model::Irregularity> make_irregularity(const model::IrregularityChoice& choice, double side = 1);

}  // namespace skyhook::element
