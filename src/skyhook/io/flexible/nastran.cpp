#include "skyhook/io/flexible/nastran.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "skyhook/io/flexible/text_table.h"

namespace skyhook::io::fe {
namespace {

using flexible::Beam;
using flexible::Section;

// One line of a card: its first field, and the others without the one that marks a continuation.
struct Line {
  std::string name;
  std::vector<std::string> fields;
};

std::string_view columns(std::string_view line, std::size_t first, std::size_t count) {
  return first < line.size() ? line.substr(first, count) : std::string_view();
}

Line line_of(std::string_view text) {
  Line out;
  if (text.find(',') != std::string_view::npos) {
    auto cells = split(text, ',');
    out.name = upper_case(cells[0]);
    cells.erase(cells.begin());
    cells.resize(std::min<std::size_t>(cells.size(), 8));
    out.fields = std::move(cells);
    return out;
  }
  out.name = upper_case(trimmed(columns(text, 0, 8)));
  const bool is_wide = out.name.find('*') != std::string::npos;
  const std::size_t width = is_wide ? 16 : 8, count = is_wide ? 4 : 8;
  for (std::size_t i = 0; i < count; ++i) out.fields.emplace_back(trimmed(columns(text, 8 + i * width, width)));
  return out;
}

bool is_continuation(const std::string& name) { return name.empty() || name[0] == '+' || name[0] == '*'; }

double real(const Card& card, std::size_t i, double otherwise) {
  const std::string& text = card.field(i);
  return text.empty() ? otherwise : fe_number(text, card.where);
}

struct PropertyCard {
  std::string material;
  Section section;
};

Section section_of_bar(const Card& c, bool is_beam) {
  // PBAR: A I1 I2 J; PBEAM at its first end: A I1 I2 I12 J. I1 bends in the plane of axis and orientation vector.
  Section s;
  s.area = real(c, 2, 0), s.iy = real(c, 3, 0), s.iz = real(c, 4, 0), s.it = real(c, is_beam ? 6 : 5, 0);
  s.ky = s.kz = 0;  // without K1, K2 Nastran's bars have no shear deformation
  if (!is_beam) s.kz = real(c, 16, 0), s.ky = real(c, 17, 0);
  return s;
}

Section section_of_barl(const Card& c) {
  const std::string type = upper_case(c.field(3));
  const double d1 = real(c, 8, 0), d2 = real(c, 9, 0);
  Section s;
  if (type == "ROD")
    s = flexible::round_section(2 * d1, 0, 0.3);
  else if (type == "TUBE")
    s = flexible::round_section(2 * d1, 2 * d2, 0.3);
  else if (type == "BAR")
    s = flexible::rectangle_section(d1, d2, 0, 0.3);
  else if (type == "BOX")
    s = flexible::rectangle_section(d1, d2, real(c, 10, 0), 0.3);
  else
    throw ModelError(c.where, fmt::format("sections of type {} are not known.", type.empty() ? "?" : type),
                     "Known: ROD, TUBE, BAR, BOX with walls of one thickness; or give PBAR.");
  return s;
}

class BulkReader {
 public:
  BulkReader(const std::vector<Card>& cards, const std::string& file) {
    part_.beams.where = {file};
    for (const Card& c : cards) properties(c);
    for (const Card& c : cards) things(c);
    findings_.throw_if_any();
    for (const auto& [name, count] : unused_) part_.left_out.push_back(fmt::format("{} ({})", name, count));
    keep_used_grids();
  }
  NastranPart result() { return std::move(part_); }

 private:
  void properties(const Card& c) {
    if (c.name == "MAT1") {
      flexible::Material m{real(c, 1, 0), real(c, 2, 0), real(c, 4, 0)};
      const double poisson = real(c, 3, m.shear > 0 && m.young > 0 ? m.young / (2 * m.shear) - 1 : 0.3);
      if (m.shear == 0) m.shear = m.young / (2 * (1 + poisson));
      if (m.young == 0) m.young = m.shear * 2 * (1 + poisson);
      materials_[c.field(0)] = m;
    }
    if (c.name == "PBAR" || c.name == "PBEAM")
      properties_[c.field(0)] = {c.field(1), section_of_bar(c, c.name == "PBEAM")};
    if (c.name == "PBARL") properties_[c.field(0)] = {c.field(1), section_of_barl(c)};
    if (c.name == "GRID") grid(c);
  }

  void grid(const Card& c) {
    if (const std::string& system = c.field(1); !system.empty() && system != "0")
      throw ModelError(c.where, fmt::format("grid {} is given in coordinate system {}.", c.field(0), system),
                       "Only the basic system is known.");
    at_[c.field(0)] = {real(c, 2, 0), real(c, 3, 0), real(c, 4, 0)};
    part_.grids.push_back({c.field(0), at_[c.field(0)], c.where});
  }

  void things(const Card& c) {
    static const std::set<std::string> known{"MAT1", "PBAR",  "PBEAM",   "PBARL", "GRID",
                                             "DMIG", "PARAM", "ENDDATA", "EIGRL", "EIGR"};
    if (c.name == "CBAR" || c.name == "CBEAM")
      bar(c);
    else if (c.name == "CONM2")
      mass(c);
    else if (!known.contains(c.name))
      ++unused_[c.name];
  }

  void bar(const Card& c) {
    const std::string property = c.field(1).empty() ? c.field(0) : c.field(1);
    const auto p = properties_.find(property);
    if (p == properties_.end())
      return findings_.add(c.where,
                           fmt::format("{} {} names property {}, which is not there.", c.name, c.field(0), property));
    const auto m = materials_.find(p->second.material);
    if (m == materials_.end())
      return findings_.add(
          c.where, fmt::format("property {} names material {}, which is not there.", property, p->second.material));
    for (std::size_t i : {2u, 3u}) {
      if (!at_.contains(c.field(i)))
        return findings_.add(c.where,
                             fmt::format("{} {} names grid {}, which is not there.", c.name, c.field(0), c.field(i)));
    }
    Beam beam{c.name + c.field(0), c.field(2), c.field(3), c.where, m->second, p->second.section, {}, 1};
    // The orientation vector spans plane 1, in which I1 bends: `up` here, z of the section.
    if (c.field(5).empty() && at_.contains(c.field(4)))
      beam.up = at_[c.field(4)] - at_[c.field(2)];
    else
      beam.up = {real(c, 4, 0), real(c, 5, 0), real(c, 6, 0)};
    if (norm(beam.up) == 0) beam.up = {0, 0, 1};
    used_.insert({c.field(2), c.field(3)});
    part_.beams.beams.push_back(std::move(beam));
  }

  void mass(const Card& c) {
    for (std::size_t i : {4u, 5u, 6u}) {
      if (real(c, i, 0) != 0)
        return findings_.add(c.where, "CONM2 with an offset is not known.",
                             "Put a grid at the centre of mass, and a stiff bar.");
    }
    flexible::LumpedMass m{"CONM2" + c.field(0), c.field(1), c.where, real(c, 3, 0), {}};
    // I11 I21 I22 I31 I32 I33; products as integrals of x y dm, so that the tensor has them with minus.
    const double xx = real(c, 8, 0), yx = real(c, 9, 0), yy = real(c, 10, 0), zx = real(c, 11, 0), zy = real(c, 12, 0),
                 zz = real(c, 13, 0);
    m.inertia = {{xx, -yx, -zx}, {-yx, yy, -zy}, {-zx, -zy, zz}};
    part_.beams.masses.push_back(std::move(m));
  }

  // Grids that only give directions are none of the mesh.
  void keep_used_grids() {
    for (const auto& m : part_.beams.masses) used_.insert(m.node);
    for (const auto& g : part_.grids) {
      if (used_.contains(g.name)) part_.beams.nodes.push_back(g);
    }
  }

  NastranPart part_;
  std::map<std::string, flexible::Material> materials_;
  std::map<std::string, PropertyCard> properties_;
  std::map<std::string, Vec3d> at_;
  std::set<std::string> used_;
  std::map<std::string, int> unused_;
  Findings findings_;
};

using Unknown = std::pair<std::string, int>;  // grid, component from 1

struct Entry {
  Unknown row, column;
  double value;
};

// DMIG name, column grid, component, then triples grid, component, value, three fields and an empty one for each line of 8.
std::vector<Entry> entries_of(const std::vector<Card>& cards, const std::string& name, const std::string& file) {
  std::vector<Entry> out;
  bool is_there = false;
  for (const Card& c : cards) {
    if (c.name != "DMIG" || upper_case(c.field(0)) != upper_case(name)) continue;
    is_there = true;
    if (c.field(1) == "0") continue;  // its header
    const Unknown column{c.field(1), fe_integer(c.field(2), c.where)};
    for (std::size_t i = 4; i + 2 < c.fields.size(); i += 4) {
      if (c.field(i).empty()) continue;
      out.push_back({{c.field(i), fe_integer(c.field(i + 1), c.where)}, column, fe_number(c.field(i + 2), c.where)});
    }
  }
  if (!is_there)
    throw ModelError({file}, fmt::format("there is no DMIG {}.", name),
                     "Write matrices by PARAM,EXTOUT,DMIGPCH, and name them by --dmig.");
  return out;
}

}  // namespace

const std::string& Card::field(std::size_t i) const {
  static const std::string empty;
  return i < fields.size() ? fields[i] : empty;
}

std::vector<Card> read_cards(std::string_view text, const std::string& file) {
  std::vector<Card> cards;
  TextLines lines(text, file);
  std::string_view raw;
  bool is_wide = false;
  while (lines.next(raw)) {
    const std::string_view line = raw.substr(0, raw.find('$'));
    if (trimmed(line).empty() || trimmed(line).find('=') != std::string_view::npos) continue;  // case control
    Line l = line_of(line);
    if (l.name.starts_with("BEGIN") || l.name.starts_with("SOL ") || l.name.starts_with("CEND")) continue;
    if (l.name == "ENDDATA") break;
    if (is_continuation(l.name) && !cards.empty()) {
      auto& fields = cards.back().fields;
      const std::size_t per_line = is_wide ? 4 : 8;
      fields.resize((fields.size() + per_line - 1) / per_line * per_line);
      fields.insert(fields.end(), l.fields.begin(), l.fields.end());
      continue;
    }
    is_wide = l.name.find('*') != std::string::npos;
    l.name.erase(std::remove(l.name.begin(), l.name.end(), '*'), l.name.end());
    cards.push_back({l.name, std::move(l.fields), lines.where()});
  }
  return cards;
}

NastranPart read_nastran(std::string_view text, const std::string& file) {
  return BulkReader(read_cards(text, file), file).result();
}

void read_dmig(std::string_view text, const std::string& file, const std::string& stiffness, const std::string& mass,
               flexible::FeModel& part) {
  const std::vector<Card> cards = read_cards(text, file);
  const std::vector<Entry> given[2] = {entries_of(cards, stiffness, file), entries_of(cards, mass, file)};
  std::map<Unknown, int> number;
  for (const auto& entries : given) {
    for (const Entry& e : entries) number[e.row] = number[e.column] = 0;
  }
  for (auto& [unknown, n] : number) {
    const int node = part.find(unknown.first);
    if (node < 0)
      throw ModelError({file}, fmt::format("DMIG names grid {}, which is not there.", unknown.first),
                       "Give the file with its GRID cards.");
    if (unknown.second < 1 || unknown.second > 6)
      throw ModelError({file}, fmt::format("grid {} has no component {}.", unknown.first, unknown.second));
    part.nodes[static_cast<std::size_t>(node)].dof[static_cast<std::size_t>(unknown.second - 1)] = n = part.dofs++;
  }
  flexible::Sparse* target[2] = {&part.stiffness, &part.mass};
  for (int k = 0; k < 2; ++k) {
    std::map<std::pair<int, int>, double> full;  // one triangle, or both: entries that are given twice count once
    for (const Entry& e : given[k])
      full[{number[e.row], number[e.column]}] = full[{number[e.column], number[e.row]}] = e.value;
    std::vector<Eigen::Triplet<double>> triplets;
    for (const auto& [ij, value] : full) triplets.emplace_back(ij.first, ij.second, value);
    target[k]->resize(part.dofs, part.dofs);
    target[k]->setFromTriplets(triplets.begin(), triplets.end());
  }
  std::erase_if(part.nodes,
                [](const flexible::FeNode& n) { return std::ranges::all_of(n.dof, [](int d) { return d < 0; }); });
}

}  // namespace skyhook::io::fe
