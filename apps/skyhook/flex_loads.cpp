#include "flex_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

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
    if (std::ranges::none_of(mesh.beams, [&](const auto& b) { return b.name == name; }))
      refuse("there is no beam \"" + name + "\".", "Names are those under `beams`.");
  }
  for (const flexible::BeamSpan& b : mesh.beams) {
    if (names.empty() || std::ranges::count(names, b.name) > 0) out.push_back(&b);
  }
  return out;
}

std::string csv_of(const History& h, const flexible::FeModel& mesh, const flexible::ReducedPart& part,
                   const std::string& beams) {
  std::string text = "time [s]";
  for (const std::string& name : part.body.mode_names) text += "," + name + " [m]";
  Dense rows = h.z;
  std::map<std::string, int> elements;  // of each beam, counted
  for (const flexible::BeamSpan* b : chosen(mesh, beams)) {
    const flexible::SectionForces f = flexible::section_forces(mesh, *b, part.reduced.shapes);
    const int element = ++elements[b->name];
    for (const auto& [node, forces] : {std::pair{b->from, &f.at_from}, std::pair{b->to, &f.at_to}}) {
      for (const char* what : {"N [N]", "Qy [N]", "Qz [N]", "Mx [N.m]", "My [N.m]", "Mz [N.m]"})
        text += fmt::format(",{} element {} at {} {}", b->name, element,
                            mesh.nodes[static_cast<std::size_t>(node)].name, what);
      const long before = rows.rows();
      rows.conservativeResize(before + 6, Eigen::NoChange);
      rows.bottomRows(6) = *forces * h.z;
    }
  }
  text += "\n";
  auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < h.time.size(); ++i) {
    fmt::format_to(out, "{}", h.time[i]);
    for (long r = 0; r < rows.rows(); ++r) fmt::format_to(out, ",{:.9g}", rows(r, static_cast<long>(i)));
    text += "\n";
  }
  return text;
}

// Times on both sides of an event are equal; an amplitude of ccx has them once.
std::string cards_of(const History& h, const flexible::FeModel& mesh, const flexible::ReducedPart& part) {
  std::string text =
      "** Nodal loads of a run of Skyhook: the sum over shapes of amplitude times the forces that hold the shape.\n";
  auto out = std::back_inserter(text);
  for (int k = 0; k < part.body.modes; ++k) {
    fmt::format_to(out, "*AMPLITUDE, NAME=MODE_{}\n", k + 1);
    for (std::size_t i = 0; i < h.time.size(); ++i) {
      if (i == 0 || h.time[i] > h.time[i - 1])
        fmt::format_to(out, "{:.9g}, {:.9g}\n", h.time[i], h.z(k, static_cast<long>(i)));
    }
  }
  const Dense forces = flexible::shape_forces(mesh, part.reduced.shapes);
  const double smallest = 1e-12 * forces.cwiseAbs().maxCoeff();
  fmt::format_to(out, "*STEP, INC=1000000\n*STATIC\n1., {:.9g}\n", h.time.back());
  for (int k = 0; k < part.body.modes; ++k) {
    fmt::format_to(out, "*CLOAD, AMPLITUDE=MODE_{}\n", k + 1);
    for (const flexible::FeNode& n : mesh.nodes) {
      for (std::size_t i = 0; i < 6; ++i) {
        if (n.dof[i] >= 0 && std::abs(forces(n.dof[i], k)) > smallest)
          fmt::format_to(out, "{}, {}, {:.9g}\n", n.name, i + 1, forces(n.dof[i], k));
      }
    }
  }
  return text + "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n";
}

}  // namespace

void write_loads(const std::string& result, const std::string& body, const flexible::FeModel& mesh,
                 const flexible::ReducedPart& part, const std::string& beams, const std::string& path) {
  const bool is_csv = path.ends_with(".csv");
  if (!is_csv && !path.ends_with(".inp"))
    refuse("--loads " + path + " ends neither in .csv nor in .inp.", "A table, or cards for CalculiX.");
  check_writable(path);
  const History h = history_of(result, body, part.body);
  write_text(path, is_csv ? csv_of(h, mesh, part, beams) : cards_of(h, mesh, part));
}

}  // namespace skyhook::app
