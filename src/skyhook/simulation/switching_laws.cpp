#include "skyhook/simulation/switching_laws.h"

#include "skyhook/formalism/parts.h"
#include "skyhook/model/contribution.h"

namespace skyhook::simulation {

SwitchingLaws::SwitchingLaws(const Equations& eq, double tolerance) {
  const auto& forces = eq.model().contributions;
  for (int k = 0; k < static_cast<int>(forces.size()); ++k) {
    const bool has_events = forces[k].events || tolerance < least_quiet;
    for (int i = 0; i < static_cast<int>(eq.parts().wrenches.size()); ++i) {
      const auto& item = eq.parts().wrenches[static_cast<std::size_t>(i)];
      if (item.what != &forces[k]) continue;
      if (const auto* law = dynamic_cast<const model::Switching*>(item.law.get()))
        add(has_events, {k, i, law, nullptr, nullptr, forces[k].name});
    }
    for (int i = 0; i < static_cast<int>(eq.parts().on_coordinates.size()); ++i) {
      const auto& item = eq.parts().on_coordinates[static_cast<std::size_t>(i)];
      if (item.what != &forces[k]) continue;
      if (const auto* law = dynamic_cast<const model::SwitchingCoordinate*>(item.what->coordinate.get()))
        add(has_events, {k, i, nullptr, law, nullptr, forces[k].name});
    }
    for (int i = 0; i < static_cast<int>(eq.parts().laws.size()); ++i) {
      if (eq.parts().laws[static_cast<std::size_t>(i)].what != &forces[k]) continue;
      if (const auto* law = dynamic_cast<const model::SwitchingLaw*>(forces[k].law.get()))
        laws_.push_back(
            {k, i, nullptr, nullptr, law, forces[k].name, dynamic_cast<const model::JumpingLaw*>(forces[k].law.get())});
    }
  }
  watched_.assign(forces.size() + 1, 0);
  for (const auto* list : {&laws_, &quiet_}) {
    for (const Law& law : *list) watched_[static_cast<std::size_t>(law.force)] = 1;
  }
}

void SwitchingLaws::add(bool has_events, Law law) { (has_events ? laws_ : quiet_).push_back(std::move(law)); }

model::Stroke<double> SwitchingLaws::stroke(const Law& law, const Snapshot& s) {
  return s.stroke_of(static_cast<std::size_t>(law.item));
}

// With its mode: its unknowns are those of the snapshot.
model::LoadInput<double> SwitchingLaws::input(const Law& law, const Snapshot& s) {
  return s.input_of(static_cast<std::size_t>(law.item));
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
