// Parts in Nastran's bulk data: GRID, CBAR and CBEAM with PBAR, PBARL, PBEAM and MAT1, CONM2; and matrices as DMIG, from punch text.
#pragma once
#include "skyhook/flexible/beam_model.h"

namespace skyhook::io::fe {

// A card: its name and its fields, joined over its lines. Fields of 8 and of 16 columns and fields between commas.
struct Card {
  std::string name;
  std::vector<std::string> fields;  // behind the name, from 1 in Nastran's count of 2
  Location where;
  const std::string& field(std::size_t i) const;  // empty where there is none
};
std::vector<Card> read_cards(std::string_view text, const std::string& file);

struct NastranPart {
  flexible::BeamModel beams;          // as the cards have it; empty where there are none
  std::vector<std::string> left_out;  // cards that are not used: "CQUAD4 (12)"
  std::vector<flexible::NamedPoint> grids;
};
NastranPart read_nastran(std::string_view text, const std::string& file);

// Stiffness and mass from DMIG of the given names over the grids of the part, six unknowns a grid that the matrices name.
void read_dmig(std::string_view text, const std::string& file, const std::string& stiffness, const std::string& mass,
               flexible::FeModel& part);

}  // namespace skyhook::io::fe
