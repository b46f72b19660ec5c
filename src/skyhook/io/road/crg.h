// Roads from OpenCRG files in text form: a header of sections ($ROAD_CRG, $ROAD_CRG_OPTS, $ROAD_CRG_MODS, $KD_DEFINITION), a line of
// dollar signs, then rows of numbers in columns of 10 (format LRFI) or 20 characters (LDFI), each row on lines of its own.
//
// Rows stand one increment of u apart. Columns are the heading, slope and banking of the reference line, where the header names them,
// and the heights of the long sections. The first row's heading and slope do not count: each is that of the piece before its row.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/model/road_grid.h"

namespace skyhook::io::road {

struct CrgFile {
  model::RoadGrid grid;
  std::size_t filled = 0;            // heights that are missing in the file, and come from their neighbours in the row
  std::vector<std::string> ignored;  // options of the header that have no effect here
};

// Throws ModelError with the line of `file`.
CrgFile read_crg(std::string_view text, const std::string& file);

}  // namespace skyhook::io::road
