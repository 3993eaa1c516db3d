#!/bin/sh
# setup.sh GROUP...: install what is missing on Debian 12, with apt, as root or with sudo. Groups:
#   host    compilers, checkers and libraries for the tactus command and the tests on the host
#   target  the cross compiler and QEMU, for the boards
#   web     node and its package manager, for the report
#   browser chromium, which looks at the report in the tests
#   peers   the other solvers, for the measurement beside them (long tests)
# Each line is a package and what tells that it is there: a command, or a file. Quick when nothing is missing.
set -eu
needs_host='
  g++ g++
  cmake cmake
  ninja-build ninja
  ccache ccache
  git git
  ca-certificates /etc/ssl/certs/ca-certificates.crt
  clang clang++
  libclang-rt-14-dev /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.asan-x86_64.a
  clang-tidy clang-tidy
  clang-format clang-format
  libeigen3-dev /usr/include/eigen3/Eigen/Core
  nlohmann-json3-dev /usr/include/nlohmann/json.hpp
  libcli11-dev /usr/include/CLI/CLI.hpp
  libfmt-dev /usr/include/fmt/core.h
  liburdfdom-dev /usr/include/urdf_parser/urdf_parser.h
  protobuf-compiler protoc
  libprotobuf-dev /usr/include/google/protobuf/message.h
  nanopb protoc-gen-nanopb
  libnanopb-dev /usr/include/pb.h'
needs_target='
  gcc-arm-none-eabi arm-none-eabi-gcc
  libnewlib-arm-none-eabi /usr/lib/arm-none-eabi/newlib/libc.a
  libstdc++-arm-none-eabi-newlib /usr/lib/arm-none-eabi/newlib/libstdc++.a
  qemu-system-arm qemu-system-arm
  python3-scipy /usr/lib/python3/dist-packages/scipy/optimize/__init__.py
  nanopb protoc-gen-nanopb
  libnanopb-dev /usr/include/pb.h'
needs_web='
  nodejs node
  npm npm'
needs_browser='chromium chromium'
needs_peers='
  make make
  python3 python3
  valgrind valgrind
  siconos siconos
  libsiconos-numerics-dev /usr/include/siconos/numerics/LCP_Solvers.h
  libsiconos-kernel-dev /usr/include/siconos/kernel/SiconosKernel.hpp
  libbullet-dev /usr/include/bullet/btBulletDynamicsCommon.h
  libode-dev /usr/include/ode/ode.h
  libmujoco-dev /usr/include/mujoco/mujoco.h
  libdart-dev /usr/include/dart/dart.hpp'

missing=
for group in "$@"; do
  eval "needs=\${needs_$group-}"
  [ -n "$needs" ] || { echo "setup.sh: no group $group (host, target, web, browser, peers)" >&2; exit 2; }
  set -- $needs
  while [ $# -gt 0 ]; do
    case $2 in
      /*) [ -e "$2" ] || missing="$missing $1" ;;
      *) command -v "$2" >/dev/null || missing="$missing $1" ;;
    esac
    shift 2
  done
done
[ -n "$missing" ] || exit 0
missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')

if ! command -v apt-get >/dev/null; then
  echo "setup.sh: this system has no apt-get; please install what these Debian packages hold: $missing" >&2
  exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup.sh: as root, please: apt-get install $missing" >&2; exit 1; }
  sudo=sudo
fi
echo "Installing: $missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ $sudo apt-get -q update && $sudo apt-get -qy -o DPkg::Lock::Timeout=300 --no-install-recommends install $missing; } > "$log" 2>&1 &
apt=$!
while kill -0 $apt 2>/dev/null; do
  sleep 1
  if [ -t 1 ]; then printf '\r\033[K  %.70s' "$(tail -n 1 "$log" | tr -d '\r')"; fi
done
if [ -t 1 ]; then printf '\r\033[K'; fi
wait $apt || { tail -n 20 "$log" >&2; echo "setup.sh: apt-get could not install: $missing" >&2; exit 1; }
