#include "skyhook/io/flexible/matrix_market.h"

#include <fmt/format.h>

#include <set>

#include "skyhook/io/flexible/text_table.h"

namespace skyhook::io::fe {
namespace {

using flexible::Sparse;

struct Header {
  bool is_symmetric = false, is_array = false;
};

Header header_of(std::string_view line, const Location& where) {
  const auto w = words(upper_case(line));
  if (w.size() < 5 || w[0] != "%%MATRIXMARKET" || w[1] != "MATRIX")
    throw ModelError(where, "this is no file of Matrix Market.",
                     "It begins with %%MatrixMarket matrix coordinate real symmetric.");
  if (w[3] != "REAL" && w[3] != "INTEGER") throw ModelError(where, "the matrix is " + w[3] + ", but should be real.");
  if (w[4] != "GENERAL" && w[4] != "SYMMETRIC")
    throw ModelError(where, "the matrix is " + w[4] + ", but should be symmetric or general.");
  return {w[4] == "SYMMETRIC", w[2] == "ARRAY"};
}

bool next_row(TextLines& lines, std::string_view& line) {
  while (lines.next(line)) {
    if (const auto t = trimmed(line); !t.empty() && t[0] != '%') return true;
  }
  return false;
}

void add(std::vector<Eigen::Triplet<double>>& entries, int i, int j, double value, bool is_symmetric) {
  entries.emplace_back(i, j, value);
  if (is_symmetric && i != j) entries.emplace_back(j, i, value);
}

}  // namespace

Sparse read_matrix_market(std::string_view text, const std::string& file) {
  TextLines lines(text, file);
  std::string_view line;
  if (!lines.next(line)) throw ModelError({file}, "the file is empty.");
  const Header header = header_of(line, lines.where());
  if (!next_row(lines, line)) throw ModelError(lines.where(), "the size of the matrix is missing.");
  const auto size = words(line);
  if (size.size() != (header.is_array ? 2u : 3u))
    throw ModelError(lines.where(), "the size of the matrix should be: rows columns entries.");
  const int rows = fe_integer(size[0], lines.where()), cols = fe_integer(size[1], lines.where());
  if (rows != cols || rows < 1)
    throw ModelError(lines.where(),
                     fmt::format("the matrix has {} rows and {} columns, but should be square.", rows, cols));
  const long wanted = header.is_array ? (header.is_symmetric ? static_cast<long>(rows) * (rows + 1) / 2
                                                             : static_cast<long>(rows) * cols)
                                      : fe_integer(size[2], lines.where());
  if (wanted < rows)  // every unknown has a stiffness and a mass; and sizes that are nonsense need no memory
    throw ModelError(lines.where(),
                     fmt::format("a matrix of {} rows has {} entries: some rows are empty.", rows, wanted),
                     "Leave unknowns without stiffness out.");
  std::vector<Eigen::Triplet<double>> entries;
  int i = 0, j = 0;
  for (long k = 0; k < wanted; ++k) {
    if (!next_row(lines, line))
      throw ModelError(lines.where(), fmt::format("the file ends after {} of {} entries.", k, wanted));
    const auto w = words(line);
    if (header.is_array) {
      add(entries, i, j, fe_number(w[0], lines.where()), header.is_symmetric);
      if (++i == rows) i = header.is_symmetric ? ++j : (++j, 0);
      continue;
    }
    if (w.size() != 3) throw ModelError(lines.where(), "an entry is: row column value.");
    const int r = fe_integer(w[0], lines.where()), c = fe_integer(w[1], lines.where());
    if (r < 1 || c < 1 || r > rows || c > cols)
      throw ModelError(lines.where(), fmt::format("entry ({}, {}) is outside of the matrix.", r, c));
    add(entries, r - 1, c - 1, fe_number(w[2], lines.where()), header.is_symmetric);
  }
  Sparse a(rows, cols);
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

void read_node_table(std::string_view text, const std::string& file, flexible::FeModel& part) {
  TextLines lines(text, file);
  std::string_view line;
  std::set<std::string> names;
  while (lines.next(line)) {
    line = line.substr(0, line.find('#'));
    const auto cells = split(line, ',');
    if (trimmed(line).empty() || (part.nodes.empty() && cells.size() > 1 && !fe_number(cells[1])))
      continue;  // the row of names
    if (cells.size() < 4)
      throw ModelError(lines.where(), "a node needs four columns.", "Write: node,x,y,z or node,x,y,z,6.");
    flexible::FeNode node{cells[0], {}, {-1, -1, -1, -1, -1, -1}, lines.where()};
    for (int i = 0; i < 3; ++i) node.at[i] = fe_number(cells[static_cast<std::size_t>(i) + 1], lines.where());
    const int dofs = cells.size() > 4 ? fe_integer(cells[4], lines.where()) : 3;
    if (dofs != 3 && dofs != 6)
      throw ModelError(lines.where(), fmt::format("a node has 3 or 6 unknowns, not {}.", dofs));
    if (!names.insert(node.name).second) throw ModelError(lines.where(), "node \"" + node.name + "\" is there twice.");
    for (int i = 0; i < dofs; ++i) node.dof[static_cast<std::size_t>(i)] = part.dofs++;
    part.nodes.push_back(std::move(node));
  }
  if (part.nodes.empty()) throw ModelError({file}, "the table has no nodes.", "Write a row a node: node,x,y,z.");
}

}  // namespace skyhook::io::fe
