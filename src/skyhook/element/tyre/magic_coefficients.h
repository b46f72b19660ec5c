// The coefficients of the Magic Formula by their names in a tyre property file (`.tir`), in SI units and radians.
#pragma once
#include <span>
#include <string>

namespace skyhook::element::tyre {

struct MagicCoefficients {
  // [DIMENSION], [VERTICAL], [OPERATING_CONDITIONS], [MODEL]
  double radius = 0;                  // UNLOADED_RADIUS, m
  double nominal_load = 0;            // FNOMIN, N
  double stiffness = 0, damping = 0;  // VERTICAL_STIFFNESS N/m, VERTICAL_DAMPING N.s/m
  double stiffness_x = 0,
         stiffness_y = 0;  // LONGITUDINAL_STIFFNESS, LATERAL_STIFFNESS of the carcass, N/m; 0: not told
  double nominal_pressure = 0, pressure = 0;  // NOMPRES, INFLPRES, Pa; 0: not told
  double nominal_speed = 16.7;                // LONGVL, m/s
  // Ranges of validity
  double kappa_min = -1.5, kappa_max = 1.5, alpha_min = -1.5708, alpha_max = 1.5708;
  double camber_min = -0.26181, camber_max = 0.26181, load_min = 0, load_max = 1e6;

  // [SCALING_COEFFICIENTS]: scale factors; 1 where a file has none
  double lfzo = 1, lcx = 1, lmux = 1, lex = 1, lkx = 1, lhx = 1, lvx = 1, lgax = 1, lcy = 1, lmuy = 1, ley = 1, lky = 1,
         lhy = 1, lvy = 1, lgay = 1, lkyc = 1, ltr = 1, lres = 1, lgaz = 1, lkzc = 1, lxal = 1, lyka = 1, lvyka = 1,
         ls = 1, lmx = 1, lvmx = 1, lmy = 1, lsgkp = 1, lsgal = 1, lcz = 1, lip = 1;
  // [LONGITUDINAL_COEFFICIENTS]
  double pcx1 = 0, pdx1 = 0, pdx2 = 0, pdx3 = 0, pex1 = 0, pex2 = 0, pex3 = 0, pex4 = 0, pkx1 = 0, pkx2 = 0, pkx3 = 0,
         phx1 = 0, phx2 = 0, pvx1 = 0, pvx2 = 0, ppx1 = 0, ppx2 = 0, ppx3 = 0, ppx4 = 0, rbx1 = 0, rbx2 = 0, rbx3 = 0,
         rcx1 = 0, rex1 = 0, rex2 = 0, rhx1 = 0, ptx1 = 0, ptx2 = 0, ptx3 = 0;
  // [OVERTURNING_COEFFICIENTS]
  double qsx1 = 0, qsx2 = 0, qsx3 = 0, qsx4 = 0, qsx5 = 0, qsx6 = 0, qsx7 = 0, qsx8 = 0, qsx9 = 0, qsx10 = 0, qsx11 = 0,
         qsx12 = 0, qsx13 = 0, qsx14 = 0, ppmx1 = 0;
  // [LATERAL_COEFFICIENTS]
  double pcy1 = 0, pdy1 = 0, pdy2 = 0, pdy3 = 0, pey1 = 0, pey2 = 0, pey3 = 0, pey4 = 0, pey5 = 0, pky1 = 0, pky2 = 0,
         pky3 = 0, pky4 = 2, pky5 = 0, pky6 = 0, pky7 = 0, phy1 = 0, phy2 = 0, phy3 = 0, pvy1 = 0, pvy2 = 0, pvy3 = 0,
         pvy4 = 0, ppy1 = 0, ppy2 = 0, ppy3 = 0, ppy4 = 0, ppy5 = 0, rby1 = 0, rby2 = 0, rby3 = 0, rby4 = 0, rcy1 = 0,
         rey1 = 0, rey2 = 0, rhy1 = 0, rhy2 = 0, rvy1 = 0, rvy2 = 0, rvy3 = 0, rvy4 = 0, rvy5 = 0, rvy6 = 0, pty1 = 0,
         pty2 = 0;
  // [ROLLING_COEFFICIENTS]
  double qsy1 = 0, qsy2 = 0, qsy3 = 0, qsy4 = 0, qsy5 = 0, qsy6 = 0, qsy7 = 0, qsy8 = 0;
  // [ALIGNING_COEFFICIENTS]
  double qbz1 = 0, qbz2 = 0, qbz3 = 0, qbz4 = 0, qbz5 = 0, qbz6 = 0, qbz9 = 0, qbz10 = 0, qcz1 = 0, qdz1 = 0, qdz2 = 0,
         qdz3 = 0, qdz4 = 0, qdz6 = 0, qdz7 = 0, qdz8 = 0, qdz9 = 0, qdz10 = 0, qdz11 = 0, qez1 = 0, qez2 = 0, qez3 = 0,
         qez4 = 0, qez5 = 0, qhz1 = 0, qhz2 = 0, qhz3 = 0, qhz4 = 0, ssz1 = 0, ssz2 = 0, ssz3 = 0, ssz4 = 0, ppz1 = 0,
         ppz2 = 0;
  // [VERTICAL]
  double breff = 0, dreff = 0, freff = 0, qfz1 = 0, qfz2 = 0, qfz3 = 0, ppfz1 = 0, qre0 = 1, qv1 = 0, qv2 = 0;
  // [STRUCTURAL]
  double pcfx1 = 0, pcfx2 = 0, pcfx3 = 0, pcfy1 = 0, pcfy2 = 0, pcfy3 = 0;
};

// One entry of a section.
struct MagicEntry {
  const char *section, *name;
  double MagicCoefficients::*value;
  const char* unit = "";  // of those that have one, for the conversion: length, force, angle, time, as "N/m"
};
std::span<const MagicEntry> magic_entries();

// The same under another name: of another program, or another version.
struct MagicAlias {
  const char *other, *name;
};
std::span<const MagicAlias> magic_aliases();

}  // namespace skyhook::element::tyre
