// cairo, loaded when the first picture is made: it brings fifteen libraries, which each start of the program would load.
#pragma once
#include <cairo.h>

namespace skyhook::io::plot {

// The functions of cairo that are called, each by its name without the prefix.
#define SKYHOOK_CAIRO_CALLS(CALL)                                                                                     \
  CALL(clip)                                                                                                          \
  CALL(create) CALL(destroy) CALL(fill) CALL(font_options_create) CALL(font_options_destroy)                          \
      CALL(font_options_set_antialias) CALL(font_options_set_hint_metrics) CALL(image_surface_create) CALL(line_to)   \
          CALL(move_to) CALL(new_path) CALL(new_sub_path) CALL(rectangle) CALL(reset_clip) CALL(restore) CALL(rotate) \
              CALL(save) CALL(scale) CALL(select_font_face) CALL(set_dash) CALL(set_font_options) CALL(set_font_size) \
                  CALL(set_line_join) CALL(set_line_width) CALL(set_source_rgb) CALL(show_text) CALL(status)          \
                      CALL(status_to_string) CALL(stroke) CALL(surface_destroy) CALL(surface_flush)                   \
                          CALL(surface_write_to_png_stream) CALL(text_extents) CALL(translate)

struct CairoLibrary {
#define SKYHOOK_CALL(name) decltype(&cairo_##name) name = nullptr;
  SKYHOOK_CAIRO_CALLS(SKYHOOK_CALL)
#undef SKYHOOK_CALL
};

// Throws ModelError where it cannot be loaded.
const CairoLibrary& cairo();

}  // namespace skyhook::io::plot
