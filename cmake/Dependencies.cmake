# Where the libraries come from: an installed package first, then Debian 13's (debian.sh says how), then upstream by tag.
# A dependency that none of them gives ends the configuration with one sentence.
option(TACTUS_FETCH "Download missing dependencies" ON)
if(PROJECT_IS_TOP_LEVEL)
  set(TACTUS_DEPS_DIR ${PROJECT_SOURCE_DIR}/build/deps CACHE PATH "Folder for downloaded dependencies, kept between builds")
else()
  set(TACTUS_DEPS_DIR ${CMAKE_CURRENT_BINARY_DIR}/deps CACHE PATH "Folder for downloaded dependencies, kept between builds")
endif()

# Unpacks the packages of Debian 13 that Debian 12 lacks; at most one attempt a configuration.
function(tactus_fetch_trixie)
  get_property(tried GLOBAL PROPERTY tactus_trixie_tried)
  if(tried OR EXISTS ${TACTUS_DEPS_DIR}/trixie OR NOT TACTUS_FETCH OR NOT EXISTS /etc/debian_version)
    return()
  endif()
  set_property(GLOBAL PROPERTY tactus_trixie_tried TRUE)
  message(STATUS "Fetching ETL and Unity from Debian 13 into ${TACTUS_DEPS_DIR}")
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/debian.sh ${TACTUS_DEPS_DIR}/trixie deb trixie libetlcpp-dev cmock
                  ERROR_VARIABLE error)
  if(error)
    message(STATUS "${error}")
  endif()
endfunction()

# tactus_fetch_git(NAME WHAT COMMAND URL TAG): sets NAME_SOURCE_DIR to upstream's sources at that tag.
function(tactus_fetch_git name what command url tag)
  find_package(Git QUIET)
  set(reachable 1)
  if(TACTUS_FETCH AND GIT_EXECUTABLE)
    execute_process(COMMAND ${GIT_EXECUTABLE} ls-remote --exit-code --tags ${url} ${tag} RESULT_VARIABLE reachable
                    OUTPUT_QUIET ERROR_QUIET TIMEOUT 30)
  endif()
  if(NOT reachable EQUAL 0)
    message(FATAL_ERROR "${what} is missing; to get it: ${command}")
  endif()
  message(STATUS "Fetching ${what} ${tag} from upstream")
  include(FetchContent)
  set(FETCHCONTENT_BASE_DIR ${TACTUS_DEPS_DIR})
  # A folder that does not exist: its sources are wanted, its build is not.
  FetchContent_Declare(${name} GIT_REPOSITORY ${url} GIT_TAG ${tag} GIT_SHALLOW TRUE SOURCE_SUBDIR none)
  FetchContent_MakeAvailable(${name})
  set(${name}_SOURCE_DIR ${${name}_SOURCE_DIR} PARENT_SCOPE)
endfunction()

# tactus_header_library(TARGET INCLUDE_DIR): a header-only dependency that the system does not have.
function(tactus_header_library target include_dir)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${include_dir})
endfunction()

# Headers only, so the build machine's packages serve a cross build as well; its own root is never the place.
set(anywhere CONFIG QUIET PATHS /usr/local /usr NO_CMAKE_FIND_ROOT_PATH)

find_package(Eigen3 3.4 ${anywhere})
if(NOT TARGET Eigen3::Eigen)
  tactus_fetch_git(eigen "Eigen 3.4" "sudo apt-get install libeigen3-dev" https://gitlab.com/libeigen/eigen.git 3.4.0)
  tactus_header_library(Eigen3::Eigen ${eigen_SOURCE_DIR})
  if(TACTUS_INSTALL)  # beside tactus, so that an installed tactus is complete
    install(DIRECTORY ${eigen_SOURCE_DIR}/Eigen DESTINATION include/tactus-deps)
  endif()
endif()

# Of the host's logs, and of tests.
if(NOT CMAKE_CROSSCOMPILING)  # where it is installed its include folder is /usr/include: not for another machine
  find_package(etl 20.39 ${anywhere})
endif()
if(NOT TARGET etl::etl AND (TACTUS_TESTS OR TACTUS_HOST_SIM))
  tactus_fetch_trixie()
  if(EXISTS ${TACTUS_DEPS_DIR}/trixie/usr/include/etl)
    tactus_header_library(etl::etl ${TACTUS_DEPS_DIR}/trixie/usr/include)
  else()
    tactus_fetch_git(etl "ETL, the Embedded Template Library 20.39" "sudo apt-get install libetlcpp-dev (Debian 13 or later)"
                     https://github.com/ETLCPP/etl.git 20.39.4)
    tactus_header_library(etl::etl ${etl_SOURCE_DIR}/include)
  endif()
endif()

if(TACTUS_TESTS)
  # Its one C file is compiled here, because a board needs it configured otherwise than a host.
  find_path(TACTUS_UNITY_DIR unity.c PATHS /usr/share/cmock/vendor/unity/src ${TACTUS_DEPS_DIR}/trixie/usr/share/cmock/vendor/unity/src
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT TACTUS_UNITY_DIR)
    tactus_fetch_trixie()
    find_path(TACTUS_UNITY_DIR unity.c PATHS ${TACTUS_DEPS_DIR}/trixie/usr/share/cmock/vendor/unity/src NO_DEFAULT_PATH
              NO_CMAKE_FIND_ROOT_PATH)
  endif()
  if(NOT TACTUS_UNITY_DIR)
    tactus_fetch_git(unity "Unity, the unit test framework" "sudo apt-get install cmock (Debian 13 or later)"
                     https://github.com/ThrowTheSwitch/Unity.git v2.6.1)
    set(TACTUS_UNITY_DIR ${unity_SOURCE_DIR}/src CACHE PATH "Folder of unity.c" FORCE)
  endif()
endif()

# What only the host's tools need; all that is missing goes into one sentence.
if(NOT TACTUS_BOARD AND (TACTUS_TESTS OR TACTUS_HOST_SIM))
  set(missing)
  foreach(dependency "nlohmann_json 3.11 nlohmann-json3-dev" "CLI11 2 libcli11-dev" "fmt 9 libfmt-dev"
          "urdfdom any liburdfdom-dev")
    string(REPLACE " " ";" dependency ${dependency})
    list(POP_FRONT dependency package version debian_package)
    string(REPLACE any "" version ${version})  # urdfdom's package does not tell its version
    find_package(${package} ${version} CONFIG QUIET)
    if(NOT ${package}_FOUND)
      list(APPEND missing ${debian_package})
    endif()
  endforeach()
  if(missing)
    list(JOIN missing " " missing)
    message(FATAL_ERROR "The tactus command and its tests miss libraries; to get them: sudo apt-get install ${missing}")
  endif()
endif()
