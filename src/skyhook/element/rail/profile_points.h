// Are points those of a profile? And which of them count.
#pragma once
#include "skyhook/element/rail/profile.h"

namespace skyhook::element::rail {

// Throws ModelError, see fit_profile().
void check_points(const ProfilePoints& points, const Shaping& shaping);

// Without points that are nearer to the one before than `least`. The last one stays.
ProfilePoints thinned(const ProfilePoints& points, double least);

}  // namespace skyhook::element::rail
