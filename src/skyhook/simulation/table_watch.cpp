#include "skyhook/simulation/table_watch.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/formalism/contacts.h"
#include "skyhook/formalism/frame.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/model/surface.h"

namespace skyhook::simulation {
namespace {

const model::Curve* profile_of(const model::Contribution& contact) {
  return contact.row->surface ? contact.row->surface->profile() : nullptr;
}

// Of the point at `to`, along the x axis of `from`.
double way_of(const model::Contribution& contact, const Snapshot& s) {
  const formalism::Frame from = frame_of(s.equations(), contact.from), to = frame_of(s.equations(), contact.to);
  return transpose_times(axes_of(s, from), span_between(s, from, to)).x;
}

// "ends, at x = 1 m with a slope of -0.5", of the end that is within `reach` of x.
std::string held_end(const model::Curve& profile, double x, double reach) {
  const MonotoneCubic& table = *profile.table();
  const double inside = 1e-9 * (table.last() - table.first());
  for (const bool is_last : {false, true}) {
    const double end = is_last ? table.last() : table.first();
    const double slope = table.derivative(is_last ? end - inside : end + inside);
    if (std::abs(x - end) > reach || std::abs(slope) < 1e-6) continue;
    return fmt::format("{}, at x = {:.6g} m with a slope of {:.3g}", is_last ? "ends" : "begins", end, slope);
  }
  return {};
}

}  // namespace

TableWatch::TableWatch(const Equations& eq) {
  const auto has_tables = [this](const auto* law, const auto& anywhere) {
    looks_.clear();
    if (law) law->look(anywhere, looks_);
    return !looks_.empty();
  };
  const formalism::Parts& parts = eq.parts();
  for (std::size_t i = 0; i < parts.wrenches.size(); ++i) {
    const auto* law = dynamic_cast<const model::Tabulated*>(parts.wrenches[i].law.get());
    if (has_tables(law, model::Relative<double>{}))
      items_.push_back({parts.wrenches[i].what, i, law, nullptr, nullptr});
  }
  for (std::size_t i = 0; i < parts.on_coordinates.size(); ++i) {
    const model::Contribution* force = parts.on_coordinates[i].what;
    const auto* law = dynamic_cast<const model::TabulatedCoordinate*>(force->coordinate.get());
    if (has_tables(law, model::Stroke<double>{})) items_.push_back({force, i, nullptr, law, nullptr});
  }
  for (std::size_t i = 0; i < parts.laws.size(); ++i) {  // which has tables is seen where it is
    const model::Contribution* force = parts.laws[i].what;
    if (const auto* law = dynamic_cast<const model::TabulatedLoads*>(force->law.get()))
      items_.push_back({force, i, nullptr, nullptr, law});
  }
  for (std::size_t k = 0; k < parts.contacts.size(); ++k) {
    const model::Curve* profile = profile_of(*parts.contacts[k]);
    if (profile && profile->table()) profiles_.push_back(static_cast<int>(k));
  }
  const auto& signals = eq.model().continuous;
  for (std::size_t i = 0; i + 1 < signals.size(); ++i) {  // a limited one stands behind what is asked of it
    if (signals[i].name == signals[i + 1].name + ".asked") limited_.push_back({&signals[i + 1], i, i + 1});
  }
}

void TableWatch::look(const Snapshot& s, TableExcursions& excursions) {
  const auto note = [&](const std::string& name, const Location& where) {
    excursions.add("force", name, where, looks_, s.t);
  };
  for (const Item& item : items_) {
    looks_.clear();
    if (item.between) item.between->look(s.relatives[item.number], looks_);
    if (item.along) item.along->look(s.stroke_of(item.number), looks_);
    if (item.whole) item.whole->look(s.input_of(item.number), looks_);
    note(item.force->name, item.force->where);
  }
  for (const int k : profiles_) {
    const model::Contribution& contact = *s.equations().parts().contacts[static_cast<std::size_t>(k)];
    looks_.clear();
    add_look(*profile_of(contact), "profile", "x", "m", way_of(contact, s), looks_);
    note(contact.name, contact.where);
  }
  for (const Limited& signal : limited_) {
    const double asked = s.signals[signal.asked], limit = std::abs(s.signals[signal.given]);
    if (std::abs(asked) <= limit) continue;
    looks_.assign(1, {"limit", "value asked", signal.what->unit.c_str(), asked, -limit, limit, model::Beyond::unsaid,
                      "range", "it is held at its limit"});
    excursions.add("signal", signal.what->name, signal.what->where, looks_, s.t);
  }
}

std::string TableWatch::touched_corner(const Snapshot& s) const {
  if (profiles_.empty()) return {};
  const Equations& eq = s.equations();
  const double near = 1e-5 * formalism::characteristic_length(eq.model());
  for (const int k : profiles_) {
    const model::Contribution& contact = *eq.parts().contacts[static_cast<std::size_t>(k)];
    const model::Curve& profile = *profile_of(contact);
    if (profile.beyond() != model::Beyond::hold || formalism::gap_of(s, k).gap > near) continue;
    const std::string end = held_end(profile, way_of(contact, s), contact.row->radius + near);
    if (end.empty()) continue;
    return fmt::format(
        "Contact \"{}\" touches its profile where its table {}: `beyond: hold` makes a corner there, over which no "
        "smooth "
        "motion leads. Say `beyond: straight`, or let the table end level.",
        contact.name, end);
  }
  return {};
}

}  // namespace skyhook::simulation
