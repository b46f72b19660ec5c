// Rows of a contact benchmark: a wheelset at a given shift, roll and yaw, with a pitch rate, one wheel of it in each row. Names, units and axes are those of the
// Manchester benchmark as CONTACT prints them: mm, rad, N, mm/s; x ahead, y to the RIGHT, z DOWN; roll about the x of the track, then yaw; forces
// on the rail; creepages of the rail against the wheel.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/base/table.h"
#include "skyhook/element/rail/loaded_contact.h"

namespace skyhook::analysis {

struct ContactCase {
  std::string side, name;                               // "left" or "right"; the case as the file has it
  double y = 0, roll = 0, yaw = 0;                      // mm, rad, rad
  std::optional<double> pitch_rate{};                   // rad/s; ahead is negative
  std::vector<std::pair<std::string, double>> given{};  // all numbers of the row, by column
  std::optional<double> reference(const std::string& column) const;
};

// Columns side, y_ws, roll_ws, yaw_ws, vpitch_ws (not needed), case (not needed); others are references. ModelError with the line.
std::vector<ContactCase> parse_cases(const std::string& text, const std::string& file);

// Of the axle, in axes of the wheel that the row is about: a right one stands in the mirror.
element::rail::AxlePlace place_of(const ContactCase& of);

using CaseColumns = std::vector<std::pair<std::string, double>>;

struct CaseResult {
  ContactCase of;
  element::rail::LoadedContact contact;
  double radius = 0;  // mm, nominal
  CaseColumns
      columns;  // as in the benchmark, and those of the rigid contact: of the whole, then of the patch that this row is about
  std::vector<CaseColumns> patches{};  // of every patch, by its load
  std::size_t chosen = 0;  // of them: the one nearest to `ycp_r` of the file, or number `patch`, or the first
};

// ModelError where a wheel is not above its rail.
CaseResult compute(const ContactCase& of, const element::rail::WheelsetOnTrack& wheelset, double speed,
                   const element::rail::LoadedOptions& options, const element::rail::CreepLaw& law);

// Columns of further patches end in _2, _3.
Table table_of(const std::vector<CaseResult>& results);
// Beside the references of the file, where it has them; no rows where it has none.
Table differences_of(const std::vector<CaseResult>& results);

}  // namespace skyhook::analysis
