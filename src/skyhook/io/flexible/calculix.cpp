#include "skyhook/io/flexible/calculix.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "skyhook/io/flexible/text_table.h"

namespace skyhook::io::fe {
namespace {

namespace fs = std::filesystem;
using flexible::Sparse;

// "*ELEMENT, TYPE=C3D20, ELSET=BAR"
struct Keyword {
  std::string name;
  std::map<std::string, std::string> options;
};

Keyword keyword_of(std::string_view line) {
  const auto parts = split(line.substr(1), ',');
  Keyword k{upper_case(parts[0]), {}};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t eq = parts[i].find('=');
    const std::string value =
        eq == std::string::npos ? "" : std::string(trimmed(std::string_view(parts[i]).substr(eq + 1)));
    k.options[upper_case(trimmed(std::string_view(parts[i]).substr(0, eq)))] = value;
  }
  return k;
}

// Corner nodes of faces, quadrilaterals and triangles, by the number of corners of the solid.
const std::vector<std::vector<int>>& faces_of(std::size_t nodes) {
  static const std::vector<std::vector<int>> hexahedron{{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                        {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const std::vector<std::vector<int>> tetrahedron{{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const std::vector<std::vector<int>> wedge{{0, 1, 2}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  static const std::vector<std::vector<int>> none;
  return nodes == 8 || nodes == 20   ? hexahedron
         : nodes == 4 || nodes == 10 ? tetrahedron
         : nodes == 6 || nodes == 15 ? wedge
                                     : none;
}

// At each corner of a solid: it, and the ends of its three edges, so that the volume they span is positive.
const std::vector<std::array<int, 4>>& corners_of(std::size_t nodes) {
  static const std::vector<std::array<int, 4>> hexahedron{{0, 1, 3, 4}, {1, 2, 0, 5}, {2, 3, 1, 6}, {3, 0, 2, 7},
                                                          {4, 7, 5, 0}, {5, 4, 6, 1}, {6, 5, 7, 2}, {7, 6, 4, 3}};
  static const std::vector<std::array<int, 4>> tetrahedron{{0, 1, 2, 3}};
  static const std::vector<std::array<int, 4>> wedge{{0, 1, 2, 3}, {1, 2, 0, 4}, {2, 0, 1, 5},
                                                     {3, 5, 4, 0}, {4, 3, 5, 1}, {5, 4, 3, 2}};
  static const std::vector<std::array<int, 4>> none;
  return nodes == 8 || nodes == 20   ? hexahedron
         : nodes == 4 || nodes == 10 ? tetrahedron
         : nodes == 6 || nodes == 15 ? wedge
                                     : none;
}

// Beams, trusses, shells and membranes.
bool is_expanded(const std::string& type) {
  return std::ranges::any_of(std::array{"B3", "T3", "S3", "S4", "S6", "S8", "M3D"}, [&](const char* begin) { return type.starts_with(begin); });
}

std::size_t nodes_of_type(const std::string& type) {
  for (const auto& [ending, count] : std::initializer_list<std::pair<const char*, std::size_t>>{{"C3D20", 20},
                                                                                                {"C3D10", 10},
                                                                                                {"C3D15", 15},
                                                                                                {"C3D8", 8},
                                                                                                {"C3D6", 6},
                                                                                                {"C3D4", 4}}) {
    if (type.starts_with(ending)) return count;
  }
  return 0;
}

class MeshReader {
 public:
  MeshReader(std::string_view text, const std::string& file) : lines_(text, file) {
    std::string_view line;
    while (lines_.next(line)) {
      if (trimmed(line).starts_with("**")) continue;
      if (trimmed(line).starts_with("*")) {
        keyword_ = keyword_of(trimmed(line));
        if (keyword_.name == "STEP") break;
        begin_block();
      } else if (!trimmed(line).empty()) {
        data(line);
      }
      out_.before_steps += absolute(std::string(line), file) + "\n";
    }
    finish_surface();
  }
  CalculixMesh result() { return std::move(out_); }

 private:
  // *INCLUDE, INPUT=other.inp: ccx runs in another folder.
  std::string absolute(std::string line, const std::string& file) const {
    if (keyword_.name != "INCLUDE" || !trimmed(line).starts_with("*")) return line;
    const auto input = keyword_.options.find("INPUT");
    if (input == keyword_.options.end() || fs::path(input->second).is_absolute()) return line;
    return "*INCLUDE, INPUT=" + fs::absolute(fs::path(file).parent_path() / input->second).string();
  }

  void begin_block() {
    pending_.clear();
    if (keyword_.name != "ELEMENT") return;
    type_ = upper_case(keyword_.options["TYPE"]);
    wanted_ = nodes_of_type(type_);
    if (is_expanded(type_))
      throw ModelError(lines_.where(),
                       fmt::format("elements of type {} are beams or shells, which ccx makes solids of: its matrices belong to nodes that the file does not have.", type_),
                       "Describe beams and flat plates in the model file (`flexible: {beams: ..., plates: ...}`), or mesh the part with solids, C3D20 for example.");
    if (wanted_ == 0)
      throw ModelError(lines_.where(), fmt::format("elements of type {} are not known.", type_.empty() ? "?" : type_),
                       "Known: C3D4, C3D6, C3D8, C3D10, C3D15, C3D20 with their variants.");
  }

  void data(std::string_view line) {
    if (keyword_.name == "NODE") node(line);
    if (keyword_.name == "ELEMENT") element(line);
    if (keyword_.name == "NSET") set(line);
  }

  void node(std::string_view line) {
    const auto cells = split(line, ',');
    if (cells.size() < 4) throw ModelError(lines_.where(), "a node needs its number and three coordinates.");
    flexible::FeNode n{cells[0], {}, {-1, -1, -1, -1, -1, -1}, lines_.where()};
    for (int i = 0; i < 3; ++i) n.at[i] = fe_number(cells[static_cast<std::size_t>(i) + 1], lines_.where());
    number_[fe_integer(cells[0], lines_.where())] = static_cast<int>(out_.part.nodes.size());
    out_.part.nodes.push_back(std::move(n));
    if (const auto name = keyword_.options.find("NSET"); name != keyword_.options.end())
      out_.sets[upper_case(name->second)].push_back(cells[0]);
  }

  void element(std::string_view line) {
    if (pending_.empty()) first_line_ = lines_.where();
    for (const std::string& cell : split(line, ',')) {
      if (!cell.empty()) pending_.push_back(fe_integer(cell, lines_.where()));
    }
    if (pending_.size() < wanted_ + 1) return;
    std::vector<int> nodes;
    for (std::size_t i = 1; i <= wanted_; ++i) {
      const auto known = number_.find(pending_[i]);
      if (known == number_.end())
        throw ModelError(first_line_,
                         fmt::format("element {} names node {}, which is not there.", pending_[0], pending_[i]));
      nodes.push_back(known->second);
    }
    out_.elements[pending_[0]] = first_line_;
    check_jacobian(nodes);
    draw(nodes);
    pending_.clear();
  }

  // ccx takes such elements without a word; corners that collapse are allowed.
  void check_jacobian(const std::vector<int>& nodes) const {
    const auto at = [&](int corner) {
      return out_.part.nodes[static_cast<std::size_t>(nodes[static_cast<std::size_t>(corner)])].at;
    };
    for (const auto& [c, x, y, z] : corners_of(nodes.size())) {
      const Vec3d a = at(x) - at(c), b = at(y) - at(c), d = at(z) - at(c);
      if (dot(cross(a, b), d) >= -1e-12 * norm(a) * norm(b) * norm(d)) continue;
      throw ModelError(first_line_,
                       fmt::format("element {} has a negative Jacobian at its node {}.", pending_[0],
                                   pending_[static_cast<std::size_t>(c) + 1]),
                       "It is turned inside out or folded: check the order of its nodes.");
    }
  }

  void draw(const std::vector<int>& nodes) {
    for (const auto& face : faces_of(nodes.size())) {
      std::vector<int> corners;
      for (const int c : face) corners.push_back(nodes[static_cast<std::size_t>(c)]);
      add_face(corners);
    }
  }

  // A face of two elements is inside.
  void add_face(const std::vector<int>& corners) {
    std::vector<int> key = corners;
    std::ranges::sort(key);
    auto& entry = faces_[key];
    entry.first += 1, entry.second = corners;
  }

  void finish_surface() {
    for (const auto& [key, face] : faces_) {
      if (face.first != 1) continue;
      const auto& c = face.second;
      out_.part.triangles.push_back({c[0], c[1], c[2]});
      if (c.size() == 4) out_.part.triangles.push_back({c[0], c[2], c[3]});
    }
  }

  void set(std::string_view line) {
    auto& members = out_.sets[upper_case(keyword_.options["NSET"])];
    const auto cells = split(line, ',');
    if (keyword_.options.contains("GENERATE")) {
      const int first = fe_integer(cells.at(0), lines_.where()), last = fe_integer(cells.at(1), lines_.where());
      const int step = cells.size() > 2 && !cells[2].empty() ? fe_integer(cells[2], lines_.where()) : 1;
      for (int n = first; n <= last && step > 0; n += step) members.push_back(std::to_string(n));
      return;
    }
    for (const std::string& cell : cells) {
      if (cell.empty()) continue;
      if (const auto other = out_.sets.find(upper_case(cell)); !fe_number(cell) && other != out_.sets.end())
        members.insert(members.end(), other->second.begin(), other->second.end());
      else
        members.push_back(cell);
    }
  }

  TextLines lines_;
  CalculixMesh out_;
  Keyword keyword_;
  std::string type_;
  std::size_t wanted_ = 0;
  std::vector<int> pending_;
  Location first_line_;
  std::map<int, int> number_;
  std::map<std::vector<int>, std::pair<int, std::vector<int>>> faces_;
};

struct TemporaryFolder {
  fs::path path;
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "skyhook_ccx_XXXXXX").string();
    if (!mkdtemp(name.data())) throw ModelError({name}, "no folder for ccx could be made.");
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream all;
  all << stream.rdbuf();
  return all.str();
}

// Without a shell: names of files are not commands.
void run_ccx(const std::string& ccx, const fs::path& folder) {
  const pid_t child = fork();
  if (child < 0) throw ModelError({ccx}, "ccx could not be started.");
  if (child == 0) {
    const int out = chdir(folder.c_str()) == 0 ? open("out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0) _exit(126);
    execl(ccx.c_str(), "ccx", "job", static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
}

// What ccx says in its lines of *ERROR, and where the element that it names is written.
[[noreturn]] void refuse(const CalculixMesh& mesh, const std::string& file, const std::string& said) {
  TextLines lines(said, "ccx");
  std::string_view line;
  std::string message;
  Location where{file};
  while (lines.next(line)) {
    if (message.empty() ? !trimmed(line).starts_with("*ERROR") : trimmed(line).empty()) {
      if (!message.empty()) break;
      continue;
    }
    message += (message.empty() ? "" : " ") + std::string(trimmed(line));
    const auto w = words(line);
    for (std::size_t i = 0; i + 1 < w.size(); ++i) {
      const auto number = fe_number(w[i + 1]);
      if (w[i] != "element" || !number) continue;
      if (const auto known = mesh.elements.find(static_cast<int>(*number)); known != mesh.elements.end())
        where = known->second;
    }
  }
  throw ModelError(where, message.empty() ? "ccx has written no matrices." : "ccx refuses the mesh: " + message,
                   "Run ccx on the file by itself to see more.");
}

// .sti and .mas: "row column value", one triangle.
Sparse triangle(const std::string& text, int n, const std::string& name) {
  std::vector<Eigen::Triplet<double>> entries;
  TextLines lines(text, name);
  std::string_view line;
  while (lines.next(line)) {
    const auto w = words(line);
    if (w.size() != 3) continue;
    const int i = fe_integer(w[0], lines.where()) - 1, j = fe_integer(w[1], lines.where()) - 1;
    const double value = fe_number(w[2], lines.where());
    if (i < 0 || j < 0 || i >= n || j >= n)
      throw ModelError(lines.where(), "ccx has written an entry outside of its matrix.");
    if (value == 0) continue;
    entries.emplace_back(i, j, value);
    if (i != j) entries.emplace_back(j, i, value);
  }
  Sparse a(n, n);
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

// .dof: "node.direction" of each row.
void read_dofs(const std::string& text, CalculixMesh& mesh) {
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < mesh.part.nodes.size(); ++i) number[mesh.part.nodes[i].name] = i;
  TextLines lines(text, "job.dof");
  std::string_view line;
  while (lines.next(line)) {
    const auto parts = split(trimmed(line), '.');
    if (parts.size() != 2) continue;
    const auto known = number.find(parts[0]);
    const int direction = fe_integer(parts[1], lines.where());
    if (known == number.end() || direction < 1 || direction > 3)
      throw ModelError(lines.where(),
                       fmt::format("ccx has unknown {}, which belongs to no displacement of a node of the file.", line),
                       "Couplings are not supported: use solids alone.");
    mesh.part.nodes[known->second].dof[static_cast<std::size_t>(direction - 1)] = mesh.part.dofs++;
  }
}

void refuse_loose_nodes(const CalculixMesh& mesh) {
  Findings findings;
  int count = 0;
  for (const flexible::FeNode& n : mesh.part.nodes) {
    const int missing = static_cast<int>(std::count(n.dof.begin(), n.dof.begin() + 3, -1));
    if (missing == 0 || ++count > 5) continue;
    findings.add(n.where,
                 missing == 3 ? fmt::format("node \"{}\" is loose: no element has it, or a *BOUNDARY holds it.", n.name)
                              : fmt::format("node \"{}\" is held in {} directions.", n.name, missing),
                 missing == 3 ? "Remove it, or connect it." : "Remove the *BOUNDARY: the free part is needed.");
  }
  findings.throw_if_any();
}

}  // namespace

CalculixMesh read_calculix_mesh(std::string_view text, const std::string& file) {
  CalculixMesh mesh = MeshReader(text, file).result();
  mesh.part.where = {file};
  mesh.part.name = fs::path(file).stem().string();
  if (mesh.part.nodes.empty())
    throw ModelError({file}, "the file has no *NODE.", "An input file of CalculiX is needed.");
  return mesh;
}

std::string find_ccx() {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path ? path : "", ':')) {
    const std::string program = folder + "/ccx";
    if (!folder.empty() && access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

void solve_by_calculix(CalculixMesh& mesh, const std::string& file) {
  const std::string ccx = find_ccx();
  if (ccx.empty())
    throw ModelError(
        {file}, "the program ccx (CalculiX) is not there, which computes the matrices of this mesh.",
        "Install it: apt-get install calculix-ccx. Or give matrices of another program as Matrix Market files.");
  const TemporaryFolder folder;
  std::ofstream(folder.path / "job.inp") << mesh.before_steps << "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n*END STEP\n";
  run_ccx(ccx, folder.path);
  if (!fs::exists(folder.path / "job.mas") || fs::file_size(folder.path / "job.mas") == 0)
    refuse(mesh, file, text_of(folder.path / "out.txt"));
  read_dofs(text_of(folder.path / "job.dof"), mesh);
  refuse_loose_nodes(mesh);
  mesh.part.stiffness = triangle(text_of(folder.path / "job.sti"), mesh.part.dofs, "job.sti");
  mesh.part.mass = triangle(text_of(folder.path / "job.mas"), mesh.part.dofs, "job.mas");
}

}  // namespace skyhook::io::fe
