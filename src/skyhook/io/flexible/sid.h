// Standard input data of flexible bodies (SID) [Wallrapp 1993], the text file .SID_FEM: mass integrals of the shapes as Taylor series in the modal
// coordinates, stiffness, damping, and nodes with their shapes. What each class means in our moments: docs/theory/22_flexible_data.md.
#pragma once
#include <string>
#include <vector>

#include "skyhook/io/flexible/fe_units.h"
#include "skyhook/model/modal_body.h"

namespace skyhook::io::fe {

struct SidBody {
  model::ModalBody body;           // in SI; a unit of each coordinate moves a node by at most 1 m
  std::vector<std::string> notes;  // what the file has and we do not use
};

// Throws ModelError with the line: a class that is not closed or not there, entries outside of their matrix, no units, a mass matrix that is not positive.
SidBody read_sid(const std::string& text, const std::string& file, const FeUnits& units);

struct SidText {
  std::string text;
  std::vector<std::string> notes;  // numbers of nodes, where points have names
};
SidText sid_text(const model::ModalBody& body);

}  // namespace skyhook::io::fe
