// A part from whatever file has it.
#pragma once
#include <map>

#include "skyhook/flexible/fe_model.h"

namespace skyhook::io::fe {

struct FeFiles {
  std::string file;              // .inp (CalculiX), .mtx (stiffness), .bdf, .nas, .dat (Nastran)
  std::string mass, node_table;  // with .mtx
  std::string dmig;              // with Nastran: "K,M", names of matrices in punch text; empty: beams by cards
  std::string punch;             // the file of these; empty: the same
  std::string frd;               // with CalculiX: a result with displacements; empty: none
  std::string units;             // "m-kg-s", "mm-t-s": needed, since these files have none
};

struct FePart {
  flexible::FeModel part;                                // in SI, checked
  std::map<std::string, std::vector<std::string>> sets;  // of nodes, by name, in capitals
  flexible::Dense given;                                 // displacements of the result, as columns; none: no column
  std::vector<std::string> notes;                        // what was left out
};

// Throws ModelError for all that is wrong, with file and line.
FePart import_fe(const FeFiles& files);

}  // namespace skyhook::io::fe
