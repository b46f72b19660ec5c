// Cross-sections and materials of beams.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace skyhook::flexible {

struct Material {
  double young = 0, shear = 0, density = 0;  // N/m^2, N/m^2, kg/m^3
};

// steel, aluminium, titanium: the usual values of handbooks. nullopt: not known.
std::optional<Material> material_named(const std::string& name);
std::vector<std::string> material_names();

// y and z are axes of the section, through its centre: principal ones.
struct Section {
  double area = 0;                // m^2
  double iy = 0, iz = 0;          // integral of z^2 dA, of y^2 dA
  double it = 0;                  // of torsion
  double ky = 0.833, kz = 0.833;  // shear areas over the area, for shear along y and along z; 0: no shear deformation
  double width = 0, height = 0;   // how far it reaches along y and z, for pictures; 0: not given
  bool is_round = false;
  // For stresses: fibres {y, z} on the rim, and the moment of torsion over the largest shear stress that it makes, m^3. None, 0: not known.
  std::vector<std::array<double, 2>> fibres = {};
  double torsion_modulus = 0;
};

// Eight fibres around a round section, the corners of a rectangle. Shear factors are those of [Cowper 1966], which depend on Poisson's ratio.
Section round_section(double diameter, double inner, double poisson);
// Width along y, height along z. `wall` 0: solid. The torsion of thin-walled boxes is Bredt's.
Section rectangle_section(double width, double height, double wall, double poisson);

}  // namespace skyhook::flexible
