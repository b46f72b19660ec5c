// Which material each element of an input file of CalculiX has: *ELSET, *SOLID SECTION, *MATERIAL, *ELASTIC.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "skyhook/flexible/beam_section.h"
#include "skyhook/io/flexible/text_table.h"

namespace skyhook::io::fe {

// "*ELEMENT, TYPE=C3D20, ELSET=BAR"
struct Keyword {
  std::string name;
  std::map<std::string, std::string> options;  // names in capitals
};
Keyword keyword_of(std::string_view line);

// "1, 9, 2" of *NSET and *ELSET with GENERATE.
std::vector<int> generated(const std::vector<std::string>& cells, const Location& where);

class CalculixMaterials {
 public:
  void begin(const Keyword& keyword);
  void data(std::string_view line, const Location& where);
  void add_element(int number, const Keyword& element);  // of *ELEMENT, ELSET=
  // nullopt: none, or one that is not isotropic and elastic.
  std::optional<flexible::Material> of(int element) const;

 private:
  void element_set(std::string_view line, const Location& where);
  void elastic(std::string_view line, const Location& where);
  void section(std::string_view line, const Location& where) const;

  Keyword keyword_;
  std::string material_;  // that *ELASTIC and *DENSITY belong to
  std::map<std::string, std::set<int>> sets_;
  std::vector<std::pair<std::string, std::string>>
      sections_;  // set and material; the last that has an element counts, as in ccx
  std::map<std::string, flexible::Material> materials_;
};

}  // namespace skyhook::io::fe
