#include "skyhook/element/force/wheel_rail.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "skyhook/element/law_check.testing.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/track_line.h"

using namespace skyhook;
using namespace skyhook::element;

namespace {

model::Model with_track() {
  model::Model m = test::two_bodies();
  model::Track track;
  track.name = "main", track.from.body = model::ground, track.rail = "uic60", track.inclination = 1.0 / 40;
  track.line = std::make_shared<const model::TrackLine>();
  m.tracks.push_back(track);
  return m;
}

WheelRail wheel() {
  WheelRail w;
  w.track.index = 0, w.to.body = 0, w.side = "left", w.wheel = "s1002", w.radius = 0.46;
  return w;
}

std::string complaint(const WheelRail& w, model::Model m = with_track()) {
  test::TestSource source;
  try {
    w.add_to(source, m);
  } catch (const ModelError& e) {
    return e.what();
  }
  return {};
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("wheel_rail: each contact is a law with its channels, with or without friction") {
  for (const char* contact : {"hertz", "multi_hertz", "rigid", "quasi_elastic"}) {
    for (const char* creep : {"none", "fastsim", "polach"}) {
      CAPTURE(contact);
      WheelRail w = wheel();
      w.contact = contact, w.creep = creep;
      const model::Contribution c = test::force_of(w, with_track());
      REQUIRE(c.law);
      const auto all = c.law->quantities();
      CHECK(std::ranges::any_of(all, [](const model::Quantity& q) { return q.name == "normal" && q.unit == "N"; }));
      CHECK(std::ranges::any_of(all, [](const model::Quantity& q) { return q.name == "angle" && q.unit == "rad"; }));
    }
  }
}

TEST_CASE("wheel_rail: fields that contradict each other are told") {
  CHECK(complaint(wheel()).empty());
  WheelRail w = wheel();
  w.adhesion = 0.3, w.slip = 0.6;
  CHECK(has(complaint(w), "slip is above adhesion"));
  w = wheel(), w.slices = {24};
  CHECK(has(complaint(w), "two numbers"));
  w = wheel(), w.coefficients = {4, 4};
  CHECK(has(complaint(w), "three numbers"));
  w = wheel(), w.wheel = "s1003";
  CHECK(has(complaint(w), "s1002"));  // did you mean
}

TEST_CASE("wheel_rail: rails that change along the line are of elastic contacts") {
  model::Model m = with_track();
  auto line = std::make_shared<model::TrackLine>();
  line->change_rails({{"uic60_1in20", 50, 2}});
  m.tracks[0].line = line;
  WheelRail w = wheel();
  for (const char* contact : {"hertz", "multi_hertz"}) {
    w.contact = contact;
    CHECK(complaint(w, m).empty());
  }
  for (const char* contact : {"rigid", "quasi_elastic"}) {
    w.contact = contact;
    CHECK(has(complaint(w, m), "no rails that change"));
  }
  w = wheel(), w.contact = "hertz", line->change_rails({{"uic61", 50, 2}});
  CHECK(has(complaint(w, m), "uic6"));
}

TEST_CASE("wheel_rail: with a static load there is its unloading") {
  WheelRail w = wheel();
  const auto has_it = [&] {
    const model::Contribution c = test::force_of(w, with_track());
    return std::ranges::any_of(c.law->quantities(), [](const model::Quantity& q) { return q.name == "unloading"; });
  };
  for (const char* contact : {"hertz", "rigid", "quasi_elastic"}) {
    w.contact = contact, w.static_load = 0;
    CHECK(!has_it());
    w.static_load = 5e4;
    CHECK(has_it());
  }
}

TEST_CASE("wheel_rail: every contact takes a track that turns and is uneven") {
  model::Model m = with_track();
  model::TrackPiece piece;
  piece.length = 100;
  m.tracks[0].line = std::make_shared<const model::TrackLine>(std::vector<model::TrackPiece>{piece},
                                                              model::TrackBegin{{0, 0, 0}, 0.3});
  for (const char* contact : {"hertz", "multi_hertz", "rigid", "quasi_elastic"}) {
    WheelRail w = wheel();
    w.contact = contact;
    CHECK(complaint(w, m).empty());
  }
}
