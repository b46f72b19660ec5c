// The described fields of the pages of plots that a report opens first.
#pragma once
#include "skyhook/io/model_file/fields.h"

namespace skyhook::io::model_file {

// An item of a page.
struct PanelFields {
  std::string title, x, view = "curves";
  Part curves, units;

  static constexpr auto fields =
      describe(field(&PanelFields::title, "title", "-", any(), "above the panel"),
               field(&PanelFields::curves, "curves", "-", any(),
                     "what is drawn: channels, \"=formula of channels\" or \"name = formula\", as in the report"),
               field(&PanelFields::x, "x", "-", any(), "channel or formula of the x axis; default: the time"),
               field(&PanelFields::units, "units", "-", any(),
                     "in which the panel shows its quantities: [mm, kN, km/h, g, deg]"),
               field(&PanelFields::view, "view", "-", any(),
                     "what is made of the curves: themselves, their power spectral density, amplitudes over frequency, "
                     "rms of the last "
                     "second, plain or weighted by ISO 2631-1; ellipse: forces of all tyres over their loads")
                   .one_of("curves psd amplitude rms wk wd wc ellipse"));
};

}  // namespace skyhook::io::model_file
