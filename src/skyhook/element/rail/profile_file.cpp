#include "skyhook/element/rail/profile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "skyhook/base/error.h"
#include "skyhook/base/units.h"

namespace skyhook::element::rail {
namespace {

using Words = std::vector<std::string>;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\"'\xEF\xBB\xBF"), last = text.find_last_not_of(" \t\r\"'");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// By comma, semicolon or tab where there is one; else by blanks.
Words words_of_line(const std::string& line) {
  Words out;
  const auto separator = line.find_first_of(",;\t");
  if (separator == std::string::npos) {
    std::istringstream stream(line);
    for (std::string word; stream >> word;) out.push_back(trimmed(word));
    return out;
  }
  std::istringstream stream(line);
  for (std::string word; std::getline(stream, word, line[separator]);) out.push_back(trimmed(word));
  return out;
}

std::optional<double> number(const std::string& word) {
  double value = 0;
  const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// Meant as a number, whether it can be read or not.
bool is_meant_as_number(const std::string& word) {
  const auto first = word.find_first_not_of("+-.");
  return first != std::string::npos && std::isdigit(static_cast<unsigned char>(word[first])) != 0;
}

// "y_mm", "y [mm]", "y (mm)", "mm": "mm".
std::optional<std::string> unit_in(const std::string& name) {
  for (const char* unit : {"mm", "cm", "in", "m"}) {
    const std::string u = unit;
    if (name == u || name.ends_with("_" + u) || name.ends_with("[" + u + "]") || name.ends_with("(" + u + ")"))
      return u;
  }
  return std::nullopt;
}

struct Reader {
  const std::string& file;
  FilePoints out{};
  std::size_t y = 0, z = 1;  // columns
  std::optional<std::string> unit{};
  std::optional<double> promised{};  // rows, by the head of a MiniProf
  int promised_at = 0;               // its line

  [[noreturn]] void fail(int line, const std::string& what, const std::string& advice) const {
    throw ModelError({file, line, 0}, what, advice);
  }
  void header(const Words& words) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      std::string name = words[k];
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      if (name.starts_with("y") && k != z) y = k;
      if (name.starts_with("z")) z = k;
      if (!unit) unit = unit_in(name);
    }
  }
  void key(const std::string& text, int line) {  // of MiniProf
    if (text.starts_with("XYPoints=")) {
      promised = number(trimmed(text.substr(9))), promised_at = line;
      if (!promised) fail(line, "\"" + text + "\" is no count of points.", "Correct the line, or remove it.");
    }
    if (!text.starts_with("ColumnDef=")) return;
    const Words names = words_of_line(text.substr(10));
    const auto place = [&](const char* name) {
      const auto at = std::ranges::find(names, name);
      if (at == names.end())
        fail(line, "\"" + text + "\" names no column " + name + ".",
             "It names the columns of the rows: ColumnDef=X,Y,A,C,N.");
      return static_cast<std::size_t>(at - names.begin());
    };
    y = place("X"), z = place("Y");
  }
  void check_count() const {
    const auto count = out.points.y.size();
    if (promised && *promised != static_cast<double>(count))
      fail(promised_at, fmt::format("XYPoints says {:.6g} points, and the file has {}.", *promised, count),
           "The file was cut off or edited: give all of it, or correct this line.");
  }
  void row(const Words& words, int line) {
    const std::size_t needed = std::max(y, z) + 1;
    if (words.size() < needed)
      fail(line, fmt::format("the row has {} columns.", words.size()),
           fmt::format("It needs at least {}: y and z.", needed));
    const auto a = number(words[y]), b = number(words[z]);
    if (!a || !b || !std::isfinite(*a) || !std::isfinite(*b))
      fail(line, fmt::format("\"{}\" is no number.", a && std::isfinite(*a) ? words[z] : words[y]),
           "Write numbers with a decimal point, y and z in each row.");
    out.points.y.push_back(*a), out.points.z.push_back(*b), out.points.lines.push_back(line);
  }
  void read(const std::string& text) {
    std::istringstream stream(text);
    int line = 0;
    for (std::string raw; std::getline(stream, raw);) {
      ++line;
      if (raw.find('\0') != std::string::npos)
        fail(line, "this is no text.", "Give a file of points as text: .csv, or the text of a MiniProf.");
      const std::string content = trimmed(raw.substr(0, raw.find_first_of("#!%")));
      if (content.empty()) continue;
      if (content.find('=') != std::string::npos) {
        key(content, line);
        continue;
      }
      const Words words = words_of_line(content);
      if (out.points.y.empty() && !is_meant_as_number(words[0]))
        header(words);
      else
        row(words, line);
    }
    check_count();
  }
};

double factor_of(const Reader& r, const FileAxes& axes, std::vector<std::string>& notes) {
  const std::string unit = !axes.unit.empty() ? axes.unit : r.unit.value_or("mm");
  if (axes.unit.empty() && !r.unit) notes.emplace_back("the file names no unit: taken as mm");
  const Unit u = parse_unit(unit, {r.file, 0, 0});
  if (u.dimension != Dimension::of(1)) r.fail(0, "the unit \"" + unit + "\" is no length.", "Write mm or m.");
  return u.factor;
}

void flip(std::vector<double>& values) {
  for (double& v : values) v = -v;
}

struct Signs {
  double y = 1, z = 1;  // signs that bring the points to our axes
};

// The flange is what is furthest from the tread, by more than 10 mm; it lies below it and to the inside.
Signs of_wheel(const ProfilePoints& p) {
  double tread = 0, nearest = 1e300, y = 0, z = 0;
  for (std::size_t i = 0; i < p.y.size(); ++i)
    if (std::abs(p.y[i]) < nearest) nearest = std::abs(p.y[i]), tread = p.z[i];
  for (std::size_t i = 0; i < p.y.size(); ++i)
    if (std::abs(p.z[i] - tread) > std::abs(z)) z = p.z[i] - tread, y = p.y[i];
  if (std::abs(z) < 0.010) return {};
  return {y > 0 ? -1.0 : 1.0, z > 0 ? -1.0 : 1.0};
}

// y where the polygon passes a height, first and last.
std::pair<double, double> sides(const ProfilePoints& p, double z) {
  double first = std::nan(""), last = std::nan("");
  for (std::size_t i = 1; i < p.y.size(); ++i) {
    if ((p.z[i] - z) * (p.z[i - 1] - z) > 0 || p.z[i] == p.z[i - 1]) continue;
    const double y = p.y[i - 1] + (z - p.z[i - 1]) / (p.z[i] - p.z[i - 1]) * (p.y[i] - p.y[i - 1]);
    if (std::isnan(first)) first = y;
    last = y;
  }
  return {first, last};
}

// The ends of a head are below its top; one that leans to the inside has its top outside of the middle of its sides.
Signs of_rail(ProfilePoints p) {
  Signs out;
  const auto [low, high] = std::ranges::minmax(p.z);
  const double ends = (p.z.front() + p.z.back()) / 2;
  if (high - ends < ends - low) out.z = -1, flip(p.z);
  const auto top = static_cast<std::size_t>(std::ranges::max_element(p.z) - p.z.begin());
  const auto [a, b] = sides(p, p.z[top] - 0.008);
  if (std::abs(p.y[top] - (a + b) / 2) > 1e-3 && p.y[top] < (a + b) / 2) out.y = -1;
  return out;
}

double sign_of(const std::string& said, const char* plus, double seen) {
  return said == "auto" ? seen : said == plus ? 1.0 : -1.0;
}

}  // namespace

FilePoints parse_profile(const std::string& text, const std::string& file, const FileAxes& axes) {
  Reader reader{file};
  reader.read(text);
  if (reader.out.points.y.size() < 8)
    reader.fail(0, fmt::format("the file has {} points of a profile.", reader.out.points.y.size()),
                "Give at least 8 rows with y and z.");
  FilePoints out = std::move(reader.out);
  const double factor = factor_of(reader, axes, out.notes);
  for (std::size_t i = 0; i < out.points.y.size(); ++i)
    out.points.y[i] = factor * out.points.y[i] - axes.origin, out.points.z[i] *= factor;
  const Signs seen = axes.kind == Profile::Kind::rail ? of_rail(out.points) : of_wheel(out.points);
  if (sign_of(axes.y, "field", seen.y) < 0)
    flip(out.points.y), out.notes.emplace_back("y of the file points to the gauge side");
  if (sign_of(axes.z, "up", seen.z) < 0) flip(out.points.z), out.notes.emplace_back("z of the file points down");
  return out;
}

}  // namespace skyhook::element::rail
