// The forms of elastic forces: which strains at which points, with which stiffness.
#include <array>
#include <cmath>

#include "skyhook/flexible/ancf.h"
#include "skyhook/flexible/ancf_shape.h"

namespace skyhook::flexible {
// Joined builds put files of a folder together: names of this one stand apart.
namespace ancf_form {
namespace {

using Vector = AncfVector;

// Lobatto's rule, exact to degree 3. What vanishes at its points is bound once at each node, not once for each element there.
constexpr std::array<AncfPoint, 3> lobatto{{{0, 1.0 / 6}, {0.5, 4.0 / 6}, {1, 1.0 / 6}}};

// What gradients an integration point may have.
enum class Gradient { x, y, z, xy, xz, xx };

class AncfElementBuilder {
 public:
  AncfElementBuilder(const AncfBeam& beam, double length)
      : beam_(beam), length_(length), vectors_(vectors_of(beam.kind)) {
    out_.dimension = dimension_of(beam.kind);
    out_.vectors = 2 * static_cast<int>(vectors_.size());
    out_.damping = beam.damping;
  }

  AncfElement build() {
    if (is_cable(beam_.kind))
      add_cable();
    else if (beam_.forces == AncfBeam::Forces::line)
      add_line();
    else if (beam_.forces == AncfBeam::Forces::continuum)
      add_continuum();
    else
      add_enhanced();
    return std::move(out_);
  }

 private:
  bool in_space() const { return out_.dimension == 3; }
  double young() const { return beam_.material.young; }
  double shear() const { return beam_.material.shear; }

  int add_law(StrainLaw law) {
    out_.laws.push_back(std::move(law));
    return static_cast<int>(out_.laws.size()) - 1;
  }

  void add_point(int law, const std::vector<Gradient>& gradients, double xi, double y, double z, double weight) {
    StrainPoint p;
    p.law = law, p.weight = weight * length_, p.x = xi * length_, p.y = y, p.z = z;
    for (std::size_t s = 0; s < gradients.size(); ++s) {
      for (std::size_t k = 0; k < 2 * vectors_.size(); ++k) p.C[s][k] = coefficient(gradients[s], k, xi, y, z);
    }
    out_.points.push_back(p);
  }
  double coefficient(Gradient g, std::size_t k, double xi, double y, double z) const {
    const Vector v = vectors_[k % vectors_.size()];
    const AncfShape n = ancf_shape(v, k >= vectors_.size(), xi, length_);
    const double across = v == Vector::ry ? y : v == Vector::rz ? z : 1.0;
    switch (g) {
      case Gradient::x: return across * n.slope;
      case Gradient::xx: return across * n.curvature;
      case Gradient::y: return v == Vector::ry ? n.value : 0.0;
      case Gradient::z: return v == Vector::rz ? n.value : 0.0;
      case Gradient::xy: return v == Vector::ry ? n.slope : 0.0;
      default: return v == Vector::rz ? n.slope : 0.0;
    }
  }

  // Green's strains: xx, yy (zz), then 2 xy (2 xz, 2 yz).
  StrainLaw green(std::vector<double> D) const {
    StrainLaw law;
    law.dimension = out_.dimension, law.slots = out_.dimension, law.D = std::move(D);
    for (int i = 0; i < law.slots; ++i) law.terms.push_back({i, i, i, 0.5}), law.offset.push_back(0.5);
    law.strains = law.slots;
    for (int i = 0; i < law.slots; ++i) {
      for (int j = i + 1; j < law.slots; ++j)
        law.terms.push_back({law.strains++, i, j, 1.0}), law.offset.push_back(0.0);
    }
    return law;
  }
  std::vector<Gradient> first_gradients() const {
    return in_space() ? std::vector{Gradient::x, Gradient::y, Gradient::z} : std::vector{Gradient::x, Gradient::y};
  }
  // Plane stress, or all three directions.
  std::vector<double> elasticity() const {
    const double nu = beam_.poisson, E = young(), G = shear();
    if (!in_space()) {
      const double c = E / (1 - nu * nu);
      return {c, nu * c, 0, nu * c, c, 0, 0, 0, G};
    }
    const double c = E / ((1 + nu) * (1 - 2 * nu)), a = c * (1 - nu), b = c * nu;
    std::vector<double> D(36, 0.0);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) D[6 * i + j] = i == j ? a : b;
      D[7 * (i + 3)] = G;
    }
    return D;
  }
  // Points of a section with its area and second moments: of a rectangle those of AncfPoint, of any other the same with its radii of gyration.
  struct Fibre {
    double y, z, area;
  };
  std::vector<Fibre> fibres() const {
    const Section& s = beam_.section;
    const double y = std::sqrt(s.iz / s.area), z = std::sqrt(s.iy / s.area);
    if (!in_space()) return {{-y, 0, s.area / 2}, {y, 0, s.area / 2}};
    return {{-y, -z, s.area / 4}, {y, -z, s.area / 4}, {-y, z, s.area / 4}, {y, z, s.area / 4}};
  }

  void add_continuum() {
    const int law = add_law(green(elasticity()));
    for (const AncfPoint& g : ancf_gauss(5)) {
      for (const Fibre& f : fibres()) add_point(law, first_gradients(), g.at, f.y, f.z, g.weight * f.area);
    }
  }

  // Stretch along the fibres and shear of the axis at both nodes and in the middle of an element, the section's own strains with what Poisson's ratio couples to
  // them at the nodes. A slender element that bends can then leave all of these zero but the bending itself: of six coordinates a node (in a plane) two
  // stretches, two shears and one section bind five; and no other motion is without energy.
  void add_enhanced() {
    std::vector<double> section = elasticity();
    const std::size_t n = in_space() ? 6 : 3, d = in_space() ? 3 : 2;
    std::vector<double> along(n * n, 0.0), slide(n * n, 0.0);
    along[0] = young();
    section[0] -= young();  // what is left is of strains yy + nu xx, zz + nu xx
    slide[n * d + d] = beam_.section.ky * shear(), section[n * d + d] = 0;
    if (in_space()) slide[n * 4 + 4] = beam_.section.kz * shear(), section[n * 4 + 4] = 0;
    const int first = add_law(green(along)), second = add_law(green(section)), third = add_law(green(slide));
    for (const AncfPoint& g : lobatto) {
      for (const Fibre& f : fibres()) add_point(first, first_gradients(), g.at, f.y, f.z, g.weight * f.area);
      add_point(third, first_gradients(), g.at, 0, 0, g.weight * beam_.section.area);
    }
    for (const double node : {0.0, 1.0}) add_point(second, first_gradients(), node, 0, 0, 0.5 * beam_.section.area);
    if (in_space()) add_torsion();
  }
  // Twist (r_z . r_yx - r_y . r_zx) / 2 with G It.
  void add_torsion() {
    StrainLaw law;
    law.dimension = 3, law.slots = 4, law.strains = 1, law.offset = {0.0}, law.D = {shear() * beam_.section.it};
    law.terms = {{0, 1, 2, 0.5}, {0, 0, 3, -0.5}};
    const int twist = add_law(law);
    for (const AncfPoint& g : ancf_gauss(2))
      add_point(twist, {Gradient::y, Gradient::z, Gradient::xy, Gradient::xz}, g.at, 0, 0, g.weight);
  }

  // Of the axis alone: stretch; the section's; shear; bending r_x . r_yx, r_x . r_zx, which is how Green's strain grows across the section.
  void add_line() {
    const Section& s = beam_.section;
    StrainLaw stretch = green(std::vector<double>(in_space() ? 36 : 9, 0.0));
    StrainLaw section = stretch;
    const std::size_t n = static_cast<std::size_t>(stretch.strains), d = in_space() ? 3 : 2;
    stretch.D[0] = young() * s.area;
    stretch.D[(n + 1) * d] = s.ky * shear() * s.area;
    for (std::size_t i = 1; i < d; ++i) section.D[(n + 1) * i] = young() * s.area;
    if (in_space()) stretch.D[(n + 1) * 4] = s.kz * shear() * s.area, section.D[(n + 1) * 5] = shear() * s.area;
    const int first = add_law(stretch), second = add_law(section);
    for (const AncfPoint& g : lobatto) add_point(first, first_gradients(), g.at, 0, 0, g.weight);
    for (const double node : {0.0, 1.0}) add_point(second, first_gradients(), node, 0, 0, 0.5);
    StrainLaw bend;
    bend.dimension = out_.dimension, bend.slots = in_space() ? 3 : 2, bend.strains = bend.slots - 1;
    bend.offset.assign(static_cast<std::size_t>(bend.strains), 0.0);
    bend.terms = {{0, 0, 1, 1.0}};
    bend.D = {young() * s.iz};
    if (in_space()) bend.terms.push_back({1, 0, 2, 1.0}), bend.D = {young() * s.iz, 0, 0, young() * s.iy};
    const int third = add_law(bend);
    const std::vector<Gradient> slots =
        in_space() ? std::vector{Gradient::x, Gradient::xy, Gradient::xz} : std::vector{Gradient::x, Gradient::xy};
    for (const AncfPoint& g : ancf_gauss(2)) add_point(third, slots, g.at, 0, 0, g.weight);
    if (in_space()) add_torsion();
  }

  // Stretch at five points and bending at three, as [Gerstmayr 2008] does, locks where the cable is slender: stretch of degree four along the element
  // cannot vanish all over it while it bends. At both nodes and in the middle it can.
  void add_cable() {
    const Section& s = beam_.section;
    const std::size_t n = in_space() ? 4 : 2;
    StrainLaw law;
    law.kind = StrainLaw::Kind::cable, law.dimension = out_.dimension, law.slots = 2, law.strains = static_cast<int>(n);
    StrainLaw bending = law;
    law.D.assign(n * n, 0.0), bending.D.assign(n * n, 0.0);
    law.D[0] = young() * s.area;
    for (std::size_t i = 1; i < n; ++i) bending.D[(n + 1) * i] = young() * s.iz;
    const int first = add_law(law), second = add_law(bending);
    const bool is_full = beam_.forces == AncfBeam::Forces::continuum;
    const auto stretch = is_full ? ancf_gauss(5) : std::vector<AncfPoint>(lobatto.begin(), lobatto.end());
    for (const AncfPoint& g : stretch) add_point(first, {Gradient::x, Gradient::xx}, g.at, 0, 0, g.weight);
    for (const AncfPoint& g : ancf_gauss(is_full ? 3 : 2))
      add_point(second, {Gradient::x, Gradient::xx}, g.at, 0, 0, g.weight);
  }

  const AncfBeam& beam_;
  double length_;
  std::vector<Vector> vectors_;
  AncfElement out_;
};

}  // namespace
}  // namespace ancf_form

AncfElement ancf_element(const AncfBeam& beam, double length) {
  return ancf_form::AncfElementBuilder(beam, length).build();
}

}  // namespace skyhook::flexible
