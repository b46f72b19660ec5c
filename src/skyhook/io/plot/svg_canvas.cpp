#include "skyhook/io/plot/svg_canvas.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "skyhook/base/utf8.h"

namespace skyhook::io::plot {
namespace {

constexpr const char* fonts = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif";

// Advance of the characters from ' ' on in thousandths of the size, as DejaVu Sans has them: the widest of the usual
// fonts, so that what is made to fit here fits with any of them.
constexpr std::array<int, 95> advances = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string hex(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

std::string path_of(const std::vector<Piece>& lines) {
  std::string d;
  for (const Piece& line : lines) {
    for (std::size_t k = 0; k < line.size(); ++k)
      d += (k == 0 ? "M" : k == 1 ? "L" : " ") + number(line[k].x) + "," + number(line[k].y);
  }
  return d;
}

const char* pattern_of(Dash dash) {
  return dash == Dash::dashed ? " stroke-dasharray=\"7 4\"" : dash == Dash::dotted ? " stroke-dasharray=\"2 3\"" : "";
}

}  // namespace

std::string xml_escaped(const std::string& text) {
  std::string out;
  for (char32_t c : decode_utf8(text)) {
    const bool allowed = c == '\t' || c == '\n' || (c >= 0x20 && c != 0x7f && c != 0xfffe && c != 0xffff);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      append_utf8(out, allowed ? c : 0xfffd);
  }
  return out;
}

SvgCanvas::SvgCanvas(double width, double height, const std::string& title) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"{2}\">\n<title>{3}</title>\n",
      number(width), number(height), fonts, xml_escaped(title));
}

void SvgCanvas::stroke(const std::vector<Piece>& lines, const Stroke& s) {
  if (lines.empty()) return;
  out_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} stroke-linejoin=\"round\"",
                      path_of(lines), hex(s.colour), number(s.width), pattern_of(s.dash));
  out_ += s.name.empty() ? "/>\n" : "><title>" + xml_escaped(s.name) + "</title></path>\n";
}

void SvgCanvas::fill(const Piece& polygon, Colour colour) {
  out_ += fmt::format("<path d=\"{}Z\" fill=\"{}\"/>\n", path_of({polygon}), hex(colour));
}

void SvgCanvas::text(const Text& t) {
  const char* anchor = t.align == Align::left ? "start" : t.align == Align::centre ? "middle" : "end";
  const std::string turned =
      t.upwards ? fmt::format(" transform=\"rotate(-90 {} {})\"", number(t.at.x), number(t.at.y)) : "";
  out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n",
                      number(t.at.x), number(t.at.y), number(t.size), hex(t.colour), anchor, turned,
                      t.bold ? " font-weight=\"bold\"" : "", xml_escaped(t.text));
}

double SvgCanvas::width_of(const std::string& text, double size) const {
  double sum = 0;
  for (char32_t c : decode_utf8(text)) sum += c >= 32 && c < 127 ? advances[c - 32] : c < 0x1100 ? 640 : 1000;
  return sum * size / 1000;
}

void SvgCanvas::clip(const std::optional<Rect>& to) {
  if (clipped_) out_ += "</g>\n";
  clipped_ = to.has_value();
  if (!to) return;
  out_ += fmt::format(
      "<clipPath id=\"clip{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>\n"
      "<g clip-path=\"url(#clip{0})\">\n",
      ++clips_, number(to->left), number(to->top), number(to->width), number(to->height));
}

std::string SvgCanvas::finish() {
  clip({});
  return out_ + "</svg>\n";
}

}  // namespace skyhook::io::plot
