#include "skyhook/element/force/tyre_magic_formula.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "skyhook/element/tyre/build_tyre.h"
#include "skyhook/element/tyre/magic_tyre.h"

namespace skyhook::element {
namespace {

void warn(const model::FieldSource& source, const tyre::MagicTyre& tyre, bool relaxes, model::Model& model) {
  std::vector<std::string> notes = tyre.notes;
  if (relaxes && !tyre.law.has_lengths())
    notes.emplace_back("it has no relaxation lengths (PTX1, PTY1, or stiffnesses): slip follows at once");
  if (!tyre.unused.empty()) notes.push_back(fmt::format("not used: {}", fmt::join(tyre.unused, ", ")));
  for (const std::string& note : notes)
    model.warnings.push_back({"tyre_file", source.where("file"),
                              fmt::format("\"{}\": tyre property file: {}.", source.name(), note),
                              "`skyhook tyre` shows what of the file is used."});
}

// A car has four tyres of one file: it is understood once.
const tyre::MagicTyre& tyre_of(const model::TextFile& file) {
  struct Last {
    std::string text, path;
    tyre::MagicTyre tyre;
  };
  thread_local std::optional<Last> last;
  if (!last || last->path != file.path || last->text != file.text) {
    last.reset();
    last = Last{file.text, file.path, magic_tyre(tyre::parse_tir(file.text, file.path))};
  }
  return last->tyre;
}

}  // namespace

void TyreMagicFormula::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source, model);
  if (std::abs(side) != 1.0) fail(source, "side", "side is neither 1 nor -1.", "Write 1 (left) or -1 (right).");
  tyre::MagicTyre read = tyre_of(file);
  if (pressure) {
    read.law.c.pressure = *pressure;
    if (!(read.law.c.nominal_pressure > 0.0))
      fail(source, "pressure", "the file has no NOMPRES (or IP_NOM) that the pressure could be compared with.",
           "Remove it.");
  }
  warn(source, read, relaxation, model);
  const bool stands_left = side > 0.0;
  if (read.side != "SYMMETRIC" && (read.side == "LEFT") != stands_left) read.law.mirrored = !read.law.mirrored;
  const tyre::Displaced<double> limits = read.law.limits();
  tyre::Wheel<tyre::MagicFormula> wheel = wheel_of(*this, source, model, read.law, {limits.u, limits.v});
  wheel.vertical = read.law.vertical();
  wheel.rolling = read.law.rolling();
  wheel.usual_load = read.law.c.nominal_load;
  if (relaxation && read.law.has_lengths()) wheel.lengths = read.law.lengths(read.law.c.nominal_load, 0.0);
  model.contributions.push_back(
      contribution(pair, source, std::make_shared<tyre::TyreLaw<tyre::MagicFormula>>(std::move(wheel))));
}

}  // namespace skyhook::element
