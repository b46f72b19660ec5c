#include "skyhook/io/road/crg.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "skyhook/base/error.h"
#include "skyhook/io/model_file/text_lines.h"

namespace skyhook::io::road {
namespace {

using model::RoadGrid;
using model_file::shown;

constexpr std::size_t most_heights = 20'000'000;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return out;
}

// Also as Fortran writes it: 1.5D-03.
std::optional<double> number_of(std::string_view given) {
  std::string text(given);
  if (text.starts_with('+')) text.erase(0, 1);
  std::ranges::replace_if(
      text, [](char c) { return c == 'D' || c == 'd'; }, 'e');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

struct Column {
  enum class Kind { heading, slope, banking, height } kind;
  double v = 0;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file), lines_(text) {}

  CrgFile read() {
    read_header();
    check_header();
    place_columns();
    read_rows();
    make_grid();
    return std::move(out_);
  }

 private:
  struct Value {
    double value;
    int line;
  };
  using Values = std::map<std::string, Value>;

  [[noreturn]] void fail(int line, const std::string& what, const std::string& advice) const {
    throw ModelError({file_, line}, what, advice);
  }

  void read_header() {
    std::string section;
    for (std::string_view line; lines_.next(line);) {
      if (line.starts_with("$$")) return;
      if (line.starts_with('$')) {
        section = upper(trimmed(line.substr(1, line.find('!') - 1)));
        if (section == "ROAD_CRG_FILE")
          fail(lines_.number(), "the header includes another file.", "Put both into one file.");
        continue;
      }
      line = trimmed(line.substr(0, line.find('!')));
      if (line.empty() || line.starts_with('*') || section.empty() || section == "CT") continue;
      if (section == "KD_DEFINITION")
        define(line);
      else if (section.starts_with("ROAD_CRG") && section != "ROAD_CRG_MPRO")
        take_value(section, line);
    }
    fail(lines_.number(), "the file ends within its header.", "A line that begins with $$ stands before the data.");
  }

  void take_value(const std::string& section, std::string_view line) {
    const std::size_t equals = line.find('=');
    const auto value = equals == std::string_view::npos ? std::nullopt : number_of(trimmed(line.substr(equals + 1)));
    if (!value) fail(lines_.number(), shown(line) + " is no line NAME = number.", "Correct it.");
    const std::string name = upper(trimmed(line.substr(0, equals)));
    const auto [entry, is_new] = values_[section].try_emplace(name, Value{*value, lines_.number()});
    if (!is_new)
      fail(lines_.number(), fmt::format("{} stands in line {} already.", shown(name), entry->second.line),
           "Remove one of them.");
  }

  std::optional<double> value(const char* name, const char* section = "ROAD_CRG") const {
    const auto in = values_.find(section);
    if (in == values_.end()) return {};
    const auto found = in->second.find(name);
    return found == in->second.end() ? std::nullopt : std::optional(found->second.value);
  }
  int line_of(const char* name, const char* section = "ROAD_CRG") const { return values_.at(section).at(name).line; }

  // "#:LRFI", "U:reference line u,m,0,0.01", "D:reference line phi,rad", "D:long section at v = -1.5,m", "D:long section 3,m"
  void define(std::string_view line) {
    if (line.starts_with("#:")) {
      const std::string format = upper(trimmed(line.substr(2)));
      if (format != "LRFI" && format != "LDFI")
        fail(lines_.number(), "the data are in the format " + shown(format) + ", which is not read here.",
             "Write the file as text, in the format LRFI or LDFI.");
      width_ = format == "LRFI" ? 10 : 20;
      return;
    }
    if (!line.starts_with("D:")) return;
    const std::string name = upper(trimmed(line.substr(2, line.find(',') - 2)));
    using Kind = Column::Kind;
    if (name.starts_with("REFERENCE LINE PHI")) {
      columns_.push_back({Kind::heading});
    } else if (name.starts_with("REFERENCE LINE SLOPE")) {
      columns_.push_back({Kind::slope});
    } else if (name.starts_with("REFERENCE LINE BANK")) {
      columns_.push_back({Kind::banking});
    } else if (name.starts_with("LONG SECTION")) {
      define_long_section(std::string_view(name).substr(12));
    } else {
      fail(lines_.number(), shown(name) + " is no column that is known.",
           "Columns are reference line phi, slope, banking, and long section.");
    }
    defined_.push_back(lines_.number());
  }

  void define_long_section(std::string_view rest) {
    const std::size_t equals = rest.find('=');
    const bool is_at = rest.find("AT V") != std::string_view::npos && equals != std::string_view::npos;
    const auto x = number_of(trimmed(is_at ? rest.substr(equals + 1) : rest));
    if (!x)
      fail(lines_.number(), "the long section has neither a number nor a place.",
           "Write \"long section 3\" or \"long section at v = -1.5\".");
    if (sections_ > 0 && is_at != has_places_)
      fail(lines_.number(), "long sections are given by place and by number.", "Give all of them in one way.");
    if (!is_at && *x != static_cast<double>(sections_) + 1)
      fail(lines_.number(), fmt::format("the long section {} is expected here.", sections_ + 1), "Count from 1.");
    has_places_ = is_at;
    ++sections_;
    columns_.push_back({Column::Kind::height, *x});
  }

  void check_header() {
    if (width_ == 0) fail(lines_.number(), "the format of the data is missing.", "Write #:LRFI under $KD_DEFINITION.");
    if (sections_ < 2)
      fail(lines_.number(), "there are fewer than two long sections.", "Write D:long section 1,m and so on.");
    for (const auto kind : {Column::Kind::heading, Column::Kind::slope, Column::Kind::banking}) {
      if (std::ranges::count(columns_, kind, &Column::kind) > 1)
        fail(defined_.back(), "heading, slope or banking has two columns.", "Remove one of them.");
    }
    const auto step = value("REFERENCE_LINE_INCREMENT");
    if (!step || !(*step > 0))
      fail(step ? line_of("REFERENCE_LINE_INCREMENT") : lines_.number(),
           "the step along the reference line is missing or not positive.", "Write REFERENCE_LINE_INCREMENT = 0.01.");
    check_modifiers();
  }

  // What changes the road and is not done here must not be passed over.
  void check_modifiers() {
    for (const auto& [section, entries] : values_) {
      for (const auto& [name, entry] : entries) {
        const bool is_known =
            section == "ROAD_CRG" || (section == "ROAD_CRG_OPTS" && name.starts_with("BORDER_MODE_")) ||
            (section == "ROAD_CRG_MODS" && (name == "SCALE_Z_GRID" || name == "REFLINE_OFFSET_X" ||
                                            name == "REFLINE_OFFSET_Y" || name == "REFLINE_OFFSET_Z"));
        if (is_known) continue;
        if (section == "ROAD_CRG_MODS")
          fail(entry.line, "the modifier " + shown(name) + " is not done here.",
               "Let the program that wrote the file apply it; SCALE_Z_GRID and REFLINE_OFFSET_X, _Y, _Z are done.");
        out_.ignored.push_back(name);
      }
    }
  }

  RoadGrid::Border border(const char* name) const {
    const auto mode = value(name, "ROAD_CRG_OPTS");
    if (!mode) return RoadGrid::Border::none;
    if (*mode != std::floor(*mode) || *mode < 0 || *mode > 4)
      fail(line_of(name, "ROAD_CRG_OPTS"), "the border mode is none of 0 to 4.",
           "0: not there, 1: zero, 2: keep, 3: repeat, 4: reflect.");
    return static_cast<RoadGrid::Border>(static_cast<int>(*mode));
  }

  void place_columns() {
    RoadGrid& g = out_.grid;
    const auto right = value("LONG_SECTION_V_RIGHT"), left = value("LONG_SECTION_V_LEFT"),
               step = value("LONG_SECTION_V_INCREMENT");
    if (!has_places_ && !(right && (step || left)))
      fail(lines_.number(), "nothing says where the long sections lie.",
           "Write LONG_SECTION_V_RIGHT and LONG_SECTION_V_INCREMENT, or LONG_SECTION_V_LEFT.");
    for (const Column& c : columns_) {
      if (c.kind != Column::Kind::height) continue;
      const double k = static_cast<double>(g.v.size());
      const double gap = has_places_ ? 0.0 : step ? *step : (*left - *right) / static_cast<double>(sections_ - 1);
      g.v.push_back(has_places_ ? c.v : *right + k * gap);
    }
    is_reversed_ = g.v[1] < g.v[0];
    if (is_reversed_) std::ranges::reverse(g.v);
    for (std::size_t k = 1; k < g.v.size(); ++k) {
      if (!(g.v[k] > g.v[k - 1]) || !std::isfinite(g.v[k] - g.v[0]))
        fail(lines_.number(), "the long sections are not in rising or falling order of v.", "Sort them.");
    }
  }

  // The number in a field of a row; NaN where there is none.
  double field(std::string_view text) {
    text = trimmed(text);
    if (text.empty() || text.find('*') != std::string_view::npos || upper(text) == "NAN") return missing;
    const auto x = number_of(text);
    if (!x) fail(lines_.number(), shown(text) + " is no number.", fmt::format("Columns have {} characters.", width_));
    return *x;
  }

  void read_rows() {
    const std::size_t a_line = width_ == 10 ? 8 : 4;
    std::vector<double> row;
    for (std::string_view line; lines_.next(line);) {
      if (trimmed(line).empty()) continue;
      const std::size_t wanted = std::min(a_line, columns_.size() - row.size());
      if (trimmed(line.substr(std::min(line.size(), wanted * width_))).size() > 0)
        fail(lines_.number(), "the line has more numbers than columns are left.",
             fmt::format("A row has {} numbers, {} a line.", columns_.size(), a_line));
      if (line.size() <= (wanted - 1) * width_)
        fail(lines_.number(), "the line has fewer numbers than expected.",
             fmt::format("A row has {} numbers, {} a line, of {} characters each.", columns_.size(), a_line, width_));
      for (std::size_t k = 0; k < wanted; ++k) row.push_back(field(line.substr(k * width_, width_)));
      if (row.size() < columns_.size()) continue;
      take_row(row);
      row.clear();
    }
    if (!row.empty()) fail(lines_.number(), "the file ends within a row.", "Complete it.");
    if (out_.grid.z.size() < 2 * out_.grid.v.size())
      fail(lines_.number(), "there are fewer than two rows.", "Write one row for each step of the reference line.");
  }

  void take_row(const std::vector<double>& row) {
    RoadGrid& g = out_.grid;
    if (g.z.size() + sections_ > most_heights)
      fail(lines_.number(), fmt::format("the grid has more than {} heights.", most_heights), "Split or thin it out.");
    std::vector<double> heights;
    const bool is_first = g.z.empty();
    for (std::size_t k = 0; k < row.size(); ++k) {
      using Kind = Column::Kind;
      const bool is_needed = columns_[k].kind == Kind::banking || !is_first;
      if (columns_[k].kind != Kind::height && is_needed && std::isnan(row[k]))
        fail(lines_.number(), "the heading, slope or banking of this row is missing.", "Give it.");
      if (columns_[k].kind == Kind::heading && !is_first) g.headings.push_back(row[k]);
      if (columns_[k].kind == Kind::slope && !is_first) slopes_.push_back(row[k]);
      if (columns_[k].kind == Kind::banking) bankings_.push_back(row[k]);
      if (columns_[k].kind == Kind::height) heights.push_back(row[k]);
    }
    fill(heights);
    if (is_reversed_) std::ranges::reverse(heights);
    g.z.insert(g.z.end(), heights.begin(), heights.end());
  }

  // What is missing lies between its neighbours, at the edges as high as the last one.
  void fill(std::vector<double>& row) {
    const auto is_there = [](double z) { return !std::isnan(z); };
    if (std::ranges::none_of(row, is_there)) fail(lines_.number(), "the row has no height at all.", "Remove the row.");
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (is_there(row[k])) continue;
      ++out_.filled;
      const auto next = std::find_if(row.begin() + static_cast<std::ptrdiff_t>(k), row.end(), is_there);
      if (k == 0 || next == row.end()) {
        row[k] = k == 0 ? *next : row[k - 1];
      } else {
        const auto gap = static_cast<double>(next - row.begin()) - static_cast<double>(k) + 1;
        row[k] = row[k - 1] + (*next - row[k - 1]) / gap;
      }
    }
  }

  void make_grid() {
    RoadGrid& g = out_.grid;
    g.file = file_;
    g.u_first = value("REFERENCE_LINE_START_U").value_or(0.0), g.u_step = *value("REFERENCE_LINE_INCREMENT");
    g.border_u = border("BORDER_MODE_U"), g.border_v = border("BORDER_MODE_V");
    const auto offset = [&](const char* name) { return value(name, "ROAD_CRG_MODS").value_or(0.0); };
    g.x = value("REFERENCE_LINE_START_X").value_or(0.0) + offset("REFLINE_OFFSET_X");
    g.y = value("REFERENCE_LINE_START_Y").value_or(0.0) + offset("REFLINE_OFFSET_Y");
    g.heading = value("REFERENCE_LINE_START_PHI").value_or(0.0);
    const double scale = value("SCALE_Z_GRID", "ROAD_CRG_MODS").value_or(1.0);
    const double length = g.u_step * static_cast<double>(g.rows() - 1);
    const double begin = value("REFERENCE_LINE_START_Z").value_or(0.0),
                 end = value("REFERENCE_LINE_END_Z").value_or(begin);
    const double slope = value("REFERENCE_LINE_START_S").value_or((end - begin) / length);
    double level = begin + offset("REFLINE_OFFSET_Z");
    for (std::size_t i = 0; i < g.rows(); ++i) {
      if (i > 0) level += g.u_step * (slopes_.empty() ? slope : slopes_[i - 1]);
      const double bank = bankings_.empty() ? value("REFERENCE_LINE_START_B").value_or(0.0) : bankings_[i];
      for (std::size_t j = 0; j < g.v.size(); ++j) {
        double& z = g.z[i * g.v.size() + j];
        z = level + bank * g.v[j] + scale * z;
        if (!std::isfinite(z)) fail(lines_.number(), "a height of the grid is no finite number.", "Check its header.");
      }
    }
  }

  std::string file_;
  model_file::Lines lines_;
  CrgFile out_;
  std::map<std::string, Values> values_;  // by section
  std::vector<Column> columns_;
  std::vector<int> defined_;
  std::vector<double> slopes_, bankings_;
  std::size_t width_ = 0, sections_ = 0;
  bool has_places_ = false, is_reversed_ = false;
};

}  // namespace

CrgFile read_crg(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

}  // namespace skyhook::io::road
