// References: the formula of its page, written with plain rotations; differences; a circle by hand.
#include "skyhook/element/joint/track.h"

#include <algorithm>
#include <cmath>

#include "skyhook/element/joint_check.testing.h"
#include "skyhook/element/track/line.h"
#include "skyhook/element/track_rounding.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/track_line.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

namespace {

const Mat3d tilted = axis_rotation(Vec3d{0, 1, 0}, 0.1) * axis_rotation(Vec3d{0, 0, 1}, 0.4);

RailLine curved() {
  RailLine line;
  line.from = marker(0, {5, 6, 7}, tilted);
  model::TrackSegment in, arc, straight;
  straight.type = "straight", straight.length = 20;
  in.type = "transition", in.length = 30, in.shape = "sine";
  arc.type = "curve", arc.length = 200, arc.radius = 150, arc.turn = "left", arc.cant = 0.1;
  line.layout = {straight, in, arc};
  return line;
}

model::Model with_track(const RailLine& line = curved()) {
  model::Model model = two_bodies();
  TestSource source;
  line.add_to(source, model);
  return model;
}

TrackJoint beside(const model::Model& model, double s) {
  TrackJoint joint;
  joint.track.index = 0;
  const auto at = model.tracks[0].line->place(s);
  joint.to = marker(1, Vec3d{5, 6, 7} + tilted * (at.position + at.axes * Vec3d{0, 0.01, 0.46}));
  return joint;
}

model::GuidePose<Jet2> pose_at(const model::Joint& joint, double q, double rate = 0) {
  const Jet2 x = jet2(q, rate, 0);
  return joint.shape.dofs.at(0).guide->pose(std::span<const Jet2>(&x, 1));
}

}  // namespace

TEST_CASE("The way along a track carries a body's place and axes along, from wherever it stands at design") {
  const model::Model model = with_track();
  const model::TrackLine& line = *model.tracks[0].line;
  const model::Joint joint = joint_of(beside(model, 35), model);
  CHECK(joint.reference.at(0) == Approx(35).epsilon(1e-12));
  CHECK(joint.reference.at(1) == Approx(0.01).epsilon(1e-9));
  CHECK(joint.reference.at(2) == Approx(0.46).epsilon(1e-11));
  CHECK(joint.shape.dofs.size() == 6);
  const auto from = line.place(35.0);
  for (const double q : {-40.0, 0.0, 10.0, 100.0}) {
    const auto pose = pose_at(joint, q);
    const auto to = line.place(35 + q);
    const Vec3d offset{0, 0.01, 0.46},
        r = tilted * (to.position + to.axes * offset - from.position - from.axes * offset);
    const Mat3d R = tilted * to.axes * transpose(tilted * from.axes);
    for (int i = 0; i < 3; ++i) {
      CHECK(std::abs(value(pose.r[i]) - r[i]) < 1e-11);
      for (int k = 0; k < 3; ++k) CHECK(std::abs(value(pose.R[i][k]) - R[i][k]) < 1e-13);
    }
  }
}

TEST_CASE("On a straight track a body goes along x of the frame that carries it, and does not turn") {
  RailLine line;
  line.from = marker(0, {5, 6, 7}, tilted);
  const model::Joint joint = joint_of(beside(with_track(line), 35), with_track(line));
  const auto pose = pose_at(joint, 12, 3);
  const Vec3d ahead = tilted.column(0);
  for (int i = 0; i < 3; ++i) {
    CHECK(value(pose.r[i]) == Approx(12 * ahead[i]));
    CHECK(rate(pose.r[i]) == Approx(3 * ahead[i]));
    CHECK(acceleration(pose.r[i]) == 0);
    for (int k = 0; k < 3; ++k) CHECK((value(pose.R[i][k]) == (i == k ? 1.0 : 0.0) && rate(pose.R[i][k]) == 0));
  }
}

// On the arc of radius R, the body's point at the distance d to the left goes at 1 - d/R of the speed, but for the cant's cosine; its
// acceleration is towards the centre.
TEST_CASE("On an arc the point beside goes round the centre") {
  const model::Model model = with_track();
  const model::Joint joint = joint_of(beside(model, 35), model);
  const auto pose = pose_at(joint, 100, 20);
  const double tilt = 0.1 / 1.5, left = 0.01 * std::sqrt(1 - tilt * tilt) + 0.46 * tilt;  // level: the cant leans left
  Vec3d v, a;
  for (int i = 0; i < 3; ++i) v[i] = rate(pose.r[i]), a[i] = acceleration(pose.r[i]);
  CHECK(norm(v) == Approx(20 * (1 - left / 150)).epsilon(1e-10));
  CHECK(norm(a) == Approx(400 * (1 - left / 150) / 150).epsilon(1e-9));
  CHECK(std::abs(dot(v, a)) < 1e-10);
}

TEST_CASE("Coordinates can be locked, and a wheelset that rolls has its pitch rate from its radius") {
  const model::Model model = with_track();
  TrackJoint given = beside(model, 10);
  given.locked = {"lateral", "roll"};
  given.speed = 23, given.rolling_radius = 0.46, given.pitch_lever = 0.5;
  const model::Joint joint = joint_of(given, model);
  CHECK(joint.shape.dofs.size() == 4);
  CHECK(joint.shape.dofs[1].name == "vertical");
  CHECK(joint.shape.dofs[3].name == "pitch");
  CHECK(*joint.velocity[0] == 23);
  CHECK(*joint.velocity[3] == Approx(50));
  CHECK(joint.shape.dofs[3].nominal == 2);  // 2 rad move the end of a lever of 0.5 m by a metre
  CHECK(joint.shape.dofs[1].nominal == 1);
}

// References: behind a bend the line goes on where the track does, but for terms of second order, (1/500)^2 reach^3; within it, the bound of
// `track_rounding.h`, which the largest distance must come near to, or the line were not bent at all.
TEST_CASE("Where the curvature of a track jumps, coordinates follow a line that bends, and a warning says so once") {
  RailLine turnout = curved();
  model::TrackSegment change;
  change.type = "line_change", change.radius = 500, change.angle = "1:12", change.turn = "right", change.distance = 4;
  turnout.layout = {turnout.layout[0], change, turnout.layout[0]};
  model::Model model = with_track(turnout);
  const model::TrackLine& track = *model.tracks[0].line;
  REQUIRE(track.jumps().size() >= 4);
  for (const double reach : {1.0, 2.0}) {
    const model::TrackLine line = without_jumps(track, reach);
    CHECK(line.length() == Approx(track.length()).epsilon(1e-14));
    CHECK(line.jumps().empty());
    double within = 0;
    for (double s = 0; s < track.length(); s += 0.01) {
      const double jump = *std::ranges::min_element(track.jumps(), {}, [&](double x) { return std::abs(x - s); });
      const double aside = norm(line.place(s).position - track.place(s).position);
      if (std::abs(jump - s) > reach)
        CHECK(aside < reach * reach * reach / (500 * 500));
      else
        within = std::max(within, aside);
    }
    CHECK(within == Approx(largest_deviation * reach * reach / 500).epsilon(0.05));
    CHECK(norm(line.place(track.length()).axes.column(0) - track.place(track.length()).axes.column(0)) < 1e-13);
  }
  TestSource source;
  for (int k = 0; k < 2; ++k) beside(model, 10).add_to(source, model);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].name == "rounded_line");
}

TEST_CASE("What does not fit beside a track is refused, and its end is the end of the way") {
  const model::Model model = with_track();
  const auto field = [&](auto change) {
    TrackJoint joint = beside(model, 10);
    change(joint);
    return refused_field(joint, model);
  };
  CHECK(field([](TrackJoint&) {}).empty());
  CHECK(field([](TrackJoint& j) { j.locked = {"position"}; }) == "locked");
  CHECK(field([](TrackJoint& j) { j.locked = {"yaw"}, j.yaw = 0.1; }) == "locked");
  CHECK(field([](TrackJoint& j) { j.rolling_radius = 0.5, j.pitch_rate = 1; }) == "rolling_radius");
  CHECK(field([](TrackJoint& j) { j.position = 251; }) == "position");
  CHECK(field([](TrackJoint& j) { j.to.body = 0; }) == "to");
  const auto guide = joint_of(beside(model, 10), model).shape.dofs[0].guide;
  CHECK(guide->refuses(std::array{-500.0}).empty());
  CHECK(guide->refuses(std::array{239.9}).empty());
  CHECK(guide->refuses(std::array{240.1}).find("end of track") != std::string::npos);
}
