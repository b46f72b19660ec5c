#include "skyhook/flexible/reduction.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "skyhook/flexible/beams.testing.h"
#include "skyhook/flexible/part_options.h"
#include "skyhook/flexible/thermal.h"

using namespace skyhook;
using namespace skyhook::flexible;

namespace {

PartOptions with_places(const std::vector<std::string>& names) {
  PartOptions o;
  for (const std::string& n : names) o.places.push_back({n, {"part.yaml", 7, 1}, {n}, {}, 0});
  o.where = o.reduction.where = {"part.yaml", 8, 1};
  return o;
}

double worst(const Quality& q) {
  double w = 0;
  for (const StaticError& s : q.statics) w = std::max(w, std::abs(s.error()));
  return w;
}

std::string message(const FeModel& fe, const PartOptions& o) {
  try {
    reduce_part(fe, o);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("Craig-Bampton with all vibrations is the full model: frequencies and statics") {
  const FeModel fe = straight_beam({.elements = 4}, {{"m", "b", {}, 0.3, Mat3d::diagonal({1e-4, 2e-4, 2e-4})}});
  PartOptions o = with_places({"a", "b"});
  o.reduction.modes = 1000;  // all: 30 unknowns, less six of either place
  const ReducedPart part = reduce_part(fe, o);
  CHECK(part.reduced.vibrations == 18);
  CHECK(part.body.modes == 24);  // and all but six of the thirty motions of the mesh deform it
  const Quality q = quality_of(fe, part.places, part.reduced, 24);
  REQUIRE(q.vibrations.size() == 24);
  for (const FreeVibration& v : q.vibrations) {
    CHECK(v.hz == doctest::Approx(v.full_hz).epsilon(1e-8));
    CHECK(v.mac == doctest::Approx(1).epsilon(1e-6));
  }
  CHECK(worst(q) < 1e-9);
}

TEST_CASE(
    "Craig-Bampton with few vibrations keeps statics at its places exactly, and frequencies fall towards the full "
    "ones") {
  const FeModel fe = straight_beam({.elements = 20});
  double last = 1;
  for (const int modes : {2, 6, 24}) {
    PartOptions o = with_places({"a", "b"});
    o.reduction.modes = modes;
    const ReducedPart part = reduce_part(fe, o);
    CHECK(part.body.modes == modes + 6);
    const Quality q = quality_of(fe, part.places, part.reduced, 4);
    // Static shapes of a held part do not have the inertia that balances a unit force on a free one: exact without inertia, and nearly with it.
    for (const FreeVibration& v : q.vibrations) CHECK(v.hz >= v.full_hz * (1 - 1e-9));  // Rayleigh
    const double error = q.vibrations[3].hz / q.vibrations[3].full_hz - 1;
    CHECK(error < last);
    last = error;
  }
  CHECK(last < 1e-4);
}

TEST_CASE("Free vibrations with deformations under unit forces: statics of the floating part are exact") {
  const FeModel fe = straight_beam({.elements = 20});
  PartOptions o = with_places({"a", "b"});
  o.reduction.boundary = ReductionOptions::Boundary::free;
  o.reduction.modes = 4;
  const ReducedPart part = reduce_part(fe, o);
  const Quality q = quality_of(fe, part.places, part.reduced, 4);
  for (const FreeVibration& v : q.vibrations) CHECK(v.hz == doctest::Approx(v.full_hz).epsilon(1e-9));
  CHECK(worst(q) < 1e-8);
  o.reduction.with_static = false;
  const ReducedPart bare = reduce_part(fe, o);
  CHECK(worst(quality_of(fe, bare.places, bare.reduced, 4)) > 0.05);  // what vibrations alone leave out
}

TEST_CASE("Responses at a frequency make the answer there exact") {
  // A unit force on the floating part at 300 Hz: the reduced dynamic stiffness against the full one.
  const FeModel fe = straight_beam({.elements = 16});
  PartOptions o = with_places({"a"});
  o.reduction.boundary = ReductionOptions::Boundary::free;
  o.reduction.modes = 2, o.reduction.with_static = false, o.reduction.response_at = {300};
  const ReducedPart part = reduce_part(fe, o);
  const double square = std::pow(2 * std::numbers::pi * 300, 2);
  const Dense D = Dense(fe.stiffness) - square * Dense(fe.mass);
  Dense V(fe.dofs, part.reduced.shapes.cols() + 6);  // the frame moves too
  V << part.reduced.shapes, rigid_motions(fe);
  Column force = Column::Zero(fe.dofs);
  force[fe.nodes[0].dof[2]] = 1;
  const double full = D.fullPivLu().solve(force)[fe.nodes[0].dof[2]];
  const Column own = V * (V.transpose() * D * V).fullPivLu().solve(V.transpose() * force);
  CHECK(own[fe.nodes[0].dof[2]] == doctest::Approx(full).epsilon(1e-7));
}

TEST_CASE(
    "Frames: tangent, chord and mean axes fulfil their conditions and float with the same vibrations when shapes are "
    "complete") {
  const FeModel fe = straight_beam({.elements = 3}, {{"m", "b", {}, 0.3, {}}});
  std::vector<double> first;
  for (const auto frame : {PartOptions::Frame::tangent, PartOptions::Frame::chord, PartOptions::Frame::mean}) {
    PartOptions o = with_places({"a", "b"});
    o.frame = frame;
    if (frame != PartOptions::Frame::mean) o.frame_places = {"a"};
    if (frame == PartOptions::Frame::chord) o.frame_places.push_back("b");
    o.reduction.modes = 100;
    const ReducedPart part = reduce_part(fe, o);
    CHECK(part.body.modes == fe.dofs - 6);
    CHECK((part.reduced.frame.rows * part.reduced.shapes).cwiseAbs().maxCoeff() < 1e-8);
    const Quality q = quality_of(fe, part.places, part.reduced, 6);
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(q.vibrations[i].hz == doctest::Approx(q.vibrations[i].full_hz).epsilon(1e-7));
  }
}

TEST_CASE("A cantilever's shapes in the tangent frame are those of the clamped beam, and carry its mass") {
  const FeModel fe = straight_beam({.elements = 12});
  PartOptions o = with_places({"a"});
  o.frame = PartOptions::Frame::tangent, o.frame_places = {"a"};
  o.reduction.modes = 20, o.reduction.with_static = false;
  const ReducedPart part = reduce_part(fe, o);
  const Vibrations v = lowest_vibrations(Compliance::held(fe, {0, 1, 2, 3, 4, 5}), 20);
  for (int i = 0; i < 20; ++i) CHECK(part.reduced.squares[i] == doctest::Approx(v.squares[i]).epsilon(1e-8));
  const Dense share = effective_masses(fe, part.reduced.shapes);
  CHECK(share(0, 2) ==
        doctest::Approx(0.6131).epsilon(1e-3));  // of the first bending: 4 (0.7341 / 1.8751)^2, Euler-Bernoulli
  CHECK(share.col(0).sum() ==
        doctest::Approx(8 / (std::numbers::pi * std::numbers::pi)).epsilon(2e-3));  // one axial vibration is among them
  for (int a = 1; a < 3; ++a) CHECK(share.col(a).sum() > 0.85);
  for (int a = 0; a < 6; ++a) CHECK(share.col(a).sum() < 1 + 1e-9);
}

TEST_CASE("Channels: of the vibrations those are kept that contribute to them") {
  const FeModel fe = straight_beam({.elements = 8});
  PartOptions o = with_places({"a", "b"});
  o.reduction.boundary = ReductionOptions::Boundary::free;
  o.reduction.modes = 9, o.reduction.with_static = false;
  const ReducedPart all = reduce_part(fe, o);
  o.channels = {{"a.z > b.z", {"part.yaml", 9, 1}}};
  o.reduction.least_contribution = 1e-6;
  const ReducedPart up = reduce_part(fe, o);
  CHECK(up.body.modes < all.body.modes);
  CHECK(up.reduced.notes.at(0).find("contribute less than 1e-06 to each channel") != std::string::npos);
  for (const FeNode& n : fe.nodes)
    CHECK(up.reduced.shapes.row(n.dof[1]).cwiseAbs().maxCoeff() < 1e-9);  // bending along y does not
  // A free beam whose end is pushed: the first bending has most of what the other end does, and shares add up to 1.
  const Vibrations v = lowest_vibrations(Compliance::free(fe), 9);
  const Dense share = contributions(v, up.places, {{0, 2, 1, 2}, {0, 0, 1, 0}});
  CHECK(share.col(0).sum() == doctest::Approx(1));
  int most = 0;
  CHECK(share.col(0).maxCoeff(&most) > 0.8);
  CHECK(most == 0);
  o.reduction.least_contribution = 0.05;
  CHECK(reduce_part(fe, o).body.modes < up.body.modes);
  o.channels[0].text = "a.z > b.w";
  CHECK(message(fe, o).find("part.yaml:9:1: channel \"a.z > b.w\": \"b.w\" is no direction of a place") !=
        std::string::npos);
  o.channels[0].text = "a.z";
  CHECK(message(fe, o).find("leads nowhere") != std::string::npos);
  o.channels[0].text = "a.z > b.z", o.reduction.boundary = ReductionOptions::Boundary::held;
  CHECK(message(fe, o).find("boundary: free") != std::string::npos);
}

TEST_CASE("Thermal response modes: a warm beam becomes longer, one that is warm on one side bends into a circle") {
  const double L = 1;
  const FeModel fe = straight_beam({.length = L, .elements = 4});
  PartOptions o = with_places({"a", "b"});
  o.reduction.boundary = ReductionOptions::Boundary::free;
  o.reduction.modes = 2, o.reduction.with_static = false, o.reduction.thermal = {"rod", "rod.z", "rod.y"};
  const ReducedPart part = reduce_part(fe, o);
  CHECK(part.reduced.thermals == 3);
  CHECK(part.body.modes == 5);
  const Dense load = thermal_loads(fe, o.reduction.thermal, {});
  CHECK((rigid_motions(fe).transpose() * load).cwiseAbs().maxCoeff() < 1e-9 * load.cwiseAbs().maxCoeff());
  const Dense &V = part.reduced.shapes, own = V * (V.transpose() * fe.stiffness * V).ldlt().solve(V.transpose() * load);
  const auto at = [&](int node, int line, int column) {
    return own(fe.nodes[static_cast<std::size_t>(node)].dof[static_cast<std::size_t>(line)], column);
  };
  const int middle = fe.find("rod.2");
  CHECK(at(1, 0, 0) - at(0, 0, 0) == doctest::Approx(L));  // by a strain of 1
  for (const int i : {1, 2}) {                             // by a curvature of 1
    const int line = i == 1 ? 2 : 1;
    CHECK(std::abs(at(0, line, i) - at(middle, line, i)) == doctest::Approx(L * L / 8));
    CHECK(at(0, line, i) == doctest::Approx(at(1, line, i)));
  }
  o.reduction.thermal = {"bar"};
  CHECK(message(fe, o).find("part.yaml:8:1: thermal: there is no beam or plate \"bar\"") != std::string::npos);
}

TEST_CASE("Reduction: what leaves nothing is said") {
  const FeModel fe = straight_beam({.elements = 4});
  PartOptions o = with_places({"a", "tip"});
  CHECK(message(fe, o).find("part.yaml:7:1: place \"tip\": the mesh has no node \"tip\"") != std::string::npos);
  o = with_places({"a"});
  o.reduction.up_to = 1;
  CHECK(message(fe, o).find("part.yaml:8:1: no vibration lies between 0 and 1 Hz: the first is at") !=
        std::string::npos);
  o = with_places({"a"});
  o.frame = PartOptions::Frame::chord;
  CHECK(message(fe, o).find("the frame needs 2 places or nodes, but has 0") != std::string::npos);
  o = with_places({});
  o.reduction.modes = 0;
  CHECK(message(fe, o).find("no shape is left") != std::string::npos);
}
