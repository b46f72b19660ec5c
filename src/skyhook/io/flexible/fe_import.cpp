#include "skyhook/io/flexible/fe_import.h"

#include <fmt/format.h>

#include <filesystem>

#include "skyhook/flexible/fe_check.h"
#include "skyhook/flexible/mass_field.h"
#include "skyhook/io/flexible/calculix.h"
#include "skyhook/io/flexible/fe_units.h"
#include "skyhook/io/flexible/frd.h"
#include "skyhook/io/flexible/matrix_market.h"
#include "skyhook/io/flexible/nastran.h"
#include "skyhook/io/model_file/named_file.h"

namespace skyhook::io::fe {
namespace {

std::string bytes_of(const std::string& path) {
  if (auto bytes = model_file::bytes_on_disk(path)) return std::move(*bytes);
  throw ModelError({path}, "the file cannot be opened.", "Check the path and the permissions.");
}

void import_matrices(const FeFiles& files, FePart& out) {
  if (files.mass.empty() || files.node_table.empty())
    throw ModelError({files.file}, "a stiffness matrix alone is no part.",
                     "Give its mass matrix by --mass M.mtx and its nodes by --nodes nodes.csv.");
  read_node_table(bytes_of(files.node_table), files.node_table, out.part);
  out.part.stiffness = read_matrix_market(bytes_of(files.file), files.file);
  out.part.mass = read_matrix_market(bytes_of(files.mass), files.mass);
}

void import_calculix(const FeFiles& files, FePart& out) {
  CalculixMesh mesh = read_calculix_mesh(bytes_of(files.file), files.file);
  if (mesh.is_expanded && !files.frd.empty())
    throw ModelError({files.frd},
                     "displacements cannot be taken from a result where ccx makes solids of beams and shells.",
                     "Leave --frd out.");
  solve_by_calculix(mesh, files.file);
  out.part = std::move(mesh.part), out.sets = std::move(mesh.sets);
  if (!mesh.note.empty()) out.notes.push_back(mesh.note);
  if (!files.frd.empty()) out.given = shapes_of(read_frd(bytes_of(files.frd), files.frd), out.part, files.frd);
}

// Beams are built in SI: their mass is known point by point then.
void scale(const FeUnits& u, flexible::BeamModel& beams) {
  const double l = u.length, stress = u.mass / u.length;
  for (auto& n : beams.nodes) n.at = l * n.at;
  for (auto& b : beams.beams) {
    b.material.young *= stress, b.material.shear *= stress, b.material.density *= u.mass / (l * l * l);
    b.section.area *= l * l, b.section.iy *= l * l * l * l, b.section.iz *= l * l * l * l,
        b.section.it *= l * l * l * l;
  }
  for (auto& m : beams.masses) m.mass *= u.mass, m.inertia = u.mass * l * l * m.inertia;
}

void import_nastran(const FeFiles& files, const FeUnits& units, FePart& out) {
  const std::string text = bytes_of(files.file);
  NastranPart given = read_nastran(text, files.file);
  given.beams.name = std::filesystem::path(files.file).stem().string();
  for (const std::string& cards : given.left_out) out.notes.push_back("cards that are not used: " + cards);
  if (files.dmig.empty()) {
    scale(units, given.beams);
    out.part = flexible::assemble(given.beams);
    return;
  }
  const std::size_t comma = files.dmig.find(',');
  if (comma == std::string::npos)
    throw ModelError({"command line"}, "--dmig names two matrices, stiffness and mass.", "Write --dmig KAAX,MAAX.");
  for (const auto& g : given.grids) out.part.nodes.push_back({g.name, g.at, {-1, -1, -1, -1, -1, -1}, g.where});
  const std::string& punch = files.punch.empty() ? files.file : files.punch;
  read_dmig(files.punch.empty() ? text : bytes_of(punch), punch, files.dmig.substr(0, comma),
            files.dmig.substr(comma + 1), out.part);
}

}  // namespace

FePart import_fe(const FeFiles& files) {
  FePart out;
  const FeUnits units = units_of(files.units, files.file);
  const std::string ending = std::filesystem::path(files.file).extension().string();
  if (!files.frd.empty() && ending != ".inp")
    throw ModelError({files.frd}, "displacements of CalculiX belong to its mesh (.inp).",
                     "Give that mesh, or leave --frd out.");
  const bool is_nastran = ending == ".bdf" || ending == ".nas" || ending == ".dat";
  if (ending == ".mtx")
    import_matrices(files, out);
  else if (ending == ".inp")
    import_calculix(files, out);
  else if (is_nastran)
    import_nastran(files, units, out);
  else
    throw ModelError(
        {files.file}, "the ending of this file is that of no known kind of part.",
        "Known: .inp (CalculiX), .mtx (Matrix Market), .bdf, .nas, .dat (Nastran), .yaml (a model), .flex.h5.");
  if (out.part.where.file.empty()) out.part.where = {files.file};
  if (out.part.name.empty()) out.part.name = std::filesystem::path(files.file).stem().string();
  if (!out.part.beams.empty()) return out;  // assembled, checked and in SI
  to_si(units, out.part);
  flexible::check(out.part);
  out.part.field = flexible::field_of_matrix(out.part);
  if (!out.part.field.is_exact)
    out.notes.push_back(
        "the mass matrix is not that of solids: moments of second order in the modes are estimated from lumped "
        "masses.");
  return out;
}

}  // namespace skyhook::io::fe
