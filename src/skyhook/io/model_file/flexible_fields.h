// The described fields of bodies that bend: `flexible` of a body.
#pragma once
#include "skyhook/io/model_file/fields.h"

namespace skyhook::io::model_file {

struct FlexibleFields {
  Part nodes, beams, masses, places, chord, held;
  std::string tangent;
  std::string boundary = "held";
  int modes = 6;
  std::optional<double> from, up_to, drop_above;
  bool with_static = true;
  std::vector<double> response_at, damping, damping_at;
  double participation = 0, mass_damping = 0, stiffness_damping = 0;
  bool stiffening = true;

  static constexpr auto fields = describe(
      field(&FlexibleFields::nodes, "nodes", "m", any(), "points of the mesh by name, global at design: a: [0, 0, 0]")
          .required(),
      field(&FlexibleFields::beams, "beams", "-", any(), "beams between the nodes, by name").required(),
      field(&FlexibleFields::masses, "masses", "-", any(), "masses at nodes, by name"),
      field(&FlexibleFields::places, "places", "-", any(),
            "[node, ...]: where joints and forces attach; default: the nodes under `nodes`"),
      field(&FlexibleFields::tangent, "tangent", "-", any(),
            "node that the reference frame follows; without it and `chord`: mean axes"),
      field(&FlexibleFields::chord, "chord", "-", any(),
            "[a, b]: the frame has its origin in a, and its line to b follows both"),
      field(&FlexibleFields::boundary, "boundary", "-", any(),
            "of the vibrations: held at the places (Craig-Bampton), or free with deformations under unit forces there")
          .one_of("held free"),
      field(&FlexibleFields::modes, "modes", "-", at_least(0.0), "how many vibrations"),
      field(&FlexibleFields::up_to, "up_to", "Hz", positive(), "all vibrations up to this frequency instead"),
      field(&FlexibleFields::from, "from", "Hz", at_least(0.0), "of these, none below"),
      field(&FlexibleFields::with_static, "static", "-", any(),
            "deformations under displacements or forces at the places too"),
      field(&FlexibleFields::response_at, "response_at", "Hz", any(),
            "also the responses to unit forces at the places, at these frequencies"),
      field(&FlexibleFields::participation, "participation", "-", between(0, 1),
            "vibrations that carry a smaller share of the mass, in all directions, are left out"),
      field(&FlexibleFields::drop_above, "drop_above", "Hz", positive(),
            "of all shapes as they come out, those above are left out"),
      field(&FlexibleFields::damping, "damping", "-", at_least(0.0),
            "share of the critical damping, or a list over `damping_at`"),
      field(&FlexibleFields::damping_at, "damping_at", "Hz", at_least(0.0), "frequencies of that list, rising"),
      field(&FlexibleFields::mass_damping, "mass_damping", "1/s", at_least(0.0), "Rayleigh: times the mass"),
      field(&FlexibleFields::stiffness_damping, "stiffness_damping", "s", at_least(0.0),
            "Rayleigh: times the stiffness"),
      field(&FlexibleFields::stiffening, "stiffening", "-", any(),
            "stress of beams by acceleration and rotation stiffens them; not with mean axes, unless `held` is given"),
      field(&FlexibleFields::held, "held", "-", any(),
            "[node, ...]: where the body is held for that stress; default: nodes of the frame"));
};

struct BeamFields {
  std::string from, to, material;
  int elements = 4;
  std::optional<double> young, shear, poisson, density;
  std::optional<double> round, inner, wall, area, iy, iz, it, ky, kz;
  std::vector<double> rectangle;
  Vec3d up{0, 0, 1};

  static constexpr auto fields = describe(
      field(&BeamFields::from, "from", "-", any(), "node where it begins").required(),
      field(&BeamFields::to, "to", "-", any(), "node where it ends").required(),
      field(&BeamFields::elements, "elements", "-", between(1, 1000),
            "it is divided into; nodes between them are called beam.1, beam.2, ..."),
      field(&BeamFields::material, "material", "-", any(),
            "steel, aluminium or titanium; or give young, poisson and density"),
      field(&BeamFields::young, "young", "N/m^2", positive(), "modulus"),
      field(&BeamFields::poisson, "poisson", "-", between(0, 0.5), "ratio; default: 0.3, or that of the material"),
      field(&BeamFields::shear, "shear", "N/m^2", positive(), "modulus; default: from the two before"),
      field(&BeamFields::density, "density", "kg/m^3", at_least(0.0), "of the material"),
      field(&BeamFields::round, "round", "m", positive(), "diameter of a round section"),
      field(&BeamFields::inner, "inner", "m", at_least(0.0), "with `round`: inner diameter of a tube"),
      field(&BeamFields::rectangle, "rectangle", "m", positive(),
            "[width, height] of a rectangular section, the height along `up`"),
      field(&BeamFields::wall, "wall", "m", positive(), "with `rectangle`: thickness of the walls of a box"),
      field(&BeamFields::area, "area", "m^2", positive(), "of any other section"),
      field(&BeamFields::iy, "iy", "m^4", positive(), "its second moment for bending along `up`: integral of z^2 dA"),
      field(&BeamFields::iz, "iz", "m^4", positive(), "for bending across: integral of y^2 dA"),
      field(&BeamFields::it, "it", "m^4", positive(), "its torsion constant"),
      field(&BeamFields::ky, "ky", "-", at_least(0.0),
            "share of the area that carries shear across `up`; 0: no shear deformation"),
      field(&BeamFields::kz, "kz", "-", at_least(0.0), "share of the area that carries shear along `up`"),
      field(&BeamFields::up, "up", "-", any(),
            "direction, global at design; its part across the beam is z of the section")
          .mirrored(Mirror::polar));
};

struct LumpedMassFields {
  std::string node;
  double mass = 0;
  Mat3d inertia = {};

  static constexpr auto fields = describe(
      field(&LumpedMassFields::node, "node", "-", any(), "where it is fixed").required(),
      field(&LumpedMassFields::mass, "mass", "kg", at_least(0.0), "mass").required(),
      field(&LumpedMassFields::inertia, "inertia", "kg.m^2", any(), "about the node in body axes, as of a body"));
};

}  // namespace skyhook::io::model_file
