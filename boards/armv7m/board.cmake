# tactus_define_board(NAME SOURCE...): the target tactus_board, a static library of start-up, drivers and linker script.
# Whoever links it gets an image that boots. Paths are relative to the top of the tree.
function(tactus_define_board name)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
  set(shared ${PROJECT_SOURCE_DIR}/boards/armv7m)
  set(script ${PROJECT_SOURCE_DIR}/boards/${name}/memory.ld)
  add_library(tactus_board STATIC ${ARGN} ${shared}/startup.cpp ${shared}/fault.cpp ${shared}/beat.cpp)
  target_include_directories(tactus_board PUBLIC ${PROJECT_SOURCE_DIR} PRIVATE ${PROJECT_SOURCE_DIR}/boards/${name})
  target_link_libraries(tactus_board PRIVATE tactus_warnings)
  target_link_options(tactus_board INTERFACE -nostartfiles --specs=nano.specs -L${shared} -T${script})
  set_property(TARGET tactus_board PROPERTY INTERFACE_LINK_DEPENDS ${script} ${shared}/sections.ld)
endfunction()

# tactus_emulate_board(COMMAND...): how the emulator is started for this board. Sets TACTUS_EMULATOR, the command that
# boots the image named behind it, and writes the bare command to the build folder, where `tactus hil` finds it.
function(tactus_emulate_board)
  set(TACTUS_EMULATOR ${ARGN} -display none -monitor none -serial null
                      -semihosting-config enable=on,target=native,arg=uart -kernel PARENT_SCOPE)
  list(JOIN ARGN " " line)
  file(WRITE ${CMAKE_BINARY_DIR}/emulator "${line}\n")
endfunction()

# tactus_flash_board(CONFIGURATION): openocd's name for this board's debugger and chip.
function(tactus_flash_board configuration)
  set(TACTUS_OPENOCD_CONFIGURATION ${configuration} PARENT_SCOPE)
endfunction()
