#include "skyhook/io/model_file/repeat.h"

#include <fmt/format.h>

namespace skyhook::io::model_file {
namespace {

struct Repeat {
  std::string before, index, first, last, after;
  std::size_t first_at = 0, last_at = 0;  // where the two expressions start
};

enum class Form { single, repeat, broken };

// name[i=first..last]rest. An '=' right behind an identifier distinguishes it from an index expression.
Form parse(const std::string& text, Repeat& repeat) {
  const std::size_t open = text.find('['), equals = open == std::string::npos ? open : text.find('=', open);
  if (equals == std::string::npos || text.find(']', open) < equals) return Form::single;
  repeat.before = text.substr(0, open);
  repeat.index = text.substr(open + 1, equals - open - 1);
  const std::size_t dots = text.find("..", equals), close = text.find(']', equals);
  if (!is_identifier(repeat.index) || dots == std::string::npos || close == std::string::npos || dots > close)
    return Form::broken;
  repeat.first_at = equals + 1;
  repeat.last_at = dots + 2;
  repeat.first = text.substr(repeat.first_at, dots - repeat.first_at);
  repeat.last = text.substr(repeat.last_at, close - repeat.last_at);
  repeat.after = text.substr(close + 1);
  return Form::repeat;
}

std::vector<Instance> unroll(const Repeat& repeat, long first, long last, const ScalarReader& scalars) {
  std::vector<Instance> instances;
  for (long i = first; i <= last; ++i) {
    Instance instance{repeat.before + "[" + std::to_string(i) + "]" + repeat.after, scalars.scope()};
    instance.scope.locals.push_back({repeat.index, {static_cast<double>(i), {}}});
    instances.push_back(std::move(instance));
  }
  return instances;
}

}  // namespace

std::vector<Instance> instances_of(const Node& name, const ScalarReader& scalars, const std::string& what) {
  Repeat repeat;
  const Form form = parse(name.text, repeat);
  if (form == Form::broken) {
    scalars.report().add(name, what + ": the repeat in \"" + name.text + "\" is not understood.",
                         "Write it as name[i=1..N].");
    return {};
  }
  if (form == Form::single) {
    Node copy = name;
    const auto resolved = scalars.reference(copy, what);
    return resolved ? std::vector<Instance>{{*resolved, scalars.scope()}} : std::vector<Instance>{};
  }
  Location place = scalars.report().at(name);
  if (name.quoted) ++place.column;
  const auto first = scalars.whole(repeat.first, advanced(place, name.text, repeat.first_at), what);
  const auto last = scalars.whole(repeat.last, advanced(place, name.text, repeat.last_at), what);
  if (!first || !last) return {};
  if (*last - *first >= most_repeats) {
    scalars.report().add(name,
                         fmt::format("{}: repeats from {} to {} are more than {}.", what, *first, *last, most_repeats),
                         "Check the parameters that give the number.");
    return {};
  }
  return unroll(repeat, *first, *last, scalars);
}

}  // namespace skyhook::io::model_file
