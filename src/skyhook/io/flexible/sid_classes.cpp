#include "skyhook/io/flexible/sid_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "skyhook/io/flexible/text_table.h"

namespace skyhook::io::fe {
namespace {

class SidReader {
 public:
  SidReader(std::string_view text, const std::string& file) : lines_(text, file) { out_.where = {file}; }

  SidClasses result() {
    std::string_view line;
    read_head();
    while (lines_.next(line)) {
      const std::string_view words = trimmed(line);
      if (words.empty()) continue;
      if (words.starts_with("end "))
        close(std::string(trimmed(words.substr(4))));
      else if (const std::size_t eq = words.find('='); eq == std::string_view::npos)
        open(std::string(words));
      else
        value(std::string(trimmed(words.substr(0, eq))), std::string(trimmed(words.substr(eq + 1))));
    }
    if (!open_.empty())
      throw ModelError(open_.back().where, fmt::format("the class \"{}\" is not closed.", open_.back().name),
                       fmt::format("The file ends before \"end {}\": perhaps it was cut off.", open_.back().name));
    check_counts();
    return std::move(out_);
  }

 private:
  struct Class {
    std::string name;
    Location where;
    SidMatrix* matrix = nullptr;
  };

  // "   9   3   :No. nodes, No. modes:..."
  void read_head() {
    std::string_view line;
    if (!lines_.next(line)) throw ModelError(lines_.where(), "the file is empty.");
    const auto head = words(line.substr(0, line.find(':')));
    if (head.size() != 2 || !fe_number(head[0]) || !fe_number(head[1]))
      throw ModelError(lines_.where(), "the first line should begin with the numbers of nodes and of modes.",
                       "Standard input data (.SID_FEM) begin like this:     9    3    :No. nodes, No. modes");
    nodes_ = fe_integer(head[0], lines_.where()), out_.modes = fe_integer(head[1], lines_.where());
    if (out_.modes < 1 || out_.modes > 10000)
      throw ModelError(lines_.where(), fmt::format("a body of {} modes cannot be used.", out_.modes));
  }

  bool is_in(const char* name) const { return !open_.empty() && open_.back().name == name; }

  void open(const std::string& name) {
    Class next{name, lines_.where()};
    if (is_in("node"))
      next.matrix = &out_.nodes.back().matrices[name];
    else if (is_in("modal") && name != "refmod" && name != "frame")
      next.matrix = &out_.matrices[name];
    else if (!is_in("modal") && !(open_.empty() && name == "part") && !(is_in("part")))
      throw ModelError(lines_.where(), fmt::format("\"{}\" does not belong here{}.", name,
                                                   open_.empty() ? "" : fmt::format(", in \"{}\"", open_.back().name)));
    if (next.matrix) next.matrix->where = lines_.where();
    open_.push_back(next);
  }

  void close(const std::string& name) {
    if (open_.empty() || open_.back().name != name)
      throw ModelError(lines_.where(), open_.empty()
                                           ? fmt::format("\"end {}\" closes nothing.", name)
                                           : fmt::format("\"end {}\" comes before \"end {}\", which line {} opens.",
                                                         name, open_.back().name, open_.back().where.line));
    if (open_.back().matrix) finish(*open_.back().matrix);
    open_.pop_back();
  }

  void value(const std::string& key, const std::string& text) {
    if (key == "new modal" && is_in("part")) {
      out_.where = lines_.where(), open_.push_back({"modal", lines_.where()});
    } else if (key == "new node" && is_in("frame")) {
      out_.nodes.push_back({text, lines_.where(), {}}), open_.push_back({"node", lines_.where()});
    } else if (key == "mass" && is_in("refmod")) {
      out_.mass = fe_number(text, lines_.where());
    } else if (key == "nelastq" && is_in("refmod")) {
      if (fe_integer(text, lines_.where()) != out_.modes)
        throw ModelError(lines_.where(),
                         fmt::format("nelastq is {}, but the first line says {} modes.", text, out_.modes));
    } else if (!open_.empty() && open_.back().matrix) {
      of_matrix(*open_.back().matrix, key, text);
    } else if (!key.starts_with("ielastq") && key != "rframe") {
      throw ModelError(lines_.where(), fmt::format("\"{}\" is not known here.", key));
    }
  }

  void of_matrix(SidMatrix& m, const std::string& key, const std::string& text) {
    const Location here = lines_.where();
    const auto count = [&] {
      const int n = fe_integer(text, here);
      if (n < 0 || n > 40000) throw ModelError(here, fmt::format("{} of {} cannot be.", key, n));
      return n;
    };
    const bool is_size = key == "order" || key == "nrow" || key == "ncol" || key == "nq" || key == "structure";
    if (is_size && m.is_laid_out)
      throw ModelError(here, fmt::format("{} comes behind structure, or the class comes twice.", key),
                       "order, nrow, ncol and nq come before structure, each class once.");
    if (key == "order")
      m.order = count();
    else if (key == "nrow")
      m.rows = count();
    else if (key == "ncol")
      m.columns = count();
    else if (key == "nq")
      m.modes = count();
    else if (key == "structure")
      set_structure(m, count());
    else if (key.starts_with("m0") || key.starts_with("m1"))
      entry(m, key, fe_number(text, here));
    else if (key != "nqn" && !key.starts_with("mn"))  // what is of second order is not used
      throw ModelError(here, fmt::format("\"{}\" is not known here.", key));
  }

  void set_structure(SidMatrix& m, int number) {
    if (number > 4)
      throw ModelError(lines_.where(), fmt::format("structure {} is not known.", number),
                       "0: zero, 1: diagonal, 2: symmetric, 3: any, 4: unit matrix.");
    m.structure = static_cast<SidMatrix::Structure>(number), m.is_laid_out = true;
    if (m.modes > out_.modes)
      throw ModelError(lines_.where(), fmt::format("nq is {}, but the body has {} modes.", m.modes, out_.modes));
    constexpr double most = 1e8;  // numbers
    if (1.0 * m.rows * m.columns * (1 + m.modes) > most)
      throw ModelError(lines_.where(),
                       fmt::format("a matrix of {} x {} entries and {} modes cannot be.", m.rows, m.columns, m.modes));
    m.m0.assign(static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.columns), 0.0);
    if (m.order > 0) m.m1.assign(m.m0.size() * static_cast<std::size_t>(m.modes), 0.0);
  }

  // "m0( i, j)", "m1( i, k, j)": row, mode, column.
  void entry(SidMatrix& m, const std::string& key, double number) {
    const Location here = lines_.where();
    const std::size_t open = key.find('('), shut = key.find(')');
    if (m.m0.empty())
      throw ModelError(here, "entries come before the sizes of their matrix.",
                       "order, nrow, ncol, nq and structure come first.");
    std::vector<int> at;
    if (open != std::string::npos && shut != std::string::npos) {
      for (const std::string& cell : split(std::string_view(key).substr(open + 1, shut - open - 1), ','))
        at.push_back(fe_integer(cell, here) - 1);
    }
    const bool is_first = key[1] == '1';
    const auto within = [](int i, int n) { return i >= 0 && i < n; };
    const bool fits =
        is_first ? at.size() == 3 && within(at[0], m.rows) && within(at[1], m.modes) && within(at[2], m.columns)
                 : at.size() == 2 && within(at[0], m.rows) && within(at[1], m.columns);
    if (!fits)
      throw ModelError(here, fmt::format("{} is outside of its matrix of {} x {} entries and {} modes.", key, m.rows,
                                         m.columns, m.modes));
    if (is_first && m.m1.empty())
      throw ModelError(here, fmt::format("{} belongs to order 1, but the order is {}.", key, m.order));
    if (is_first)
      m.m1[static_cast<std::size_t>((at[0] * m.modes + at[1]) * m.columns + at[2])] = number;
    else
      m.m0[static_cast<std::size_t>(at[0] * m.columns + at[1])] = number;
  }

  // What the structure says and the entries leave out.
  void finish(SidMatrix& m) {
    if (!m.is_laid_out) set_structure(m, static_cast<int>(m.structure));
    const bool is_square = m.rows == m.columns;
    for (int i = 0; is_square && i < m.rows; ++i) {
      if (m.structure == SidMatrix::Structure::unit) m.m0[static_cast<std::size_t>(i * m.columns + i)] = 1.0;
      for (int j = 0; m.structure == SidMatrix::Structure::symmetric && j < i; ++j) {
        double &below = m.m0[static_cast<std::size_t>(i * m.columns + j)],
               &above = m.m0[static_cast<std::size_t>(j * m.columns + i)];
        if (below == 0) below = above;
        if (above == 0) above = below;
      }
    }
  }

  void check_counts() const {
    if (static_cast<int>(out_.nodes.size()) != nodes_)
      throw ModelError(out_.where,
                       fmt::format("the first line says {} nodes, but the file has {}.", nodes_, out_.nodes.size()));
    if (!(out_.mass > 0)) throw ModelError(out_.where, "the body has no mass.", "refmod should have \"mass = ...\".");
  }

  TextLines lines_;
  SidClasses out_;
  std::vector<Class> open_;
  int nodes_ = 0;
};

}  // namespace

SidClasses read_sid_classes(std::string_view text, const std::string& file) { return SidReader(text, file).result(); }

}  // namespace skyhook::io::fe
