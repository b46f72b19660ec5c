// From where to where along x a surface has more to show than a plane, as far as its parts say it.
#pragma once
#include <algorithm>
#include <cmath>

#include "skyhook/model/surface.h"

namespace skyhook::model {

// In x of the frame; without end where no part has one.
inline Relief::Span span_of(const Surface& surface) {
  const Surface::Parts& p = surface.parts();
  constexpr double far = std::numeric_limits<double>::infinity();
  Relief::Span all{far, -far};
  const auto join = [&](const Relief::Span& s) {
    if (std::isfinite(s.first) && std::isfinite(s.last))
      all = {std::min(all.first, s.first), std::max(all.last, s.last)};
  };
  for (const auto& relief : p.reliefs) join(relief->span());
  if (p.profile && p.profile->table()) join({p.profile->table()->first(), p.profile->table()->last()});
  if (!p.stairs.empty()) join({p.stairs.front().at - 1, p.stairs.back().at + 1});
  if (!(all.first <= all.last)) return {};
  return p.along > 0 ? all : Relief::Span{-all.last, -all.first};
}

}  // namespace skyhook::model
