#include "skyhook/io/flexible/frd.h"

#include <fmt/format.h>

#include "skyhook/io/flexible/text_table.h"

namespace skyhook::io::fe {
namespace {

// Fields of fixed width: a key of three characters, a number of ten, values of twelve, without blanks between them.
class FrdReader {
 public:
  FrdReader(std::string_view text, const std::string& file) : lines_(text, file) {}

  Frd result() {
    std::string_view line;
    while (lines_.next(line)) {
      const std::string_view key = trimmed(line.substr(0, std::min<std::size_t>(line.size(), 6)));
      if (key.starts_with("-1") || key.starts_with("-2"))
        record(line);
      else if (key.starts_with("-3"))
        block_ = Block::other;
      else if (key.starts_with("-4"))
        begin_field(line);
      else if (key == "2C" || key == "3C")
        block_ = key == "2C" ? Block::nodes : Block::elements, refuse_binary(line);
      else if (key.starts_with("100C"))
        begin_step(line);
    }
    if (out_.nodes.empty())
      throw ModelError(lines_.where(), "the file has no nodes.", "A result of CalculiX (.frd) as text is needed.");
    return std::move(out_);
  }

 private:
  enum class Block { other, nodes, elements, displacements };

  std::string_view cell(std::string_view line, std::size_t first, std::size_t width) const {
    return first < line.size() ? line.substr(first, width) : std::string_view();
  }
  // The last digit of the head of a block: 0 short text, 1 long text, 2 and 3 binary.
  void refuse_binary(std::string_view line) const {
    const auto w = words(line);
    if (!w.empty() && (w.back() == "2" || w.back() == "3"))
      throw ModelError(lines_.where(), "the file is binary.",
                       "Let CalculiX write text: *NODE FILE without OUTPUT=BIN.");
  }

  void begin_step(std::string_view line) {
    next_ = {};
    next_.where = lines_.where();
    next_.value = fe_number(cell(line, 12, 12), lines_.where());
    next_.is_vibration = line.find("MODAL") != std::string_view::npos;
    const auto step = fe_number(cell(line, 58, 5));
    next_.step = step ? static_cast<int>(*step) : 0;
  }

  void begin_field(std::string_view line) {
    block_ = trimmed(cell(line, 5, 8)) == "DISP" ? Block::displacements : Block::other;
    if (block_ == Block::displacements) out_.displacements.push_back(next_);
  }

  Vec3d vector(std::string_view line) const {
    Vec3d v;
    for (int i = 0; i < 3; ++i) v[i] = fe_number(cell(line, 13 + 12 * static_cast<std::size_t>(i), 12), lines_.where());
    return v;
  }

  void record(std::string_view line) {
    if (block_ == Block::other) return;
    const int number = fe_integer(cell(line, 3, 10), lines_.where());
    if (block_ == Block::nodes) {
      out_.nodes[number] = vector(line);
    } else if (block_ == Block::displacements) {
      if (!out_.nodes.contains(number))
        throw ModelError(lines_.where(), fmt::format("node {} has a displacement, but is not there.", number));
      out_.displacements.back().at[number] = vector(line);
    } else if (trimmed(line).starts_with("-1")) {
      element_ = number;
      out_.elements[element_];
    } else {
      for (std::size_t first = 3; !trimmed(cell(line, first, 10)).empty(); first += 10)
        out_.elements[element_].push_back(fe_integer(cell(line, first, 10), lines_.where()));
    }
  }

  TextLines lines_;
  Frd out_;
  Block block_ = Block::other;
  FrdField next_;
  int element_ = 0;
};

}  // namespace

Frd read_frd(std::string_view text, const std::string& file) { return FrdReader(text, file).result(); }

flexible::Dense shapes_of(const Frd& frd, const flexible::FeModel& part, const std::string& file) {
  flexible::Dense shapes = flexible::Dense::Zero(part.dofs, static_cast<int>(frd.displacements.size()));
  if (shapes.cols() == 0)
    throw ModelError({file}, "the file has no displacements.",
                     "Let CalculiX write them: *NODE FILE, and U in the next line.");
  for (int k = 0; k < shapes.cols(); ++k) {
    const FrdField& field = frd.displacements[static_cast<std::size_t>(k)];
    for (const flexible::FeNode& node : part.nodes) {
      if (node.is_inner) continue;
      const auto number = fe_number(node.name);
      const auto found = number ? field.at.find(static_cast<int>(*number)) : field.at.end();
      if (found == field.at.end())
        throw ModelError(field.where, fmt::format("there is no displacement of node \"{}\" of the mesh.", node.name),
                         "The result belongs to another mesh.");
      for (std::size_t i = 0; i < 3; ++i) {
        if (node.dof[i] >= 0) shapes(node.dof[i], k) = found->second[static_cast<int>(i)];
      }
    }
  }
  return shapes;
}

}  // namespace skyhook::io::fe
