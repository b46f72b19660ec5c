#include "skyhook/simulation/switching_laws.h"

#include "skyhook/model/contribution.h"

namespace skyhook::simulation {

SwitchingLaws::SwitchingLaws(const Equations& eq, double tolerance) {
  const auto& forces = eq.model().contributions;
  for (int k = 0; k < static_cast<int>(forces.size()); ++k) {
    const bool has_events = forces[k].events || tolerance < least_quiet;
    for (int i = 0; i < static_cast<int>(eq.forces().size()); ++i) {
      const auto& item = eq.forces()[i];
      if (item.force != &forces[k]) continue;
      if (const auto* law = dynamic_cast<const model::Switching*>(item.law.get()))
        add(has_events, {k, i, law, nullptr, nullptr, forces[k].name});
    }
    for (int i = 0; i < static_cast<int>(eq.coordinate_forces().size()); ++i) {
      const auto& item = eq.coordinate_forces()[i];
      if (item.force != &forces[k]) continue;
      if (const auto* law = dynamic_cast<const model::SwitchingCoordinate*>(item.force->coordinate.get()))
        add(has_events, {k, i, nullptr, law, nullptr, forces[k].name});
    }
    for (int i = 0; i < static_cast<int>(eq.contributions().size()); ++i) {
      const auto& item = eq.contributions()[i];
      if (item.what != &forces[k]) continue;
      if (const auto* law = dynamic_cast<const model::SwitchingLaw*>(forces[k].law.get()))
        laws_.push_back({k, i, nullptr, nullptr, law, forces[k].name});
    }
  }
}

void SwitchingLaws::add(bool has_events, Law law) { (has_events ? laws_ : quiet_).push_back(std::move(law)); }

model::Stroke<double> SwitchingLaws::stroke(const Law& law, const Snapshot& s) {
  const auto& item = s.equations().coordinate_forces()[law.item];
  return {s.q[item.iq] + item.reference, s.v[item.iv], s.t, s.equations().setting(*item.force)};
}

// With its mode: its unknowns are those of the snapshot.
model::LoadInput<double> SwitchingLaws::input(const Law& law, const Snapshot& s) {
  const auto& item = s.equations().contributions()[law.item];
  const auto& now = s.contributions[law.item];
  const auto c = CSpan(s.v).subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.states));
  return {now.motion, c, now.w, now.s, now.p, now.p_rate};
}

void SwitchingLaws::values(const Snapshot& s, Span z) const {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Law& law = laws_[k];
    z[k] = law.between ? law.between->watch(s.relatives[law.item])
           : law.along ? law.along->watch(stroke(law, s))
                       : law.whole->watch(input(law, s));
  }
}

void SwitchingLaws::quiet_values(const Snapshot& s, double margin, Span z) const {
  constexpr int silent = 1;
  for (std::size_t k = 0; k < quiet_.size(); ++k) {
    const Law& law = quiet_[k];
    if (law.between) {
      model::Relative<double> motion = s.relatives[law.item];
      motion.set.mode = silent;
      z[k] = law.between->watch(motion) + margin;
    } else {
      model::Stroke<double> motion = stroke(law, s);
      motion.set.mode = silent;
      z[k] = law.along->watch(motion) + margin;
    }
  }
}

int SwitchingLaws::first_mode(int k, const Snapshot& s) const {
  const Law& law = laws_[k];
  if (law.whole) return law.whole->first_mode(input(law, s));
  return law.between ? law.between->first_mode(s.relatives[law.item]) : law.along->first_mode(stroke(law, s));
}

int SwitchingLaws::next_mode(int k, const Snapshot& s) const {
  const Law& law = laws_[k];
  if (law.whole) return law.whole->next_mode(input(law, s));
  return law.between ? law.between->next_mode(s.relatives[law.item]) : law.along->next_mode(stroke(law, s));
}

std::string SwitchingLaws::event(int k, int from, int to) const {
  const Law& law = laws_[k];
  if (law.whole) return law.whole->event(from, to);
  return law.between ? law.between->event(from, to) : law.along->event(from, to);
}

}  // namespace skyhook::simulation
