#include "skyhook/io/flexible/calculix.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "skyhook/io/flexible/calculix_expansion.h"
#include "skyhook/io/flexible/calculix_materials.h"
#include "skyhook/io/flexible/frd.h"
#include "skyhook/io/flexible/text_table.h"
#include "skyhook/io/model_file/named_file.h"

namespace skyhook::io::fe {
namespace {

namespace fs = std::filesystem;
using flexible::Sparse;

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

struct ElementType {
  const char* begin;
  std::size_t nodes;
  bool is_expanded;  // beams and shells
};
constexpr std::array<ElementType, 12> element_types{{{"C3D20", 20, false},
                                                     {"C3D10", 10, false},
                                                     {"C3D15", 15, false},
                                                     {"C3D8", 8, false},
                                                     {"C3D6", 6, false},
                                                     {"C3D4", 4, false},
                                                     {"B31", 2, true},
                                                     {"B32", 3, true},
                                                     {"S3", 3, true},
                                                     {"S4", 4, true},
                                                     {"S6", 6, true},
                                                     {"S8", 8, true}}};

const ElementType* type_named(const std::string& name) {
  const auto found =
      std::ranges::find_if(element_types, [&](const ElementType& t) { return name.starts_with(t.begin); });
  return found == element_types.end() ? nullptr : &*found;
}

class MeshReader {
 public:
  MeshReader(std::string_view text, const std::string& file) : folder_(fs::path(file).parent_path()) {
    read(text, file);
    out_.part.triangles = surface_of(out_.part.solids);
    give_materials();
  }
  CalculixMesh result() { return std::move(out_); }

 private:
  // False: the steps have begun, what follows is no mesh.
  bool read(std::string_view text, const std::string& file) {
    TextLines lines(text, file);
    std::string_view line;
    while (lines.next(line)) {
      where_ = lines.where();
      if (trimmed(line).starts_with("**")) continue;
      if (trimmed(line).starts_with("*")) {
        Keyword keyword = keyword_of(trimmed(line));
        if (keyword.name == "STEP") return false;
        if (keyword.name == "INCLUDE") {
          if (!include(keyword.options["INPUT"])) return false;
          continue;
        }
        keyword_ = std::move(keyword);
        begin_block();
        materials_.begin(keyword_);
      } else if (!trimmed(line).empty()) {
        data(line);
        materials_.data(line, where_);
      }
      out_.before_steps += std::string(line) + "\n";
    }
    return true;
  }

  // *INCLUDE, INPUT=other.inp: its lines in place of this one, maybe those of a block that has begun. ccx looks beside the first file, where users run it.
  bool include(const std::string& input) {
    if (input.empty()) throw ModelError(where_, "*INCLUDE names no file.", "Write *INCLUDE, INPUT=other.inp.");
    const fs::path other = fs::path(input).is_absolute() ? fs::path(input) : folder_ / input;
    std::error_code trouble;
    const auto bytes = fs::is_regular_file(other, trouble) ? model_file::bytes_on_disk(other.string()) : std::nullopt;
    if (!bytes)
      throw ModelError(where_, fmt::format("\"{}\" cannot be opened.", other.string()),
                       "Files of *INCLUDE are looked for beside the first file.");
    if (depth_ == deepest)
      throw ModelError(where_, fmt::format("*INCLUDE goes more than {} files deep: a file includes itself.", deepest));
    ++depth_;
    const bool goes_on = read(*bytes, other.string());
    --depth_;
    return goes_on;
  }
  static constexpr int deepest = 16;

  void begin_block() {
    pending_.clear();
    if (keyword_.name != "ELEMENT") return;
    type_ = upper_case(keyword_.options["TYPE"]);
    kind_ = type_named(type_);
    if (!kind_)
      throw ModelError(where_, fmt::format("elements of type {} are not known.", type_.empty() ? "?" : type_),
                       "Known: C3D4, C3D6, C3D8, C3D10, C3D15, C3D20, B31, B32, S3, S4, S6, S8 with their variants; "
                       "trusses and membranes have no stiffness across them.");
  }

  void data(std::string_view line) {
    if (keyword_.name == "NODE") node(line);
    if (keyword_.name == "ELEMENT") element(line);
    if (keyword_.name == "NSET") set(line);
  }

  void node(std::string_view line) {
    const auto cells = split(line, ',');
    if (cells.size() < 4) throw ModelError(where_, "a node needs its number and three coordinates.");
    flexible::FeNode n{cells[0], {}, {-1, -1, -1, -1, -1, -1}, where_};
    for (int i = 0; i < 3; ++i) n.at[i] = fe_number(cells[static_cast<std::size_t>(i) + 1], where_);
    number_[fe_integer(cells[0], where_)] = static_cast<int>(out_.part.nodes.size());
    out_.part.nodes.push_back(std::move(n));
    if (const auto name = keyword_.options.find("NSET"); name != keyword_.options.end())
      out_.sets[upper_case(name->second)].push_back(cells[0]);
  }

  void element(std::string_view line) {
    if (pending_.empty()) first_line_ = where_;
    for (const std::string& cell : split(line, ',')) {
      if (!cell.empty()) pending_.push_back(fe_integer(cell, where_));
    }
    if (!kind_ || pending_.size() < kind_->nodes + 1) return;
    std::vector<int> nodes;
    for (std::size_t i = 1; i <= kind_->nodes; ++i) {
      const auto known = number_.find(pending_[i]);
      if (known == number_.end())
        throw ModelError(first_line_,
                         fmt::format("element {} names node {}, which is not there.", pending_[0], pending_[i]));
      nodes.push_back(known->second);
    }
    out_.elements[pending_[0]] = first_line_;
    materials_.add_element(pending_[0], keyword_);
    if (kind_->is_expanded) {
      expanded_.push_back(pending_[0]), out_.is_expanded = true;
      return pending_.clear();
    }
    check_jacobian(nodes);
    out_.elements_with_inner += type_.starts_with("C3D8I") ? 1 : 0;
    out_.part.solids.push_back({std::to_string(pending_[0]), std::move(nodes), {}});
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

  void give_materials() {
    const auto material_of = [&](int element) {
      const auto material = materials_.of(element);
      if (!material && out_.note.empty())
        out_.note = fmt::format("stress that stiffens is left out: the file has no isotropic *ELASTIC for element {}.",
                                element);
      return material.value_or(flexible::Material{});
    };
    for (flexible::SolidSpan& solid : out_.part.solids) solid.material = material_of(std::stoi(solid.name));
    for (const int element : expanded_) out_.materials_of_expanded[element] = material_of(element);
  }

  void set(std::string_view line) {
    auto& members = out_.sets[upper_case(keyword_.options["NSET"])];
    const auto cells = split(line, ',');
    if (keyword_.options.contains("GENERATE")) {
      for (const int n : generated(cells, where_)) members.push_back(std::to_string(n));
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

  fs::path folder_;
  int depth_ = 0;
  Location where_;  // of the line
  CalculixMesh out_;
  Keyword keyword_;
  CalculixMaterials materials_;
  std::string type_;
  const ElementType* kind_ = nullptr;
  std::vector<int> expanded_;  // numbers of beams and shells
  std::vector<int> pending_;
  Location first_line_;
  std::map<int, int> number_;
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
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody reads what it finds once this program has ended
    const int out = chdir(folder.c_str()) == 0 ? open("out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0) _exit(126);
    execl(ccx.c_str(), "ccx", "job", static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
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

void refuse_loose_nodes(const CalculixMesh& mesh) {
  Findings findings;
  int count = 0;
  for (const flexible::FeNode& n : mesh.part.nodes) {
    if (n.is_inner) continue;
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

std::vector<std::array<int, 3>> surface_of(const std::vector<flexible::SolidSpan>& solids) {
  std::map<std::vector<int>, std::pair<int, std::vector<int>>>
      faces;  // by sorted corners: how many solids have it, and its corners in their order
  for (const flexible::SolidSpan& solid : solids) {
    for (const auto& face : faces_of(solid.nodes.size())) {
      std::vector<int> corners;
      for (const int c : face) corners.push_back(solid.nodes[static_cast<std::size_t>(c)]);
      std::vector<int> key = corners;
      std::ranges::sort(key);
      auto& entry = faces[key];
      entry.first += 1, entry.second = corners;
    }
  }
  std::vector<std::array<int, 3>> out;
  for (const auto& [key, face] : faces) {
    if (face.first != 1) continue;
    const auto& c = face.second;
    out.push_back({c[0], c[1], c[2]});
    if (c.size() == 4) out.push_back({c[0], c[2], c[3]});
  }
  return out;
}

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
  Expansion expansion;
  std::map<int, Vec3d> places;
  if (mesh.is_expanded) {  // which nodes it makes, and where
    std::ofstream(folder.path / "job.inp")
        << mesh.before_steps << "*STEP\n*NO ANALYSIS\n*NODE FILE, OUTPUT=3D\nU\n*END STEP\n";
    run_ccx(ccx, folder.path);
    expansion = read_expansion(text_of(folder.path / "job.12d"), "job.12d");
    if (expansion.elements.empty() || !fs::exists(folder.path / "job.frd"))
      refuse(mesh, file, text_of(folder.path / "out.txt"));
    places = read_frd(text_of(folder.path / "job.frd"), "job.frd").nodes;
  }
  std::ofstream(folder.path / "job.inp") << mesh.before_steps << "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n*END STEP\n";
  run_ccx(ccx, folder.path);
  if (!fs::exists(folder.path / "job.mas") || fs::file_size(folder.path / "job.mas") == 0)
    refuse(mesh, file, text_of(folder.path / "out.txt"));
  take_unknowns(expansion, places, text_of(folder.path / "job.dof"), mesh);
  refuse_loose_nodes(mesh);
  mesh.part.stiffness = triangle(text_of(folder.path / "job.sti"), mesh.part.dofs, "job.sti");
  mesh.part.mass = triangle(text_of(folder.path / "job.mas"), mesh.part.dofs, "job.mas");
  if (mesh.is_expanded) refine_places(mesh.part);
  if (!mesh.note.empty()) mesh.part.solids.clear();  // stress is found where the material of all elements is known
}

}  // namespace skyhook::io::fe
