#include "skyhook/element/tyre/magic_tyre.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace skyhook::element::tyre {
namespace {

struct Unit {
  const char* name;
  double si;
};
constexpr Unit lengths[] = {{"METER", 1}, {"METRE", 1},         {"M", 1},    {"MM", 1e-3},     {"MILLIMETER", 1e-3},
                            {"CM", 1e-2}, {"CENTIMETER", 1e-2}, {"KM", 1e3}, {"INCH", 0.0254}, {"FOOT", 0.3048}};
constexpr Unit forces[] = {{"NEWTON", 1},
                           {"N", 1},
                           {"KN", 1e3},
                           {"KILONEWTON", 1e3},
                           {"POUND_FORCE", 4.4482216152605},
                           {"LBF", 4.4482216152605},
                           {"KG_FORCE", 9.80665}};
constexpr Unit angles[] = {{"RADIAN", 1},
                           {"RADIANS", 1},
                           {"RAD", 1},
                           {"DEGREE", std::numbers::pi / 180},
                           {"DEGREES", std::numbers::pi / 180},
                           {"DEG", std::numbers::pi / 180}};
constexpr Unit pressures[] = {{"PASCAL", 1}, {"PA", 1},    {"KPASCAL", 1e3},       {"KPA", 1e3},
                              {"MPA", 1e6},  {"BAR", 1e5}, {"PSI", 6894.757293168}};
constexpr Unit periods[] = {{"SECOND", 1}, {"SECONDS", 1},        {"SEC", 1},     {"S", 1},
                            {"MS", 1e-3},  {"MILLISECOND", 1e-3}, {"MINUTE", 60}, {"HOUR", 3600}};

std::string capitals(std::string s) {
  for (char& c : s) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return s;
}

class Reader {
 public:
  explicit Reader(const TirFile& file) : file_(file) {}

  MagicTyre read() {
    units();
    kind();
    for (const MagicEntry& entry : magic_entries()) take(entry);
    mode();
    require();
    ranges();
    without_effect();
    for (const TirEntry& e : file_.entries) {
      if (!read_.contains(e.line) && e.section != "UNITS" && e.section != "MDI_HEADER") out_.unused.push_back(e.name);
    }
    if (!file_.empty.empty())
      out_.notes.push_back(fmt::format("without a value, and taken as absent: {}", fmt::join(file_.empty, ", ")));
    for (const std::string& table : file_.tables) out_.unused.push_back("table of [" + table + "]");
    return std::move(out_);
  }

 private:
  MagicCoefficients& c() { return out_.law.c; }

  double unit(const char* name, std::span<const Unit> known) {
    const TirEntry* e = file_.find("UNITS", name);
    if (!e) return 1.0;
    const std::string text = capitals(e->text);
    for (const Unit& u : known) {
      if (text == u.name) return u.si;
    }
    std::string all;
    for (const Unit& u : known) all += std::string(all.empty() ? "" : ", ") + u.name;
    throw ModelError(file_.at(e->line), fmt::format("{} is \"{}\", which is no unit that is known.", name, e->text),
                     "Known: " + all + ".");
  }
  void units() {
    length_ = unit("LENGTH", lengths), force_ = unit("FORCE", forces), angle_ = unit("ANGLE", angles),
    time_ = unit("TIME", periods);
    pressure_ = file_.find("UNITS", "PRESSURE") ? unit("PRESSURE", pressures) : force_ / (length_ * length_);
    if (angle_ != 1.0)
      out_.notes.emplace_back(
          "Angles are degrees: ranges are converted; coefficients are taken as those of radians, as they are defined");
  }
  double si(const char* unit) const {
    const std::string_view u = unit;
    if (u == "m") return length_;
    if (u == "N") return force_;
    if (u == "rad") return angle_;
    if (u == "N/m") return force_ / length_;
    if (u == "N.s/m") return force_ * time_ / length_;
    if (u == "m/s") return length_ / time_;
    if (u == "Pa") return pressure_;
    return 1.0;
  }

  const TirEntry* text_of(const char* name) {
    const TirEntry* e = file_.find(name);
    if (e) read_.insert(e->line);
    return e;
  }
  double number_of(const TirEntry& e) {
    read_.insert(e.line);
    if (!e.is_number)
      throw ModelError(file_.at(e.line), fmt::format("{} is \"{}\", but should be a number.", e.name, e.text),
                       "Write a number such as 1.5e-3.");
    return e.number;
  }
  int integer_of(const TirEntry& e) {
    const double x = number_of(e);
    if (x != std::floor(x) || std::abs(x) > 1000)
      throw ModelError(file_.at(e.line), fmt::format("{} is {}, but should be a whole number.", e.name, e.text),
                       "Check the file.");
    return static_cast<int>(x);
  }

  // PROPERTY_FILE_FORMAT tells PAC2002 of Adams from files of MF-Tyre, which have a FITTYP (MF_05 may be without).
  void kind() {
    const TirEntry* fit = file_.find("FITTYP");
    const TirEntry* format = text_of("PROPERTY_FILE_FORMAT");
    const std::string name = format ? capitals(format->text) : "";
    const auto take_as = [&](MagicForm form, const char* version) { out_.law.form = form, out_.version = version; };
    if (!fit) {
      if (name == "PAC2002") return take_as(MagicForm::pac2002, "PAC2002");
      if (name == "MF_05") return take_as(MagicForm::mf52, "MF 5.2");
      throw ModelError(
          file_.at(format ? format->line : 0),
          format ? fmt::format("PROPERTY_FILE_FORMAT is \"{}\", and there is no FITTYP.", format->text)
                 : std::string("FITTYP is missing, and PROPERTY_FILE_FORMAT is not PAC2002."),
          "Files of PAC2002, of MF-Tyre 5.2 (FITTYP 5, 6, 21, 51 or 52) and of 6.1 (FITTYP 60, 61 or 62) are read.");
    }
    const int type = integer_of(*fit);
    if (type == 60 || type == 61 || type == 62) {
      take_as(MagicForm::mf61, "MF 6.1");
    } else if (type == 5 || type == 6 || type == 21 || type == 51 || type == 52) {
      name == "PAC2002" ? take_as(MagicForm::pac2002, "PAC2002") : take_as(MagicForm::mf52, "MF 5.2");
    } else {
      throw ModelError(file_.at(fit->line), fmt::format("FITTYP is {}, which is not known.", type),
                       "Known: 5, 6, 21, 51, 52 (MF-Tyre 5.2) and 60, 61, 62 (6.1).");
    }
    if (type == 62) out_.notes.emplace_back("FITTYP 62 is read as 61");
  }

  // Under its name, or under the one that another program gives it.
  const TirEntry* find(std::string_view name) const {
    const TirEntry* found = file_.find(name);
    for (const MagicAlias& alias : magic_aliases()) {
      const TirEntry* other = alias.name == name ? file_.find(alias.other) : nullptr;
      if (!other) continue;
      if (found)
        throw ModelError(file_.at(other->line),
                         fmt::format("{} says the same as {} at line {}.", other->name, found->name, found->line),
                         "Remove one of the two: which is meant cannot be told.");
      found = other;
    }
    return found;
  }

  // Coefficients that a file of its kind seldom or never has.
  bool is_optional(const MagicEntry& entry) const {
    const std::string_view name = entry.name, section = entry.section;
    if (section == "VERTICAL" && name.starts_with('Q')) return true;
    if (name == "LIP" || name == "QBZ6") return true;
    return out_.law.form != MagicForm::mf61 && (name.starts_with("PP") || section == "STRUCTURAL");
  }
  void take(const MagicEntry& entry) {
    const TirEntry* e = find(entry.name);
    if (!e) {
      if (!is_optional(entry)) out_.defaults.emplace_back(entry.name);
      return;
    }
    const double x = number_of(*e) * si(entry.unit);
    if (!std::isfinite(x))
      throw ModelError(file_.at(e->line), fmt::format("{} is too large.", e->name), "Check its unit.");
    c().*entry.value = x;
  }

  // What a file has of the other form.
  void without_effect() {
    const bool is_61 = out_.law.form == MagicForm::mf61;
    const bool by_carcass = c().stiffness_x > 0.0 && c().stiffness_y > 0.0, by_pt = c().ptx1 != 0.0 && c().pty1 != 0.0;
    std::string names;
    for (const MagicEntry& entry : magic_entries()) {
      const std::string_view name = entry.name;
      const bool is_silent =
          is_61 ? name.starts_with("LGA") || name == "PHY3" || (by_carcass && name.starts_with("PT"))
                : name == "PKY6" || name == "PKY7" || name == "PPY5" || (by_pt && name.starts_with("PCF"));
      const double x = c().*entry.value;
      if (is_silent && x != MagicCoefficients{}.*entry.value) names += (names.empty() ? "" : ", ") + std::string(name);
    }
    if (!names.empty()) out_.notes.push_back(fmt::format("without effect in {}: {}", out_.version, names));
  }

  void mode() {
    if (const TirEntry* e = file_.find("USE_MODE")) {
      const int mode = integer_of(*e);
      out_.use_mode = std::abs(mode);
      out_.law.mirrored = mode < 0;
      const int kind = out_.use_mode % 10;
      if (kind > 5)
        throw ModelError(file_.at(e->line), fmt::format("USE_MODE is {}, which is not known.", mode),
                         "Known: a last digit of 0 to 5; tens and hundreds, of relaxation and road contact, do not "
                         "count; negative where mirrored.");
      if (out_.use_mode > 25)
        out_.notes.push_back(
            fmt::format("of USE_MODE {} only the last digit counts: rigid ring and road contact are not", mode));
      if (kind == 5) out_.notes.emplace_back("USE_MODE 5 asks for turn slip, which is off: it is read as 4");
      out_.law.drives_x = kind != 0 && kind != 2;
      out_.law.drives_y = kind >= 2;
      out_.law.combined = kind >= 4;
    }
    if (const TirEntry* e = text_of("TYRESIDE")) {
      out_.side = capitals(e->text);
      if (out_.side == "SYMMETRICAL") out_.side = "SYMMETRIC";
      if (out_.side == "UNKNOWN") {
        out_.notes.emplace_back("TYRESIDE is unknown: the tyre is not mirrored on either side");
        out_.side = "SYMMETRIC";
      }
      if (out_.side != "LEFT" && out_.side != "RIGHT" && out_.side != "SYMMETRIC")
        throw ModelError(file_.at(e->line), fmt::format("TYRESIDE is \"{}\".", e->text),
                         "Write LEFT, RIGHT or SYMMETRIC.");
    }
  }

  void must(const char* name, bool ok, const char* what) {
    if (ok) return;
    const TirEntry* e = find(name);
    throw ModelError(file_.at(e ? e->line : 0), fmt::format("{} {}", e ? e->name : name, e ? what : "is missing."),
                     "The Magic Formula needs it.");
  }
  void require() {
    must("UNLOADED_RADIUS", c().radius > 0.0, "is not above zero.");
    must("FNOMIN", c().nominal_load > 0.0, "is not above zero.");
    must("LFZO", c().lfzo > 0.0, "is not above zero.");
    must("LONGVL", c().nominal_speed > 0.0, "is not above zero.");
    if (c().qfz1 <= 0.0) must("VERTICAL_STIFFNESS", c().stiffness > 0.0, "is not above zero.");
    must("VERTICAL_DAMPING", c().damping >= 0.0, "is below zero.");
    must("QRE0", c().qre0 > 0.0, "is not above zero.");
    const double told = c().stiffness * c().radius / c().nominal_load;
    if (c().qfz1 <= 0.0 && c().qfz2 != 0.0)
      must("QFZ2", told * told > 4.0 * c().qfz2, "is more than the vertical stiffness allows: (k R0/Fz0)^2 / 4.");
    if (out_.law.drives_x) {
      must("PCX1", c().pcx1 * c().lcx > 0.0, "is not above zero.");
      must("PDX1", c().pdx1 * c().lmux > 0.0, "is not above zero.");
      must("PKX1", c().pkx1 * c().lkx > 0.0, "is not above zero.");
    }
    if (out_.law.drives_y) {
      must("PCY1", c().pcy1 * c().lcy > 0.0, "is not above zero.");
      must("LMUY", c().lmuy > 0.0, "is not above zero.");
      must("PDY1", c().pdy1 != 0.0, "is zero.");
      if (c().pdy1 < 0.0)
        out_.notes.emplace_back(
            "PDY1 is below zero, as in older files: it gives the same curve as above, but for RVY1 to RVY6");
      must("PKY1", c().pky1 * c().lky < 0.0,
           "is not below zero: forces against sliding have it so in the axes of these files.");
      must("PKY2", c().pky2 > 0.0, "is not above zero.");
    }
    if (c().pty1 != 0.0) must("PTY2", c().pty2 > 0.0, "is not above zero.");
  }
  void ranges() {
    const auto check = [&](const char* name, double low, double high) {
      must(name, low < high, "ends before it begins.");
    };
    check("KPUMAX", c().kappa_min, c().kappa_max);
    check("ALPMAX", c().alpha_min, c().alpha_max);
    check("CAMMAX", c().camber_min, c().camber_max);
    // A range of loads that begins at zero would hold the forces of no load.
    c().load_min = std::max(c().load_min, 0.01 * c().nominal_load);
    check("FZMAX", c().load_min, c().load_max);
  }

  const TirFile& file_;
  MagicTyre out_;
  std::set<int> read_;  // lines
  double length_ = 1, force_ = 1, angle_ = 1, time_ = 1, pressure_ = 1;
};

}  // namespace

MagicTyre magic_tyre(const TirFile& file) { return Reader(file).read(); }

std::string tir_text(const MagicTyre& tyre) {
  std::string out =
      "[MDI_HEADER]\nFILE_TYPE = 'tir'\nFILE_FORMAT = 'ASCII'\n"
      "[UNITS]\nLENGTH = 'meter'\nFORCE = 'newton'\nANGLE = 'radians'\nMASS = 'kg'\nTIME = 'second'\n[MODEL]\n";
  if (tyre.law.form == MagicForm::pac2002)
    out += "PROPERTY_FILE_FORMAT = 'PAC2002'\n";
  else
    out += fmt::format("FITTYP = {}\n", tyre.law.form == MagicForm::mf61 ? 61 : 52);
  out += fmt::format("USE_MODE = {}\nTYRESIDE = '{}'\n", tyre.law.mirrored ? -tyre.use_mode : tyre.use_mode, tyre.side);
  std::string section = "MODEL";
  for (const MagicEntry& entry : magic_entries()) {
    if (section != entry.section) out += fmt::format("[{}]\n", section = entry.section);
    out += fmt::format("{} = {}\n", entry.name, tyre.law.c.*entry.value);
  }
  return out;
}

}  // namespace skyhook::element::tyre
