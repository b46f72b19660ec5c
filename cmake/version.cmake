# Writes skyhook/version.h. configure_file leaves the file alone when nothing changed, so nothing is rebuilt then.
execute_process(
  COMMAND git describe --tags --always --dirty
  WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(REVISION "unknown")
endif()
configure_file(${SOURCE_DIR}/cmake/version.h.in ${OUTPUT} @ONLY)
