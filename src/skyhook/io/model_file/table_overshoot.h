// Where the curve through the rows of a table leaves their range.
#pragma once
#include <optional>
#include <vector>

#include "skyhook/math/spline.h"

namespace skyhook::io::model_file {

struct Overshoot {
  double x = 0, y = 0;             // the farthest point of the curve
  double lowest = 0, highest = 0;  // of the rows
};

// The largest one of more than a tenth of the rows' range: less is what a smooth curve with few rows has, too.
std::optional<Overshoot> overshoot(const PiecewiseCubic& curve, const std::vector<double>& rows_y);

}  // namespace skyhook::io::model_file
