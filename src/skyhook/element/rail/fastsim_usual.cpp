// The nodes of the usual slices, as the build has written them.
#include "skyhook/element/rail/fastsim_nodes.h"

// By the assembler's .incbin, as all that is built into the program (cmake/embed.cmake).
asm(".pushsection .rodata\n"
    ".balign 32\n"
    "skyhook_fastsim_nodes: .incbin \"" SKYHOOK_FASTSIM_NODES
    "\"\n"
    ".popsection");
extern const skyhook::Lanes skyhook_fastsim_nodes[] __attribute__((visibility("hidden")));

namespace skyhook::element::rail::fastsim_nodes {

std::span<const Lanes> usual() { return {skyhook_fastsim_nodes, static_cast<std::size_t>(faces) * per_face}; }

}  // namespace skyhook::element::rail::fastsim_nodes
