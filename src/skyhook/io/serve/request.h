// What a browser asks of `skyhook watch`, judged from the head of its request alone. There are two answers to give, and no
// file is ever looked up by what a request says.
#pragma once
#include <string_view>

namespace skyhook::io::serve {

enum class Asked { page, version, nothing };

struct Judgement {
  int status = 200;  // of HTTP
  Asked asked = Asked::nothing;
};

// `head` goes to the empty line that ends it. The name the server was called by must be its own: a hostile page can give
// 127.0.0.1 another name (DNS rebinding), and its requests come with that name.
Judgement judge(std::string_view head, int port);

}  // namespace skyhook::io::serve
