#include "skyhook/simulation/table_watch.h"

namespace skyhook::simulation {
namespace {

// Of the point at `to`, along the x axis of `from`.
double way_of(const model::Contact& contact, const Snapshot& s) {
  const auto& tree = s.equations().tree();
  const auto from = tree.place(contact.from.body, contact.from.at, contact.from.axes);
  const auto to = tree.place(contact.to.body, contact.to.at, contact.to.axes);
  const auto &a = s.nodes[from.node], &b = s.nodes[to.node];
  return transpose_times(a.R * from.axes, b.p + b.R * to.r - a.p - a.R * from.r).x;
}

}  // namespace

TableWatch::TableWatch(const Equations& eq) {
  const auto has_tables = [this](const auto* law, const auto& anywhere) {
    looks_.clear();
    if (law) law->look(anywhere, looks_);
    return !looks_.empty();
  };
  for (std::size_t i = 0; i < eq.forces().size(); ++i) {
    const auto* law = dynamic_cast<const model::Tabulated*>(eq.forces()[i].law.get());
    if (has_tables(law, model::Relative<double>{})) items_.push_back({eq.forces()[i].force, i, law, nullptr});
  }
  for (std::size_t i = 0; i < eq.coordinate_forces().size(); ++i) {
    const model::Force* force = eq.coordinate_forces()[i].force;
    const auto* law = dynamic_cast<const model::TabulatedCoordinate*>(force->coordinate.get());
    if (has_tables(law, model::Stroke<double>{})) items_.push_back({force, i, nullptr, law});
  }
  for (const model::Contact& contact : eq.model().contacts) {
    if (contact.profile && contact.profile->table()) profiles_.push_back(&contact);
  }
}

void TableWatch::look(const Snapshot& s, TableExcursions& excursions) {
  const auto note = [&](const std::string& name, const Location& where) {
    excursions.add("force", name, where, looks_, s.t);
  };
  for (const Item& item : items_) {
    looks_.clear();
    if (item.between) item.between->look(s.relatives[item.number], looks_);
    if (item.along) {
      const auto& c = s.equations().coordinate_forces()[item.number];
      item.along->look({s.q[c.iq] + c.reference, s.v[c.iv], s.t, {}}, looks_);
    }
    note(item.force->name, item.force->where);
  }
  for (const model::Contact* contact : profiles_) {
    looks_.clear();
    add_look(*contact->profile, "profile", "x", "m", way_of(*contact, s), looks_);
    note(contact->name, contact->where);
  }
}

}  // namespace skyhook::simulation
