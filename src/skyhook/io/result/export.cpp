#include "skyhook/io/result/export.h"

#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <functional>
#include <memory>
#include <set>

#include "skyhook/base/new_file.h"
#include "skyhook/base/utf8.h"

namespace skyhook::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_mat_name = 63;
constexpr std::size_t most_mat_bytes = std::size_t{1} << 31;  // of one variable in version 5

constexpr const char* written = "the table";

// time first, then what was asked for.
std::vector<Series> columns(const ResultFile& result, const std::vector<std::string>& channels) {
  std::vector<Series> list{result.series("time")};
  for (const std::string& name : result.select(channels)) {
    if (name != "time" && name != list.front().name) list.push_back(result.series(name));
  }
  return list;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

using MatFile = std::unique_ptr<mat_t, decltype(&Mat_Close)>;
using MatVariable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

MatVariable column_vector(const std::string& name, const std::vector<double>& values) {
  std::array<std::size_t, 2> size{values.size(), 1};
  return {Mat_VarCreate(name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size.data(), const_cast<double*>(values.data()),
                        MAT_F_DONT_COPY_DATA),
          Mat_VarFree};
}

// UTF-16, since MATLAB counts characters in it.
matvar_t* text_cell(const std::string& text) {
  std::u16string units = to_utf16(text);
  std::array<std::size_t, 2> size{1, units.size()};
  return Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF16, 2, size.data(), units.data(), 0);
}

MatVariable cell_array(const std::string& name, const std::vector<std::string>& texts) {
  std::array<std::size_t, 2> size{texts.size(), 1};
  MatVariable array(Mat_VarCreate(name.c_str(), MAT_C_CELL, MAT_T_CELL, 2, size.data(), nullptr, 0), Mat_VarFree);
  for (std::size_t i = 0; i < texts.size(); ++i) Mat_VarSetCell(array.get(), static_cast<int>(i), text_cell(texts[i]));
  return array;
}

void put(mat_t* file, const MatVariable& variable, const fs::path& path) {
  if (!variable || Mat_VarWrite(file, variable.get(), MAT_COMPRESSION_NONE) != 0)
    refuse_to_write(path, written, ENOSPC);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string mat_name(const std::string& name) {
  static const std::set<std::string> keywords{
      "break",  "case", "catch",     "classdef", "continue",   "else",   "elseif", "end",    "for", "function",
      "global", "if",   "otherwise", "parfor",   "persistent", "return", "spmd",   "switch", "try", "while"};
  std::string text;
  for (const char32_t c : decode_utf8(name)) {
    const bool plain = c < 0x80 && (is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c)));
    text += plain ? static_cast<char>(c) : '_';
  }
  if (text.empty() || !is_letter(text[0]) || keywords.contains(text)) text = "x_" + text;
  return text.substr(0, longest_mat_name);
}

}  // namespace

static void write_stream(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  NewFile file(path, written);
  std::ofstream out(file.part(), std::ios::binary);
  if (!out) refuse_to_write(path, written, errno);
  write(out);
  out.close();
  if (!out) refuse_to_write(path, written, errno);
  file.finish();
}

void export_csv(const ResultFile& result, const std::vector<std::string>& channels, const fs::path& path) {
  result.select(channels);  // refuses unknown channels before the file is touched
  write_stream(path, [&](std::ostream& out) { export_csv(result, channels, out, path.string()); });
}

void export_csv(const ResultFile& result, const std::vector<std::string>& channels, std::ostream& out,
                const std::string& name) {
  const std::vector<Series> list = columns(result, channels);
  fmt::memory_buffer text;
  const auto write = [&] {
    text.push_back('\n');
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  };
  for (std::size_t c = 0; c < list.size(); ++c) {
    fmt::format_to(std::back_inserter(text), "{}{}", c ? "," : "", csv_field(list[c].name + " [" + list[c].unit + "]"));
  }
  write();
  for (std::size_t r = 0; r < result.samples() && out; ++r) {
    for (std::size_t c = 0; c < list.size(); ++c) {
      fmt::format_to(std::back_inserter(text), "{}{:.17g}", c ? "," : "", list[c].values[r]);
    }
    write();
  }
  if (!out.flush()) refuse_to_write(name, written, errno);
}

void export_events(const ResultFile& result, const fs::path& path) {
  write_stream(path, [&](std::ostream& out) { export_events(result, out, path.string()); });
}

void export_events(const ResultFile& result, std::ostream& out, const std::string& name) {
  out << "time [s],event,element,kind,detail\n";
  for (const simulation::EventRecord& e : result.events()) {
    out << fmt::format("{:.17g},{},{},{},{}\n", e.t, csv_field(e.name), csv_field(e.element), csv_field(e.kind),
                       csv_field(e.detail));
  }
  if (!out.flush()) refuse_to_write(name, written, errno);
}

void export_mat(const ResultFile& result, const std::vector<std::string>& channels, const fs::path& path) {
  const std::vector<Series> list = columns(result, channels);
  std::vector<std::string> names, units;
  for (const Series& series : list) names.push_back(series.name), units.push_back(series.unit);
  const std::vector<std::string> variables = mat_names(names);

  if (8 * result.samples() >= most_mat_bytes)
    throw ModelError({path.string()}, "cannot be written: a MAT file of version 5 holds at most 2 GB a channel.",
                     "Export as CSV, or run with a larger output step.");
  NewFile place(path, written);
  const std::size_t least = 8 * result.samples() * list.size();
  place.reserve(least);
  MatFile file(Mat_CreateVer(place.part().c_str(), "Skyhook result", MAT_FT_MAT5), Mat_Close);
  if (!file) refuse_to_write(path, written, errno);
  for (std::size_t i = 0; i < list.size(); ++i) put(file.get(), column_vector(variables[i], list[i].values), path);
  put(file.get(), cell_array("skyhook_names", names), path);
  put(file.get(), cell_array("skyhook_units", units), path);
  put(file.get(), cell_array("skyhook_variables", variables), path);
  // libmatio does not look whether its writing succeeds, but the size tells.
  const bool closed = Mat_Close(file.release()) == 0;
  std::error_code special;  // what is no ordinary file has no size
  const auto size = fs::file_size(place.part(), special);
  if (!closed || (!special && size < least)) refuse_to_write(path, written, ENOSPC);
  place.finish();
}

std::vector<std::string> mat_names(const std::vector<std::string>& names) {
  std::set<std::string> taken{"skyhook_names", "skyhook_units", "skyhook_variables"};
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const std::string base = mat_name(name);
    std::string unique = base;
    for (int i = 2; !taken.insert(unique).second; ++i) {
      const std::string suffix = "_" + std::to_string(i);
      unique = base.substr(0, longest_mat_name - suffix.size()) + suffix;
    }
    result.push_back(unique);
  }
  return result;
}

}  // namespace skyhook::io
