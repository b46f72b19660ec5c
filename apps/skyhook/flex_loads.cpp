#include "flex_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "refuse.h"
#include "skyhook/flexible/recovery.h"
#include "skyhook/io/flexible/text_table.h"
#include "skyhook/io/result/reader.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

using flexible::Dense;

struct History {
  std::vector<double> time;
  Dense z;  // modes x samples
};

History history_of(const std::string& file, const std::string& body, const model::ModalBody& modal) {
  const io::ResultFile result = io::ResultFile::open(file);
  History h{result.time(), Dense(modal.modes, static_cast<long>(result.samples()))};
  for (int k = 0; k < modal.modes; ++k) {
    const io::Series series = result.series(body + "." + modal.mode_names[static_cast<std::size_t>(k)]);
    for (std::size_t i = 0; i < series.values.size(); ++i) h.z(k, static_cast<long>(i)) = series.values[i];
  }
  const std::string next = fmt::format("{}.mode_{}", body, modal.modes + 1);
  if (std::ranges::any_of(result.states(), [&](const auto& s) { return s.name == next; }))
    refuse("the result has more modes of \"" + body + "\" than this reduction.",
           "Give the same mesh and the same options as for the run.");
  return h;
}

std::vector<const flexible::BeamSpan*> chosen(const flexible::FeModel& mesh, const std::string& beams) {
  std::vector<const flexible::BeamSpan*> out;
  std::vector<std::string> names;
  if (!beams.empty()) names = io::fe::split(beams, ',');
  for (const std::string& name : names) {
    const auto is_it = [&](const auto& b) { return b.name == name; };
    if (std::ranges::none_of(mesh.beams, is_it) && std::ranges::none_of(mesh.plates, is_it))
      refuse("there is no beam or plate \"" + name + "\".", "Names are those under `beams` and `plates`.");
  }
  for (const flexible::BeamSpan& b : mesh.beams) {
    if (names.empty() || std::ranges::count(names, b.name) > 0) out.push_back(&b);
  }
  return out;
}

// A table: time, and rows of values over it.
struct CsvTable {
  std::string head = "time [s]";
  Dense rows;
  void add(const std::vector<std::string>& names, const Dense& values) {
    for (const std::string& name : names) head += "," + name;
    const long before = rows.rows();
    rows.conservativeResize(before + values.rows(), values.cols());
    rows.bottomRows(values.rows()) = values;
  }
  std::string text(const std::vector<double>& time) const {
    std::string all = head + "\n";
    auto out = std::back_inserter(all);
    for (std::size_t i = 0; i < time.size(); ++i) {
      fmt::format_to(out, "{}", time[i]);
      for (long r = 0; r < rows.rows(); ++r) fmt::format_to(out, ",{:.9g}", rows(r, static_cast<long>(i)));
      all += "\n";
    }
    return all;
  }
};

using Heats = std::vector<flexible::Heat>;
const Location from_command_line{"command line"};

// Over time, without what heat makes of it.
Dense without_heat(const Dense& rows, const Dense& heat, const Dense& z) { return (rows * z).colwise() - heat.col(0); }

std::string csv_of(const History& h, const flexible::FeModel& mesh, const flexible::ReducedPart& part,
                   const std::string& beams, const Heats& heats) {
  CsvTable table;
  std::vector<std::string> modes;
  for (const std::string& name : part.body.mode_names) modes.push_back(name + " [m]");
  table.add(modes, h.z);
  std::map<std::string, int> elements;  // of each beam, counted
  for (const flexible::BeamSpan* b : chosen(mesh, beams)) {
    const flexible::SectionForces f = flexible::section_forces(mesh, *b, part.reduced.shapes);
    const flexible::SectionForces warm = flexible::section_forces_of_heat(mesh, *b, heats, from_command_line);
    const int element = ++elements[b->name];
    for (const auto& [node, forces, heat] :
         {std::tuple{b->from, &f.at_from, &warm.at_from}, std::tuple{b->to, &f.at_to, &warm.at_to}}) {
      std::vector<std::string> names;
      for (const char* what : {"N [N]", "Qy [N]", "Qz [N]", "Mx [N.m]", "My [N.m]", "Mz [N.m]"})
        names.push_back(fmt::format("{} element {} at {} {}", b->name, element,
                                    mesh.nodes[static_cast<std::size_t>(node)].name, what));
      table.add(names, without_heat(*forces, *heat, h.z));
    }
  }
  return table.text(h.time);
}

// Of normal stresses with one shear stress, the largest equivalent one.
Eigen::RowVectorXd mises_of_fibres(const Dense& s) {
  const long fibres = s.rows() - 1;
  return (s.topRows(fibres).cwiseAbs().colwise().maxCoeff().array().square() + 3 * s.row(fibres).array().square())
      .sqrt();
}

Eigen::RowVectorXd mises_of_plane(const Dense& s) {  // x, y, xy
  const auto x = s.row(0).array(), y = s.row(1).array(), xy = s.row(2).array();
  return (x * x - x * y + y * y + 3 * xy * xy).sqrt();
}

void add_beam_stresses(const History& h, const flexible::FeModel& mesh, const flexible::ReducedPart& part,
                       const flexible::BeamSpan& b, int element, const Heats& heats, CsvTable& table) {
  if (b.section.fibres.empty())
    refuse("beam \"" + b.name + "\" has a section that is given by its moments: where its fibres are is not known.",
           "Take its section forces (--loads), or name other beams by --beams.");
  const flexible::BeamStresses s = flexible::beam_stresses(mesh, b, part.reduced.shapes);
  const flexible::BeamStresses warm = flexible::beam_stresses_of_heat(mesh, b, heats, from_command_line);
  for (const auto& [node, rows, heat] :
       {std::tuple{b.from, &s.at_from, &warm.at_from}, std::tuple{b.to, &s.at_to, &warm.at_to}}) {
    const std::string place =
        fmt::format("{} element {} at {}", b.name, element, mesh.nodes[static_cast<std::size_t>(node)].name);
    std::vector<std::string> names;
    for (const auto& [y, z] : b.section.fibres)
      names.push_back(fmt::format("{} normal y={:.4g} z={:.4g} [Pa]", place, y, z));
    names.push_back(place + " torsion [Pa]");
    const Dense values = without_heat(*rows, *heat, h.z);
    table.add(names, values);
    table.add({place + " mises [Pa]"}, mises_of_fibres(values));
  }
}

void add_plate_stresses(const History& h, const flexible::FeModel& mesh, const flexible::ReducedPart& part,
                        const flexible::PlateSpan& p, int element, const Heats& heats, CsvTable& table) {
  const Dense values = without_heat(flexible::plate_stresses(mesh, p, part.reduced.shapes),
                                    flexible::heat_stresses(mesh, p, heats, from_command_line), h.z);
  for (const int side : {0, 1}) {
    const std::string place = fmt::format("{} element {} {}", p.name, element, side == 0 ? "above" : "below");
    const Dense own = values.middleRows(3 * side, 3);
    table.add({place + " x [Pa]", place + " y [Pa]", place + " xy [Pa]"}, own);
    table.add({place + " mises [Pa]"}, mises_of_plane(own));
  }
}

std::string stresses_of(const History& h, const flexible::FeModel& mesh, const flexible::ReducedPart& part,
                        const std::string& parts, const Heats& heats) {
  CsvTable table;
  std::map<std::string, int> elements;
  for (const flexible::BeamSpan* b : chosen(mesh, parts))
    add_beam_stresses(h, mesh, part, *b, ++elements[b->name], heats, table);
  const std::vector<std::string> names = parts.empty() ? std::vector<std::string>{} : io::fe::split(parts, ',');
  for (const flexible::PlateSpan& p : mesh.plates) {
    if (names.empty() || std::ranges::count(names, p.name) > 0)
      add_plate_stresses(h, mesh, part, p, ++elements[p.name], heats, table);
  }
  if (table.rows.rows() == 0)
    refuse("the part has neither beams nor plates of its own, whose stresses are known.",
           "Of a mesh of another program: --loads NAME.inp writes cards for CalculiX, which gives stresses.");
  return table.text(h.time);
}

// "bar.1" of beams and plates of a model, "1.1" and "inner 265" of nodes that ccx makes of shells, beams and C3D8I.
void refuse_names(const flexible::FeModel& mesh, const std::string& path) {
  const auto is_number = [](const std::string& name) {
    return name.find_first_not_of("0123456789") == std::string::npos;
  };
  for (const flexible::FeNode& n : mesh.nodes) {
    if (n.is_inner || !is_number(n.name))
      refuse(fmt::format("--loads {}: cards for CalculiX name nodes of its mesh by their numbers, and \"{}\" is none.",
                         path, n.name),
             "Take --loads NAME.csv, or a mesh of solids (C3D10, C3D20): of shells, beams and C3D8I ccx makes nodes of "
             "its own.");
  }
}

// An amplitude for each node and direction: ccx takes no second one there within a step. Times on both sides of an event are equal; an amplitude has them once.
std::string cards_of(const History& h, const flexible::FeModel& mesh, const flexible::ReducedPart& part) {
  std::string text =
                  "** Nodal loads of a run of Skyhook: the sum over shapes of amplitude times the forces that hold the "
                  "shape.\n",
              loads;
  auto out = std::back_inserter(text);
  const Dense forces = flexible::shape_forces(mesh, part.reduced.shapes);
  const double smallest = 1e-12 * forces.cwiseAbs().maxCoeff();
  for (const flexible::FeNode& n : mesh.nodes) {
    for (std::size_t i = 0; i < 6; ++i) {
      if (n.dof[i] < 0 || forces.row(n.dof[i]).cwiseAbs().maxCoeff() <= smallest) continue;
      fmt::format_to(out, "*AMPLITUDE, NAME=N{}_{}\n", n.name, i + 1);
      const Dense over_time = forces.row(n.dof[i]) * h.z;
      for (std::size_t s = 0; s < h.time.size(); ++s) {
        if (s == 0 || h.time[s] > h.time[s - 1])
          fmt::format_to(out, "{:.9g}, {:.9g}\n", h.time[s], over_time(0, static_cast<long>(s)));
      }
      loads += fmt::format("*CLOAD, AMPLITUDE=N{0}_{1}\n{0}, {1}, 1.\n", n.name, i + 1);
    }
  }
  const double span = h.time.back();
  fmt::format_to(out, "*STEP, INC=1000000\n*STATIC\n{:.9g}, {:.9g}\n", std::min(1.0, span), span);
  return text + loads + "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n";
}

}  // namespace

void write_loads(const std::string& result, const std::string& body, const flexible::FeModel& mesh,
                 const flexible::ReducedPart& part, const std::string& beams, const Heats& heats,
                 const std::string& path) {
  const bool is_csv = path.ends_with(".csv");
  if (!is_csv && !path.ends_with(".inp"))
    refuse("--loads " + path + " ends neither in .csv nor in .inp.", "A table, or cards for CalculiX.");
  if (!is_csv) refuse_names(mesh, path);
  check_writable(path);
  const History h = history_of(result, body, part.body);
  write_text(path, is_csv ? csv_of(h, mesh, part, beams, heats) : cards_of(h, mesh, part));
}

void write_stresses(const std::string& result, const std::string& body, const flexible::FeModel& mesh,
                    const flexible::ReducedPart& part, const std::string& parts, const Heats& heats,
                    const std::string& path) {
  if (!path.ends_with(".csv"))
    refuse("--stresses " + path + " does not end in .csv.", "Stresses are written as a table.");
  check_writable(path);
  write_text(path, stresses_of(history_of(result, body, part.body), mesh, part, parts, heats));
}

}  // namespace skyhook::app
