# tactus_check_image(TARGET): a test that nothing in the linked image can reach the heap, an exception, a type-info or
# printf. The linker script's assertion refuses most of it earlier; nm on the image is the exact proof.
function(tactus_check_image target)
  if(TACTUS_TESTS)
    add_test(NAME ${TACTUS_SUITE}.image.${target}
             COMMAND ${PROJECT_SOURCE_DIR}/cmake/check_image.sh ${CMAKE_NM} $<TARGET_FILE:${target}>)
  endif()
endfunction()
