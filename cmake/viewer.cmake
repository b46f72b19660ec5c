# The page of reports, made from viewer/ by node and linked into the program. Without node everything else is built.

option(SKYHOOK_VIEWER "Build the page of reports (needs node and npm)" ON)
set(SKYHOOK_VIEWER_PAGE "")  # its file; empty: there is none
find_program(NODE NAMES node nodejs)
find_program(NPM npm)
mark_as_advanced(NODE NPM)

if(NOT SKYHOOK_VIEWER)
  message(STATUS "Left out: `skyhook report` and `skyhook watch` (SKYHOOK_VIEWER is OFF).")
elseif(NOT NODE OR NOT NPM)
  message(WARNING "Left out: `skyhook report` and `skyhook watch`, since node or npm is missing. Debian: apt-get install "
                  "nodejs npm, then configure again.")
else()
  set(SKYHOOK_VIEWER_PAGE ${CMAKE_BINARY_DIR}/viewer/page.html)
  set(viewer ${CMAKE_SOURCE_DIR}/viewer)
  set(packages ${CMAKE_BINARY_DIR}/viewer/packages.stamp)
  file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${viewer}/src/*)
  set(build_viewer ${CMAKE_COMMAND} -DNODE=${NODE} -DNPM=${NPM} -DVIEWER=${viewer} -DPAGE=${SKYHOOK_VIEWER_PAGE}
      -DSTAMP=${packages} -P ${CMAKE_SOURCE_DIR}/cmake/build_viewer.cmake)
  add_custom_command(OUTPUT ${packages} COMMAND ${build_viewer} packages
    DEPENDS ${viewer}/package.json ${viewer}/package-lock.json COMMENT "Fetching the packages of the viewer" VERBATIM)
  add_custom_command(OUTPUT ${SKYHOOK_VIEWER_PAGE} COMMAND ${build_viewer} page
    DEPENDS ${packages} ${viewer_sources} ${viewer}/build.mjs COMMENT "Building the viewer" VERBATIM)
  add_custom_target(skyhook_viewer DEPENDS ${SKYHOOK_VIEWER_PAGE})
endif()

# Links the page into the library whose `source` takes it up.
function(skyhook_embed_page library source)
  if(SKYHOOK_VIEWER_PAGE)
    add_dependencies(${library} skyhook_viewer)
    set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${SKYHOOK_VIEWER_PAGE}
      COMPILE_DEFINITIONS SKYHOOK_VIEWER_PAGE="${SKYHOOK_VIEWER_PAGE}")
  endif()
endfunction()
