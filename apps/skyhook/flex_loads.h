// Loads of a flexible body from a run: for fatigue and strength.
#pragma once
#include <string>

#include "skyhook/flexible/part_options.h"
#include "skyhook/flexible/thermal.h"

namespace skyhook::app {

// `body` is its name in the result. A file .csv: time, modal coordinates and, of beams, forces in their sections. A file .inp: cards for CalculiX, amplitudes of the
// modal coordinates and for each the nodal forces that hold its shape; their sum is the state of stress over time. `beams`: names, separated by commas; empty: all.
void write_loads(const std::string& result, const std::string& body, const flexible::FeModel& mesh,
                 const flexible::ReducedPart& part, const std::string& beams, const std::vector<flexible::Heat>& heats,
                 const std::string& path);

// A table .csv of stresses over time: of beams, in the fibres of their sections at both ends of each element, with the largest equivalent stress (Mises) of
// these; of plates, on both sides at the middle of each element. `parts`: names of beams and plates, separated by commas; empty: all.
void write_stresses(const std::string& result, const std::string& body, const flexible::FeModel& mesh,
                    const flexible::ReducedPart& part, const std::string& parts,
                    const std::vector<flexible::Heat>& heats, const std::string& path);

}  // namespace skyhook::app
