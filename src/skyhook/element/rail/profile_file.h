// Files of points of a profile:
//
//   # a comment                    own format and .csv: two columns, separated by comma, semicolon, tab or blanks; names in a first row,
//   y [mm], z [mm]                 with units in brackets or behind an underscore (y_mm)
//   -60.0, 2.63
//
//   Date=01-02-2020                MiniProf text: lines Key=Value, then rows of numbers; ColumnDef=X,Y,... says which columns are meant
//   ColumnDef=X,Y,A,C,N
//
// Which way y and z point differs from file to file. It is seen from the points: a flange hangs down and lies to the inside, the sides of a head are below its top, and a
// rail leans to the inside. A rail that stands upright is taken as given, with its gauge face at negative y.
#pragma once
#include <string>

#include "skyhook/element/rail/profile.h"

namespace skyhook::element::rail {

struct FileAxes {
  Profile::Kind kind = Profile::Kind::either;
  std::string y = "auto";  // where positive y points: field, gauge
  std::string z = "auto";  // up, down
  std::string unit{};      // of both columns; empty: as the file says, else mm
  double origin = 0;       // m: y of the tape circle, or of the middle of the head, in the file's own axes
};

struct FilePoints {
  ProfilePoints points;
  std::vector<std::string> notes;  // how it was read
};

// ModelError with file and line.
FilePoints parse_profile(const std::string& text, const std::string& file, const FileAxes& axes);

}  // namespace skyhook::element::rail
