// standard_profiles FILE: writes the profiles of standards, fitted, which the program has built in.
#include "skyhook/element/rail/standard_profiles.h"

#include <fstream>

int main(int, char** arguments) {
  using namespace skyhook::element::rail;
  std::ofstream file(arguments[1], std::ios::binary);
  for (const StandardProfile& each : standard_profiles) {
    const auto numbers = stored(*fit_standard(each));
    file.write(reinterpret_cast<const char*>(numbers.data()),
               static_cast<std::streamsize>(numbers.size() * sizeof(double)));
  }
  return file.good() ? 0 : 1;
}
