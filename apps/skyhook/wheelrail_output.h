// What `wheelrail` prints: tables for people, JSON in SI, CSV.
#pragma once
#include "skyhook/base/table.h"
#include "wheelrail_command.h"

namespace skyhook::app {

// In mm, mrad and deg.
Table rows_table(const std::vector<analysis::WheelrailRow>& rows, double radius);
Table conicity_table(const std::vector<analysis::ConicityRow>& rows);
std::string rows_json(const std::vector<analysis::WheelrailRow>& rows, double radius);
// With all patches of each.
std::string cases_json(const std::vector<analysis::CaseResult>& cases);
std::string conicity_json(const std::vector<analysis::ConicityRow>& rows);
std::string profile_json(const element::rail::Profile& profile);
// "wheel s1002: y -70 to 60 mm, smoothed over 1 mm, within 0.25 um at y = -38.5 mm (zones of ...)"
std::string profile_text(const char* what, const element::rail::Profile& profile);
// What is doubtful in the rows: contacts at ends of profiles, flanges that stand on a rail.
std::vector<std::string> doubts_of(const std::vector<analysis::CaseResult>& cases);
std::vector<std::string> doubts_of(const std::vector<analysis::WheelrailRow>& rows);

}  // namespace skyhook::app
