// `beam` of a body, or `beams`: lines of elements with nodal coordinates (flexible/ancf.h).
#pragma once
#include "skyhook/flexible/beam_section.h"
#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

class FieldReader;
struct BeamMatterFields;

// What beams are made of, of all kinds (flexible.cpp); what is wrong is reported.
flexible::Material material_of(Reading& reading, const BeamMatterFields& given, const FieldReader& reader,
                               const std::string& what);
flexible::Section section_of(Reading& reading, const BeamMatterFields& given, double poisson, const FieldReader& reader,
                             const std::string& what);

// Fills mesh, mass, place and axes of the body, of `beam` or of `beams`. Throws Report::Known where that cannot be.
void read_beams_body(Node& node, const Node& key, const Scope& scope, model::Body& body, Reading& reading);
void read_beam_body(Node& node, const Node& key, const Scope& scope, model::Body& body, Reading& reading);

// Where a node of it stands, by name. Throws Report::Known after telling that there is none.
Vec3d station_place(const model::Body& body, const std::string& node, const std::string& what, const Location& where,
                    Reading& reading);

// When all sections are read: what stands on such a body stands on its line; roll of cables is warned of.
void check_places_of_beams(Reading& reading);

}  // namespace skyhook::io::model_file
