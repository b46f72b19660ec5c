// skyhook wheelrail --wheel W --rail R [--shift A..B:S] [--conicity A..B:S] [--cases FILE.csv]: where wheels touch rails.
#pragma once
#include <optional>
#include <string>

#include "files_read_once.h"
#include "skyhook/analysis/contact_cases.h"
#include "skyhook/analysis/wheelrail.h"

namespace skyhook::app {

struct WheelrailCommand {
  std::string wheel = "s1002",
              rail = "uic60_1in40";     // built in, of the model, a file of points, conical:SLOPE or circular:RADIUS
  std::string wheel_right, rail_right;  // empty: as on the left
  std::string model;                    // whose `profiles` may be named
  // Lengths: a plain number counts in mm.
  std::string gauge = "1435 mm", gauge_depth = "14 mm", flange_back = "1360 mm", tape_circle = "70 mm",
              radius = "460 mm";
  std::string inclination = "0", smoothing, yaw = "0";  // smoothing: empty: 1 mm, with cases 0.5 mm
  std::string shift, conicity, cases;                   // "-6.5..6.5:0.5", mm
  std::string load = "10 kN", speed = "2 m/s", law = "auto", patch = "auto", cell, separate = "8 mm",
              weaken;  // cell, weaken: empty: as CONTACT has them with cases
  double friction = 0.3;
  std::string out, csv, patches;      // picture (.svg, .png) or result (.h5); table; picture of contact patches (.svg)
  std::optional<std::string> report;  // write one; empty: named as the result
  bool rolls = false;                 // for the conicity: both wheels touch
  bool json = false, terminal = false, quiet = false;
  OpenFile open = files_read_once();
};
int wheelrail(const WheelrailCommand& options);

}  // namespace skyhook::app
