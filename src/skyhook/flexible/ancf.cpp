#include "skyhook/flexible/ancf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/flexible/ancf_station.h"

namespace skyhook::flexible {
// Joined builds put files of a folder together: names of this one stand apart.
namespace ancf_line {
namespace {

using Kind = AncfBeam::Kind;
using Vector = AncfVector;

struct Gauss {
  double at, weight;  // of [0, 1]
};

std::vector<Gauss> gauss(int points) {
  switch (points) {
    case 1: return {{0.5, 1.0}};
    case 2: {
      const double a = 0.5 / std::sqrt(3.0);
      return {{0.5 - a, 0.5}, {0.5 + a, 0.5}};
    }
    case 3: {
      const double a = 0.5 * std::sqrt(0.6);
      return {{0.5 - a, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + a, 5.0 / 18}};
    }
    case 4: {
      const double s = 2 * std::sqrt(1.2), a = 0.5 * std::sqrt((3 - s) / 7), b = 0.5 * std::sqrt((3 + s) / 7), w = std::sqrt(30.0) / 72;
      return {{0.5 - b, 0.25 - w}, {0.5 - a, 0.25 + w}, {0.5 + a, 0.25 + w}, {0.5 + b, 0.25 - w}};
    }
    default: {
      const double s = 2 * std::sqrt(10.0 / 7), a = std::sqrt(5 - s) / 6, b = std::sqrt(5 + s) / 6, w = 13 * std::sqrt(70.0) / 1800;
      return {{0.5 - b, 322.0 / 1800 - w}, {0.5 - a, 322.0 / 1800 + w}, {0.5, 64.0 / 225}, {0.5 + a, 322.0 / 1800 + w}, {0.5 + b, 322.0 / 1800 - w}};
    }
  }
}

// Lobatto's rule, exact to degree 3. What vanishes at its points is bound once at each node, not once for each element there.
constexpr std::array<Gauss, 3> lobatto{{{0, 1.0 / 6}, {0.5, 4.0 / 6}, {1, 1.0 / 6}}};

// The shape functions of a vector at one end of an element of length L, with derivatives by x: those of r and r_x are Hermite's cubics, those of
// r_y and r_z are y and z times straight lines.
struct Shape {
  double value, slope, curvature;
};
Shape shape(Vector v, bool at_end, double xi, double L) {
  switch (v) {
    case Vector::r:
      return at_end ? Shape{xi * xi * (3 - 2 * xi), 6 * xi * (1 - xi) / L, (6 - 12 * xi) / (L * L)}
                    : Shape{1 - xi * xi * (3 - 2 * xi), -6 * xi * (1 - xi) / L, (12 * xi - 6) / (L * L)};
    case Vector::rx:
      return at_end ? Shape{L * xi * xi * (xi - 1), xi * (3 * xi - 2), (6 * xi - 2) / L}
                    : Shape{L * xi * (1 - xi) * (1 - xi), (1 - xi) * (1 - 3 * xi), (6 * xi - 4) / L};
    default: return at_end ? Shape{xi, 1 / L, 0} : Shape{1 - xi, -1 / L, 0};
  }
}

// What gradients an integration point may have.
enum class Gradient { x, y, z, xy, xz, xx };

class ElementBuilder {
 public:
  ElementBuilder(const AncfBeam& beam, double length) : beam_(beam), length_(length), vectors_(vectors_of(beam.kind)) {
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
    const Shape n = shape(v, k >= vectors_.size(), xi, length_);
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
      for (int j = i + 1; j < law.slots; ++j) law.terms.push_back({law.strains++, i, j, 1.0}), law.offset.push_back(0.0);
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
  // Points of a section with its area and second moments: of a rectangle those of Gauss, of any other the same with its radii of gyration.
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
    for (const Gauss& g : gauss(5)) {
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
    for (const Gauss& g : lobatto) {
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
    for (const Gauss& g : gauss(2)) add_point(twist, {Gradient::y, Gradient::z, Gradient::xy, Gradient::xz}, g.at, 0, 0, g.weight);
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
    for (const Gauss& g : lobatto) add_point(first, first_gradients(), g.at, 0, 0, g.weight);
    for (const double node : {0.0, 1.0}) add_point(second, first_gradients(), node, 0, 0, 0.5);
    StrainLaw bend;
    bend.dimension = out_.dimension, bend.slots = in_space() ? 3 : 2, bend.strains = bend.slots - 1;
    bend.offset.assign(static_cast<std::size_t>(bend.strains), 0.0);
    bend.terms = {{0, 0, 1, 1.0}};
    bend.D = {young() * s.iz};
    if (in_space()) bend.terms.push_back({1, 0, 2, 1.0}), bend.D = {young() * s.iz, 0, 0, young() * s.iy};
    const int third = add_law(bend);
    const std::vector<Gradient> slots = in_space() ? std::vector{Gradient::x, Gradient::xy, Gradient::xz} : std::vector{Gradient::x, Gradient::xy};
    for (const Gauss& g : gauss(2)) add_point(third, slots, g.at, 0, 0, g.weight);
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
    const auto stretch = is_full ? gauss(5) : std::vector<Gauss>(lobatto.begin(), lobatto.end());
    for (const Gauss& g : stretch) add_point(first, {Gradient::x, Gradient::xx}, g.at, 0, 0, g.weight);
    for (const Gauss& g : gauss(is_full ? 3 : 2)) add_point(second, {Gradient::x, Gradient::xx}, g.at, 0, 0, g.weight);
  }

  const AncfBeam& beam_;
  double length_;
  std::vector<Vector> vectors_;
  AncfElement out_;
};

void refuse(const AncfBeam& beam, const std::string& why, const std::string& advice) {
  throw ModelError(beam.where, fmt::format("beam \"{}\" {}", beam.name, why), advice);
}

void check(const AncfBeam& beam) {
  const Section& s = beam.section;
  const bool bends = s.iz > 0 && (dimension_of(beam.kind) == 2 || is_cable(beam.kind) || (s.iy > 0 && s.it > 0));
  if (!(s.area > 0) || !bends)
    refuse(beam, fmt::format("has a section without area or second moments (area {:.3g} m^2).", s.area), "Give its size, for example rectangle: [40 mm, 40 mm].");
  if (!(beam.material.young > 0)) refuse(beam, "has no modulus of elasticity.", "Write `material: steel`, or young.");
  if (!(beam.material.density > 0))
    refuse(beam, "has no density: its coordinates need mass.", "Write `material: steel`, or density.");
  if (!(beam.poisson > -1 && beam.poisson < 0.5))
    refuse(beam, fmt::format("has Poisson's ratio {:.3g}: it must be above -1 and below 0.5, where nothing changes its volume.", beam.poisson),
           "Steel has 0.3; rubber about 0.49.");
  if (beam.elements < 1) refuse(beam, "has no elements.", "Write elements: 4.");
  if (beam.kind == Kind::cable && std::abs(s.iy - s.iz) > 1e-6 * std::max(s.iy, s.iz))
    refuse(beam, "is a cable in space, which bends alike in all directions, but iy and iz of its section differ.",
           "Give it a round section, or write `type: beam`.");
}

// Elements of one kind, with coordinates by number; -1: one that is held at its design value.
class MeshForces final : public model::ElasticForces {
 public:
  MeshForces(AncfElement element, std::vector<double> design, std::vector<int> number, std::vector<int> slots, int elements)
      : element_(std::move(element)), design_(std::move(design)), number_(std::move(number)), slots_(std::move(slots)), elements_(elements) {}

  double energy(std::span<const double> q) const override {
    double sum = 0;
    Numbers e, rate;
    for (int k = 0; k < elements_; ++k) gather(k, q, {}, e, rate), sum += element_.energy(whole(e));
    return sum;
  }
  double dissipation(std::span<const double> q, std::span<const double> v) const override {
    double sum = 0;
    Numbers e, rate;
    for (int k = 0; k < elements_ && element_.damping != 0.0; ++k) gather(k, q, v, e, rate), sum += element_.dissipation(whole(e), whole(rate));
    return sum;
  }
  void add(std::span<const double> q, std::span<const double> v, std::span<double> f) const override {
    Numbers e, rate, force;
    const int n = element_.numbers();
    for (int k = 0; k < elements_; ++k) {
      gather(k, q, v, e, rate);
      force.fill(0.0);
      element_.add_forces(whole(e), whole(rate), std::span(force.data(), static_cast<std::size_t>(n)));
      for (int i = 0; i < n; ++i) {
        if (const int to = number_of(k, i); to >= 0) f[static_cast<std::size_t>(to)] += force[static_cast<std::size_t>(i)];
      }
    }
  }
  void add_derivatives(std::span<const double> q, std::span<const double> v, std::span<double> by_q, std::span<double> by_v) const override {
    Numbers e, rate;
    const auto n = static_cast<std::size_t>(element_.numbers());
    std::array<double, static_cast<std::size_t>(AncfElement::most_numbers) * AncfElement::most_numbers> K, D;
    for (int k = 0; k < elements_; ++k) {
      gather(k, q, v, e, rate);
      std::fill_n(K.begin(), n * n, 0.0), std::fill_n(D.begin(), n * n, 0.0);
      element_.add_derivatives(whole(e), whole(rate), std::span(K.data(), n * n), std::span(D.data(), n * n));
      const int* const slot = slots_.data() + static_cast<std::size_t>(k) * n * n;
      for (std::size_t i = 0; i < n * n; ++i) {
        if (slot[i] >= 0) by_q[static_cast<std::size_t>(slot[i])] += K[i], by_v[static_cast<std::size_t>(slot[i])] += D[i];
      }
    }
  }

 private:
  using Numbers = std::array<double, AncfElement::most_numbers>;
  std::span<const double> whole(const Numbers& e) const { return {e.data(), static_cast<std::size_t>(element_.numbers())}; }
  // Those of neighbours overlap: an element has its node and the next.
  std::size_t place(int element, int i) const { return static_cast<std::size_t>(element * element_.numbers() / 2 + i); }
  int number_of(int element, int i) const { return number_[place(element, i)]; }
  void gather(int element, std::span<const double> q, std::span<const double> v, Numbers& e, Numbers& rate) const {
    for (int i = 0; i < element_.numbers(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const int from = number_of(element, i);
      e[at] = design_[place(element, i)] + (from >= 0 ? q[static_cast<std::size_t>(from)] : 0.0);
      rate[at] = from >= 0 && !v.empty() ? v[static_cast<std::size_t>(from)] : 0.0;
    }
  }

  AncfElement element_;
  std::vector<double> design_;
  std::vector<int> number_, slots_;
  int elements_;
};

class MeshBuilder {
 public:
  explicit MeshBuilder(const AncfBeam& beam)
      : beam_(beam), axes_(ancf_axes(beam)), vectors_(vectors_of(beam.kind)), d_(dimension_of(beam.kind)),
        length_(norm(beam.to - beam.from) / beam.elements) {}

  model::NodalMesh build() {
    out_.name = beam_.name, out_.where = beam_.where, out_.near = 1e-6 * norm(beam_.to - beam_.from);
    for (int node = 0; node <= beam_.elements; ++node) number_node(node);
    out_.coordinates = static_cast<int>(out_.names.size());
    add_inertia();
    add_forces();
    add_picture();
    return std::move(out_);
  }

 private:
  AncfBeam::End end_of(int node) const {
    return node == 0 ? beam_.start : node == beam_.elements ? beam_.end : AncfBeam::End::free;
  }
  double design_of(int node, Vector v, int c) const {
    if (v == Vector::r) return c == 0 ? node * length_ : 0.0;
    return c == static_cast<int>(v) - 1 ? 1.0 : 0.0;
  }
  // How far a unit of the vector moves material: errors of slopes count as those of the positions that they cause.
  double reach(Vector v) const {
    if (v == Vector::r) return 1.0;
    return v == Vector::rx ? length_ : std::sqrt((v == Vector::ry ? beam_.section.iz : beam_.section.iy) / beam_.section.area);
  }
  void number_node(int node) {
    AncfStation station{.axes = axes_, .kind = beam_.kind, .is_clamped = end_of(node) == AncfBeam::End::clamped, .first = static_cast<int>(out_.names.size()), .coordinates = {}};
    static const char* const letters = "xyz";
    for (const Vector v : vectors_) {
      for (int c = 0; c < d_; ++c) {
        const double design = design_of(node, v, c);
        design_.push_back(design);
        if (is_held(beam_.kind, end_of(node), v, c)) {
          number_.push_back(-1);
          continue;
        }
        number_.push_back(static_cast<int>(out_.names.size()));
        if (moves_frame(beam_.kind, v)) station.coordinates.push_back({v, c});
        const std::string of = v == Vector::r ? "" : fmt::format("slope_{}", letters[static_cast<int>(v) - 1]);
        out_.names.push_back(fmt::format("{}{}{}_{}", of, of.empty() ? "" : "_", letters[c], node));
        out_.design.push_back(design);
        out_.size.push_back(norm(beam_.to - beam_.from) / reach(v));
      }
    }
    const double share = static_cast<double>(node) / beam_.elements;
    const std::string name = node == 0 ? "start" : node == beam_.elements ? "end" : std::to_string(node);
    out_.stations.push_back(station_of(station, name, beam_.from + share * (beam_.to - beam_.from)));
  }

  int per_node() const { return d_ * static_cast<int>(vectors_.size()); }
  int number(int node, std::size_t vector, int c) const {
    return number_[static_cast<std::size_t>(node * per_node() + static_cast<int>(vector) * d_ + c)];
  }

  // Integral of N_k N_l dm of an element, and of N_k dm; those of r_y and r_z with the second moments of the section.
  void add_inertia() {
    const std::size_t n = vectors_.size();
    const double rho = beam_.material.density;
    const auto moment = [&](Vector a, Vector b) {
      if (is_across(a) != is_across(b) || (is_across(a) && a != b)) return 0.0;
      return a == Vector::ry ? beam_.section.iz : a == Vector::rz ? beam_.section.iy : beam_.section.area;
    };
    std::vector<double> M(4 * n * n, 0.0), first(2 * n, 0.0);
    for (const Gauss& g : gauss(4)) {
      for (std::size_t k = 0; k < 2 * n; ++k) {
        const double a = shape(vectors_[k % n], k >= n, g.at, length_).value;
        if (!is_across(vectors_[k % n])) first[k] += rho * beam_.section.area * length_ * g.weight * a;
        for (std::size_t l = 0; l < 2 * n; ++l)
          M[2 * n * k + l] += rho * length_ * g.weight * moment(vectors_[k % n], vectors_[l % n]) * a * shape(vectors_[l % n], l >= n, g.at, length_).value;
      }
    }
    out_.total_mass = rho * beam_.section.area * norm(beam_.to - beam_.from);
    out_.first_design = 0.5 * out_.total_mass * (beam_.from + beam_.to);
    out_.first.assign(static_cast<std::size_t>(out_.coordinates), {});
    PatternBuilder pattern(out_.coordinates, out_.coordinates);
    const auto each = [&](auto&& use) {
      for (int e = 0; e < beam_.elements; ++e) {
        for (std::size_t k = 0; k < 2 * n; ++k) {
          for (std::size_t l = 0; l < 2 * n; ++l) {
            if (M[2 * n * k + l] == 0.0) continue;
            for (int c = 0; c < d_; ++c) {
              const int i = number(e + (k >= n), k % n, c), j = number(e + (l >= n), l % n, c);
              if (i >= 0 && j >= 0) use(i, j, M[2 * n * k + l]);
            }
          }
        }
      }
    };
    each([&](int i, int j, double) { pattern.add(i, j); });
    out_.mass = Csc(std::make_shared<const Pattern>(pattern.build()));
    each([&](int i, int j, double m) { out_.mass.value[static_cast<std::size_t>(out_.mass.pattern->find(i, j))] += m; });
    for (int e = 0; e < beam_.elements; ++e) {
      for (std::size_t k = 0; k < 2 * n; ++k) {
        for (int c = 0; c < d_; ++c) {
          if (const int i = number(e + (k >= n), k % n, c); i >= 0) out_.first[static_cast<std::size_t>(i)] += first[k] * axes_.column(c);
        }
      }
    }
  }

  void add_forces() {
    AncfElement element = ancf_element(beam_, length_);
    const int n = element.numbers();
    const auto of = [&](int e, int i) { return number_[static_cast<std::size_t>(e * per_node() + i)]; };
    PatternBuilder pattern(out_.coordinates, out_.coordinates);
    const auto each = [&](auto&& use) {
      for (int e = 0; e < beam_.elements; ++e) {
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) use(of(e, i), of(e, j));
        }
      }
    };
    each([&](int i, int j) {
      if (i >= 0 && j >= 0) pattern.add(i, j);
    });
    out_.pattern = pattern.build();
    std::vector<int> slots;
    each([&](int i, int j) { slots.push_back(i >= 0 && j >= 0 ? out_.pattern.find(i, j) : -1); });
    out_.forces = std::make_shared<const MeshForces>(std::move(element), design_, number_, std::move(slots), beam_.elements);
  }

  void add_picture() {
    constexpr int parts = 4;
    const std::size_t n = vectors_.size();
    for (int node = 0; node <= beam_.elements; ++node) {
      for (std::size_t k = 0; k < n; ++k) {
        model::MeshPicture::Vector v;
        for (int c = 0; c < d_; ++c) v.design[c] = design_of(node, vectors_[k], c), v.coordinate[c] = number(node, k, c);
        out_.picture.vectors.push_back(v);
      }
    }
    for (int e = 0; e < beam_.elements; ++e) {
      for (int p = 0; p < parts + (e + 1 == beam_.elements ? 1 : 0); ++p) out_.picture.stations.push_back(drawn(e, static_cast<double>(p) / parts));
    }
    out_.picture.height = std::sqrt(12 * beam_.section.iz / beam_.section.area);
    out_.picture.width = beam_.section.area / out_.picture.height;
  }
  model::MeshPicture::Station drawn(int element, double xi) const {
    const std::size_t n = vectors_.size();
    model::MeshPicture::Station out{(element + xi) * length_, {}, {}, {}, {}};
    for (std::size_t k = 0; k < 2 * n; ++k) {
      const Vector v = vectors_[k % n];
      const Shape f = shape(v, k >= n, xi, length_);
      const int number_of_vector = static_cast<int>((static_cast<std::size_t>(element) + k / n) * n + k % n);
      const auto put = [&](std::vector<model::MeshPicture::Term>& to, double weight) {
        if (weight != 0.0) to.push_back({number_of_vector, weight});
      };
      if (is_across(v))
        put(v == Vector::ry ? out.y : out.z, f.value);
      else
        put(out.position, f.value), put(out.slope, f.slope);
    }
    return out;
  }

  const AncfBeam& beam_;
  Mat3d axes_;
  std::vector<Vector> vectors_;
  int d_;
  double length_;
  model::NodalMesh out_;
  std::vector<double> design_;  // of all, those that are held included
  std::vector<int> number_;
};

}  // namespace
}  // namespace ancf_line

Mat3d ancf_axes(const AncfBeam& beam) {
  const Vec3d along = beam.to - beam.from;
  if (!(norm(along) > 0)) ancf_line::refuse(beam, "begins and ends at the same point: it has no length.", "Give `from` and `to` different points.");
  const Vec3d x = normalized(along);
  Vec3d across = beam.up - dot(beam.up, x) * x;
  const bool is_along = !(norm(across) > 1e-6 * norm(beam.up));
  if (is_along && beam.kind == AncfBeam::Kind::cable)  // round: any will do
    across = perpendicular(x);
  else if (is_along)
    ancf_line::refuse(beam, dimension_of(beam.kind) == 2 ? "bends in a plane, but its normal runs along the beam." : "has an `up` that runs along it.",
           "Give a direction across the beam, for example up: [0, 1, 0].");
  const Vec3d z = normalized(across);
  return Mat3d::columns(x, cross(z, x), z);
}

AncfElement ancf_element(const AncfBeam& beam, double length) { return ancf_line::ElementBuilder(beam, length).build(); }

model::NodalMesh ancf_mesh(const AncfBeam& beam) {
  ancf_line::check(beam);
  return ancf_line::MeshBuilder(beam).build();
}

}  // namespace skyhook::flexible
