# Bundles the report with npm's packages into one page and puts it into the command. Where that is not possible the
# command is built without it, and says so.
include(Npm)
set(report_dir ${CMAKE_CURRENT_SOURCE_DIR}/report)
set(report_build ${CMAKE_CURRENT_BINARY_DIR}/report)
tactus_npm_packages(${report_dir} ${report_build} report_reason)
if(report_reason)
  message(WARNING "The tactus command is built without --report: ${report_reason}.")
  return()
endif()

file(GLOB report_sources CONFIGURE_DEPENDS ${report_dir}/src/* ${report_dir}/*.html ${report_dir}/*.mjs)
set(report_page ${report_build}/page.html)
add_custom_command(
  OUTPUT ${report_page}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${report_dir}/src ${report_build}/src
  COMMAND ${CMAKE_COMMAND} -E copy ${report_dir}/build.mjs ${report_dir}/template.html ${report_build}
  COMMAND ${TACTUS_NODE} build.mjs ${report_page}
  DEPENDS ${report_sources} ${report_build}/lock
  WORKING_DIRECTORY ${report_build}
  COMMENT "Bundling the report"
  VERBATIM)
file(CONFIGURE OUTPUT ${report_build}/page.S @ONLY CONTENT [[
// The report's page as bytes of the command.
.section .rodata
.global tactus_report_page, tactus_report_page_end
.balign 16
tactus_report_page:
.incbin "@report_page@"
tactus_report_page_end:
.section .note.GNU-stack, "", %progbits
]])
set_source_files_properties(${report_build}/page.S PROPERTIES OBJECT_DEPENDS ${report_page})
enable_language(ASM)
target_sources(tactus_host PRIVATE ${report_build}/page.S)
target_compile_definitions(tactus_host PRIVATE TACTUS_REPORT_PAGE)
