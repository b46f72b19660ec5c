#include <fmt/format.h>

#include <numbers>

#include "model_commands.h"
#include "refuse.h"
#include "screen.h"
#include "skyhook/base/table.h"
#include "skyhook/element/tyre/magic_tyre.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/io/plot/from_tyre.h"
#include "skyhook/io/plot/terminal.h"
#include "skyhook/model/contribution.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

using element::tyre::Characteristic;
using io::plot::TyreCurve, io::plot::TyreNumbers, io::plot::TyreRange;

constexpr double degree = std::numbers::pi / 180;

struct OfFile : Characteristic {
  element::tyre::MagicTyre tyre;
  element::tyre::ContactForce<double> force(const element::tyre::Slip<double>& s) const override { return tyre.law(s); }
  double usual_load() const override { return tyre.law.c.nominal_load; }
};

// A tyre, and what keeps it alive.
struct Chosen {
  std::shared_ptr<const Characteristic> tyre;
  const element::tyre::MagicTyre* file = nullptr;
  std::string title;
};

Chosen from_file(const std::string& path) {
  auto out = std::make_shared<OfFile>();
  out->tyre =
      element::tyre::magic_tyre(element::tyre::parse_tir(element::tyre::read_tir_text(path, {path, 0, 0}), path));
  const element::tyre::MagicTyre* file = &out->tyre;
  return {out, file, path};
}

Chosen from_model(const TyreCommand& o) {
  const model::Model m = read(o, "");
  std::vector<std::string> names;
  Chosen out;
  for (const model::Contribution& c : m.contributions) {
    const auto tyre = std::dynamic_pointer_cast<const Characteristic>(c.law);
    if (!tyre) continue;
    names.push_back(c.name);
    if (o.name.empty() ? !out.tyre : c.name == o.name) out = {tyre, nullptr, o.model + ": " + c.name};
  }
  if (names.empty()) refuse(o.model + " has no tyre with a law of slip.", "See `skyhook elements` for tyres.");
  if (!out.tyre) refuse("There is no tyre \"" + o.name + "\".", suggest(o.name, names, "Tyres"));
  return out;
}

TyreRange range_of(const TyreCommand& o, const Characteristic& tyre) {
  TyreRange range;
  for (const double load : o.loads) {
    if (!(load > 0)) refuse(fmt::format("--load is {:.6g} N.", load), "A tyre carries loads above zero.");
    range.loads.push_back(load);
  }
  if (range.loads.empty()) range.loads = {0.5 * tyre.usual_load(), tyre.usual_load(), 1.5 * tyre.usual_load()};
  range.cambers.clear();
  for (const double camber : o.cambers) {
    if (!(std::abs(camber) < 80)) refuse(fmt::format("--camber is {:.6g} deg.", camber), "Give less than 80 degrees.");
    range.cambers.push_back(camber * degree);
  }
  if (range.cambers.empty()) range.cambers = {0};
  if (!(o.friction > 0)) refuse("--friction must be above zero.", "1 is the road of the measurements.");
  range.friction = o.friction;
  return range;
}

Table numbers_table(const Characteristic& tyre, const TyreRange& range) {
  Table t;
  for (const auto& [name, unit] : {std::pair{"load", "N"},
                                   {"slip_stiffness", "N"},
                                   {"cornering_stiffness", "N/rad"},
                                   {"camber_stiffness", "N/rad"},
                                   {"trail", "m"},
                                   {"largest_fx", "N"},
                                   {"at_kappa", ""},
                                   {"largest_fy", "N"},
                                   {"at_alpha", "deg"}})
    t.add_column(name, unit, 5);
  for (const double load : range.loads) {
    const TyreNumbers n = tyre_numbers(tyre, load, range);
    t.add_row({n.load, n.slip_stiffness, n.cornering_stiffness, n.camber_stiffness, n.trail, n.peak_x, n.peak_kappa,
               n.peak_y, n.peak_alpha / degree});
  }
  return t;
}

// All points of all curves.
Table points_table(const std::vector<TyreCurve>& curves) {
  Table t;
  for (const auto& [name, unit] :
       {std::pair{"curve", ""}, {"load", "N"}, {"camber", "deg"}, {"alpha", "deg"}, {"x", ""}, {"y", ""}})
    t.add_column(name, unit);
  for (const TyreCurve& c : curves) {
    for (std::size_t i = 0; i < c.x.size(); ++i)
      t.add_row({c.kind, c.load, c.camber / degree, c.alpha / degree, c.x[i], c.y[i]});
  }
  return t;
}

void tell_of_file(const element::tyre::MagicTyre& f) {
  const auto& c = f.law.c;
  fmt::print("{}, TYRESIDE {}, USE_MODE {}{}, unloaded radius {:.6g} m, nominal load {:.6g} N\n", f.version, f.side,
             f.law.mirrored ? "-" : "", f.use_mode, c.radius, c.nominal_load);
  if (f.law.has_lengths()) {
    const auto sigma = f.law.lengths(c.nominal_load, 0.0);
    fmt::print("relaxation lengths at the nominal load: {:.4g} m along, {:.4g} m across\n", sigma.u, sigma.v);
  } else {
    fmt::print("no relaxation lengths\n");
  }
  for (const std::string& note : f.notes) fmt::print("note: {}\n", note);
  if (!f.unused.empty()) fmt::print("not used: {}\n", fmt::join(f.unused, ", "));
  if (!f.defaults.empty())
    fmt::print("not in the file, so 0 (scale factors 1, others their defaults): {}\n", fmt::join(f.defaults, ", "));
  fmt::print("\n");
}

}  // namespace

int tyre(const TyreCommand& o) {
  check_writable(o.out);
  keep_inputs({o.out, o.csv}, {o.model});
  const bool is_file = o.model.size() > 4 && (o.model.ends_with(".tir") || o.model.ends_with(".TIR"));
  if (is_file && !o.name.empty()) refuse("A tyre property file has one tyre.", "Leave out \"" + o.name + "\".");
  const Chosen chosen = is_file ? from_file(o.model) : from_model(o);
  const TyreRange range = range_of(o, *chosen.tyre);
  const std::vector<TyreCurve> curves = tyre_curves(*chosen.tyre, range);
  const Table numbers = numbers_table(*chosen.tyre, range);
  if (o.json) {
    std::string text = fmt::format("{{\"tyre\": {}, \"numbers\": {}, \"points\": {}", json_string(chosen.title),
                                   numbers.to_json(), points_table(curves).to_json());
    if (chosen.file)
      text += fmt::format(", \"unused\": {}, \"defaults\": {}, \"notes\": {}", json_list(chosen.file->unused),
                          json_list(chosen.file->defaults), json_list(chosen.file->notes));
    print_data(text + "}\n");
  } else {
    if (chosen.file) tell_of_file(*chosen.file);
    fmt::print("{}", numbers.to_text());
  }
  if (!o.csv.empty()) write_text(o.csv, points_table(curves).to_csv());
  const io::plot::Figure figure = figure_of(curves, chosen.title);
  if (!o.out.empty()) io::plot::write_figure(figure, {.width = 900, .height = 1400}, o.out);
  if (o.terminal) print_control(stdout, io::plot::to_terminal(figure, screen_of_terminal(figure.panels.size())));
  return success;
}

}  // namespace skyhook::app
