// Writes channels of a result for other programs.
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "skyhook/io/result/reader.h"

namespace skyhook::io {

// Text with a header "time [s],name [unit],..." and 17 digits, so that every number is read back bit for bit. Names
// with commas, quotes or line ends are quoted as RFC 4180 says. Both sides of an event are rows of their own.
void export_csv(const ResultFile& result, const std::vector<std::string>& channels, const std::filesystem::path& path);
// The same to a stream; `name` is what a message calls it.
void export_csv(const ResultFile& result, const std::vector<std::string>& channels, std::ostream& out,
                const std::string& name);

// The event log: "time [s],event,element,kind,detail", a row an event.
void export_events(const ResultFile& result, const std::filesystem::path& path);
void export_events(const ResultFile& result, std::ostream& out, const std::string& name);

// A MATLAB file (version 5): a column vector a channel, named by mat_names(), and the cell arrays skyhook_names,
// skyhook_units and skyhook_variables that say which is which.
void export_mat(const ResultFile& result, const std::vector<std::string>& channels, const std::filesystem::path& path);

// Names MATLAB accepts, in the order of `names` and each different: letters, digits and "_", at most 63 characters.
std::vector<std::string> mat_names(const std::vector<std::string>& names);

}  // namespace skyhook::io
