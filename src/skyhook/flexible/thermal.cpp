#include "skyhook/flexible/thermal.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/flexible/beam_element.h"
#include "skyhook/flexible/plate_element.h"

namespace skyhook::flexible {
namespace {

enum class Warm { all_over, along_y, along_z };

struct Heated {
  std::string name;
  Warm heat = Warm::all_over;
};

std::vector<std::string> names_of(const FeModel& part) {
  std::vector<std::string> names;
  const auto add = [&](const auto& spans) {
    for (const auto& span : spans) {
      if (std::ranges::count(names, span.name) == 0) names.push_back(span.name);
    }
  };
  add(part.beams), add(part.plates);
  return names;
}

Heated heated(const FeModel& part, const std::string& text, const Location& where) {
  const std::vector<std::string> all_names = names_of(part);
  Heated h{text};
  if (std::ranges::count(all_names, text) > 0) return h;
  if (text.ends_with(".y") || text.ends_with(".z")) {
    h = {text.substr(0, text.size() - 2), text.back() == 'y' ? Warm::along_y : Warm::along_z};
    if (std::ranges::count(all_names, h.name) > 0) return h;
  }
  throw ModelError(where, fmt::format("thermal: there is no beam or plate \"{}\".", text),
                   suggest(text, all_names, "Beams and plates"));
}

// Of a beam whose strain by heat is 1, or that would bend by a curvature of 1: the forces that stretch or bend it so.
Eigen::Matrix<double, 12, 1> beam_load(const BeamSpan& b, Warm heat) {
  Eigen::Matrix<double, 12, 1> f = Eigen::Matrix<double, 12, 1>::Zero();
  const int line = heat == Warm::all_over ? 0 : heat == Warm::along_y ? 5 : 4;
  const double size = heat == Warm::all_over ? b.axial : heat == Warm::along_y ? b.bending_y : b.bending_z;
  f[line] = -size, f[6 + line] = size;
  return f;
}

template <class Nodes>
void spread_load(const FeModel& part, const Nodes& nodes, const Column& load, Eigen::Ref<Column> out) {
  int row = 0;
  for (const int n : nodes) {
    for (const int d : part.nodes[static_cast<std::size_t>(n)].dof) out[d] += load[row++];
  }
}

}  // namespace

Dense thermal_loads(const FeModel& part, const std::vector<std::string>& names, const Location& where) {
  Dense loads = Dense::Zero(part.dofs, static_cast<int>(names.size()));
  for (std::size_t c = 0; c < names.size(); ++c) {
    const Heated h = heated(part, names[c], where);
    for (const BeamSpan& b : part.beams) {
      if (b.name == h.name)
        spread_load(part, std::array{b.from, b.to}, to_beam_axes(b).transpose() * beam_load(b, h.heat),
                    loads.col(static_cast<int>(c)));
    }
    for (const PlateSpan& p : part.plates) {
      if (p.name != h.name) continue;
      if (h.heat == Warm::along_y)
        throw ModelError(where, fmt::format("thermal: \"{}\" is a plate, which is warm all over or along z.", h.name));
      spread_load(part, p.nodes, to_plate_axes(p).transpose() * plate_thermal_load(p, h.heat == Warm::along_z),
                  loads.col(static_cast<int>(c)));
    }
  }
  return loads;
}

Column heat_forces(const FeModel& part, const BeamSpan& beam, const std::vector<Heat>& heats, const Location& where) {
  Column f = Column::Zero(12);
  for (const Heat& heat : heats) {
    const Heated h = heated(part, heat.name, where);
    if (h.name == beam.name) f += heat.strain * beam_load(beam, h.heat);
  }
  return f;
}

Column heat_stresses(const FeModel& part, const PlateSpan& plate, const std::vector<Heat>& heats,
                     const Location& where) {
  Column stress = Column::Zero(6);
  for (const Heat& heat : heats) {
    const Heated h = heated(part, heat.name, where);
    if (h.name != plate.name) continue;
    const double side = h.heat == Warm::along_z ? plate.thickness / 2 : 1.0;
    const double held = plate_held_stress(plate) * heat.strain;
    stress.head(2).array() += held * side,
        stress.segment(3, 2).array() += held * (h.heat == Warm::along_z ? -side : 1.0);
  }
  return stress;
}

}  // namespace skyhook::flexible
