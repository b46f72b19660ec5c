// The described fields of bodies that bend: `flexible` of a body.
#pragma once
#include "skyhook/io/model_file/fields.h"

namespace skyhook::io::model_file {

struct FlexibleFields {
  Part nodes, beams, plates, masses, places, chord, held, channels, thermal, static_at, preload;
  std::string tangent;
  std::string boundary = "held";
  int modes = 6;
  std::optional<double> from, up_to, drop_above;
  bool with_static = true;
  std::vector<double> response_at, damping, damping_at;
  double participation = 0, contribution = 0.01, mass_damping = 0, stiffness_damping = 0;
  bool stiffening = true;

  static constexpr auto fields = describe(
      field(&FlexibleFields::nodes, "nodes", "m", any(), "points of the mesh by name, global at design: a: [0, 0, 0]")
          .required(),
      field(&FlexibleFields::beams, "beams", "-", any(), "beams between the nodes, by name"),
      field(&FlexibleFields::plates, "plates", "-", any(), "flat plates between four nodes, by name"),
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
      field(&FlexibleFields::static_at, "static_at", "-", any(),
            "[a.z, b.rx, ...]: of a free part, only the deformations under these unit forces and moments: x, y, z, rx, "
            "ry, rz"),
      field(&FlexibleFields::response_at, "response_at", "Hz", any(),
            "also the responses to unit forces at the places, at these frequencies"),
      field(&FlexibleFields::participation, "participation", "-", between(0, 1),
            "vibrations that carry a smaller share of the mass, in all directions, are left out"),
      field(&FlexibleFields::channels, "channels", "-", any(),
            "[a.z > b.z, ...]: a force at one place, and how another moves by it; of free vibrations those count that "
            "contribute to one of "
            "these"),
      field(&FlexibleFields::contribution, "contribution", "-", between(0, 1),
            "with `channels`: the least share of the static answer that a vibration must have"),
      field(&FlexibleFields::thermal, "thermal", "-", any(),
            "[beam, plate, beam.z, ...]: also deformations where these are warm, all over or on one side"),
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
            "[node, ...]: where the body is held for that stress; default: nodes of the frame"),
      field(&FlexibleFields::preload, "preload", "N", any(),
            "forces whose stress stiffens always (a pull) or softens (a push), by place, global at design: tip: [1 kN, "
            "0, 0]"));
};

// What beams of all kinds are made of.
struct BeamMatterFields {
  std::string material;
  std::optional<double> young, shear, poisson, density;
  std::optional<double> round, inner, wall, area, iy, iz, it, ky, kz;
  std::vector<double> rectangle;
  Vec3d up{0, 0, 1};

  static constexpr auto fields = describe(
      field(&BeamMatterFields::material, "material", "-", any(),
            "steel, aluminium or titanium; or give young, poisson and density"),
      field(&BeamMatterFields::young, "young", "N/m^2", positive(), "modulus"),
      field(&BeamMatterFields::poisson, "poisson", "-", between(0, 0.5),
            "ratio; default: 0.3, or that of the material"),
      field(&BeamMatterFields::shear, "shear", "N/m^2", positive(), "modulus; default: from the two before"),
      field(&BeamMatterFields::density, "density", "kg/m^3", at_least(0.0), "of the material"),
      field(&BeamMatterFields::round, "round", "m", positive(), "diameter of a round section"),
      field(&BeamMatterFields::inner, "inner", "m", at_least(0.0), "with `round`: inner diameter of a tube"),
      field(&BeamMatterFields::rectangle, "rectangle", "m", positive(),
            "[width, height] of a rectangular section, the height along `up`"),
      field(&BeamMatterFields::wall, "wall", "m", positive(), "with `rectangle`: thickness of the walls of a box"),
      field(&BeamMatterFields::area, "area", "m^2", positive(), "of any other section"),
      field(&BeamMatterFields::iy, "iy", "m^4", positive(),
            "its second moment for bending along `up`: integral of z^2 dA"),
      field(&BeamMatterFields::iz, "iz", "m^4", positive(), "for bending across: integral of y^2 dA"),
      field(&BeamMatterFields::it, "it", "m^4", positive(), "its torsion constant"),
      field(&BeamMatterFields::ky, "ky", "-", at_least(0.0),
            "share of the area that carries shear across `up`; 0: no shear deformation"),
      field(&BeamMatterFields::kz, "kz", "-", at_least(0.0), "share of the area that carries shear along `up`"),
      field(&BeamMatterFields::up, "up", "-", any(),
            "direction, global at design; its part across the beam is z of the section")
          .mirrored(Mirror::polar));
};

struct BeamFields : BeamMatterFields {
  std::string from, to;
  int elements = 4;

  static constexpr auto fields =
      std::tuple_cat(describe(field(&BeamFields::from, "from", "-", any(), "node where it begins").required(),
                              field(&BeamFields::to, "to", "-", any(), "node where it ends").required(),
                              field(&BeamFields::elements, "elements", "-", between(1, 1000),
                                    "it is divided into; nodes between them are called beam.1, beam.2, ...")),
                     BeamMatterFields::fields);
};

// `beam` of a body, or one of `beams`: nodal coordinates, large deformations.
struct AncfFields : BeamMatterFields {
  Vec3d from, to, normal{0, -1, 0};
  int elements = 8;
  std::string type = "planar_beam", forces = "enhanced", start = "free", end = "free", start_at, end_at;
  double damping = 0;

  static constexpr auto fields = std::tuple_cat(
      describe(
          field(&AncfFields::from, "from", "m", any(), "where it begins, global at design; node \"start\"")
              .required()
              .mirrored(Mirror::point),
          field(&AncfFields::to, "to", "m", any(), "where it ends; node \"end\"").required().mirrored(Mirror::point),
          field(&AncfFields::elements, "elements", "-", between(1, 100000),
                "it is divided into, all as long; nodes between them are called 1, 2, ...; of `beams` mast.1, mast.2, "
                "..."),
          field(&AncfFields::type, "type", "-", any(),
                "beams bend, stretch and shear, a beam in space also twists; cables neither shear nor twist")
              .one_of("planar_beam planar_cable cable beam"),
          field(&AncfFields::forces, "forces", "-", any(),
                "of beams: Green's strains over the volume (continuum), the same without locking (enhanced), or "
                "strains of the axis alone (line)")
              .one_of("enhanced continuum line"),
          field(&AncfFields::start, "start", "-", any(),
                "what holds it there: hinged holds the point, clamped the section too, both at the ground; hinged and "
                "welded (point and section) at `start_at`")
              .one_of("free hinged clamped welded"),
          field(&AncfFields::end, "end", "-", any(), "the same at its end, or at `end_at`")
              .one_of("free hinged clamped welded"),
          field(&AncfFields::start_at, "start_at", "-", any(),
                "node of a line before it in `beams`, which it shares: mast.end, mast.3"),
          field(&AncfFields::end_at, "end_at", "-", any(), "the same at its end"),
          field(&AncfFields::normal, "normal", "-", any(),
                "of the plane that a planar one stays in, global at design, across the beam")
              .mirrored(Mirror::axial),
          field(&AncfFields::damping, "damping", "s", at_least(0.0), "stress by strain rate over stress by strain")),
      BeamMatterFields::fields);
};

struct PlateFields {
  Part corners, elements;
  std::string material;
  double thickness = 0;
  std::optional<double> young, poisson, density;

  static constexpr auto fields = describe(
      field(&PlateFields::corners, "corners", "-", any(), "[a, b, c, d]: nodes around it, in one plane").required(),
      field(&PlateFields::thickness, "thickness", "m", positive(), "of the plate").required(),
      field(&PlateFields::elements, "elements", "-", any(),
            "[along a to b, along b to c] it is divided into; default: [4, 4]. Edges that meet, and beams along them, "
            "need the same "
            "number"),
      field(&PlateFields::material, "material", "-", any(),
            "steel, aluminium or titanium; or give young, poisson and density"),
      field(&PlateFields::young, "young", "N/m^2", positive(), "modulus"),
      field(&PlateFields::poisson, "poisson", "-", between(0, 0.5), "ratio; default: 0.3, or that of the material"),
      field(&PlateFields::density, "density", "kg/m^3", at_least(0.0), "of the material"));
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
