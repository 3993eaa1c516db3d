# The messages of core/include/tactus/wire/messages.proto, once for each end:
#
#   tactus_messages_target(board)   nanopb: plain structs of fixed size, no heap; target tactus_messages_board
#   tactus_messages_target(host)    protobuf's C++ classes; target tactus_messages_host
#
# The generators are the build machine's; nanopb's three C files are compiled here, since no package has them for a board.
set(TACTUS_MESSAGES_PROTO ${PROJECT_SOURCE_DIR}/core/include/tactus/wire/messages.proto)

find_program(TACTUS_PROTOC protoc)
find_program(TACTUS_NANOPB_GENERATOR protoc-gen-nanopb)
if(NOT TACTUS_PROTOC OR NOT TACTUS_NANOPB_GENERATOR)
  message(FATAL_ERROR "protoc or nanopb's generator is missing; to get them: sudo apt-get install protobuf-compiler nanopb")
endif()

function(tactus_find_nanopb)
  if(EXISTS ${TACTUS_DEPS_DIR}/nanopb/pb_decode.c)
    set(TACTUS_NANOPB_DIR ${TACTUS_DEPS_DIR}/nanopb PARENT_SCOPE)
    return()
  endif()
  if(TACTUS_FETCH AND EXISTS /etc/debian_version)
    message(STATUS "Fetching nanopb's sources from Debian into ${TACTUS_DEPS_DIR}")
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/debian.sh ${TACTUS_DEPS_DIR}/nanopb deb-src this nanopb
                    RESULT_VARIABLE failed ERROR_VARIABLE error)
    if(failed EQUAL 0)
      set(TACTUS_NANOPB_DIR ${TACTUS_DEPS_DIR}/nanopb PARENT_SCOPE)
      return()
    endif()
    message(STATUS "${error}")
  endif()
  tactus_fetch_git(nanopb "nanopb's runtime sources" "apt-get source nanopb" https://github.com/nanopb/nanopb.git 0.4.7)
  set(TACTUS_NANOPB_DIR ${nanopb_SOURCE_DIR} PARENT_SCOPE)
endfunction()

# tactus_protobuf_library(TARGET PROTO FOLDER): protobuf's C++ classes of a schema, generated into that folder.
function(tactus_protobuf_library target proto out)
  find_package(Protobuf QUIET)
  if(NOT TARGET protobuf::libprotobuf)
    message(FATAL_ERROR "protobuf is missing; to get it: sudo apt-get install libprotobuf-dev")
  endif()
  get_filename_component(proto_dir ${proto} DIRECTORY)
  get_filename_component(name ${proto} NAME_WE)
  file(MAKE_DIRECTORY ${out})
  add_custom_command(
    OUTPUT ${out}/${name}.pb.cc ${out}/${name}.pb.h
    COMMAND ${TACTUS_PROTOC} -I${proto_dir} --cpp_out=${out} ${proto}
    DEPENDS ${proto}
    COMMENT "Classes of ${name}.proto" VERBATIM)
  add_library(${target} STATIC ${out}/${name}.pb.cc)
  target_include_directories(${target} SYSTEM PUBLIC ${out})
  target_link_libraries(${target} PUBLIC protobuf::libprotobuf)
endfunction()

function(tactus_messages_target end)
  get_filename_component(proto_dir ${TACTUS_MESSAGES_PROTO} DIRECTORY)
  set(out ${CMAKE_BINARY_DIR}/messages/${end})
  file(MAKE_DIRECTORY ${out})
  if(end STREQUAL board)
    tactus_find_nanopb()
    add_custom_command(
      OUTPUT ${out}/messages.pb.c ${out}/messages.pb.h
      COMMAND ${TACTUS_PROTOC} --plugin=protoc-gen-nanopb=${TACTUS_NANOPB_GENERATOR} -I${proto_dir}
              --nanopb_opt=-f${proto_dir}/messages.options --nanopb_out=${out} ${TACTUS_MESSAGES_PROTO}
      DEPENDS ${TACTUS_MESSAGES_PROTO} ${proto_dir}/messages.options
      COMMENT "Messages for the board" VERBATIM)
    add_library(tactus_messages_board STATIC ${out}/messages.pb.c ${TACTUS_NANOPB_DIR}/pb_common.c
                                             ${TACTUS_NANOPB_DIR}/pb_encode.c ${TACTUS_NANOPB_DIR}/pb_decode.c)
    # One message at a time in memory, no error texts, no fields that grow.
    target_compile_definitions(tactus_messages_board PUBLIC PB_NO_ERRMSG PB_BUFFER_ONLY)
    target_include_directories(tactus_messages_board SYSTEM PUBLIC ${out} ${TACTUS_NANOPB_DIR})
  else()
    tactus_protobuf_library(tactus_messages_host ${TACTUS_MESSAGES_PROTO} ${out})
  endif()
endfunction()
