// Colours and sizes of figures.
#pragma once
#include <array>

#include "skyhook/io/plot/canvas.h"

namespace skyhook::io::plot {

struct Theme {
  Colour background, ink, muted, frame, grid, zero, event;
  std::array<Colour, 8> palette;
};

// Okabe and Ito's colours, which people of all kinds of colour vision can tell apart (jfly.uni-koeln.de/color), without
// the yellow that is too pale on white, and ordered so that neighbours differ in lightness as well.
inline constexpr Theme light{{255, 255, 255},
                             {34, 34, 34},
                             {90, 90, 90},
                             {150, 150, 150},
                             {232, 232, 232},
                             {196, 196, 196},
                             {150, 150, 150},
                             {{{0, 114, 178},
                               {213, 94, 0},
                               {0, 158, 115},
                               {204, 121, 167},
                               {86, 180, 233},
                               {230, 159, 0},
                               {0, 0, 0},
                               {130, 130, 130}}}};
inline constexpr Theme dark{{24, 26, 31},
                            {232, 232, 232},
                            {170, 174, 182},
                            {110, 114, 122},
                            {46, 49, 56},
                            {84, 88, 96},
                            {120, 124, 132},
                            {{{86, 180, 233},
                              {240, 140, 60},
                              {40, 196, 150},
                              {224, 150, 192},
                              {240, 228, 66},
                              {60, 140, 220},
                              {255, 255, 255},
                              {160, 160, 160}}}};

inline constexpr double title_size = 15, label_size = 12, tick_size = 11;
inline constexpr double margin = 14, curve_width = 1.6;

}  // namespace skyhook::io::plot
