#!/bin/sh
# debian.sh FOLDER deb RELEASE PACKAGE...: unpack architecture-independent packages of a release of Debian into FOLDER.
# debian.sh FOLDER deb-src RELEASE PACKAGE: unpack the upstream sources of a package into FOLDER.
#
# RELEASE is a codename, or `this` for the system's own. Debian 12 lacks two header packages that Debian 13 has, and has
# some libraries as an archive for the build machine only, while a board needs their sources. This fetches them with an apt
# whose lists, cache, status and sources all lie beside FOLDER, so nothing is installed and the system's own suites stay as
# they are; root is not needed. The mirror is whichever the system's sources name, and the installed Debian archive keyring
# verifies what it says. About 3 s and 10 MB. Exit status 1 where there is no such apt, mirror or package.
set -eu
folder=$1 kind=$2 release=$3; shift 3
fail() { echo "debian.sh: $*" >&2; exit 1; }
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
command -v apt-get >/dev/null || fail 'this system has no apt-get'
[ -r $keyring ] || fail "no $keyring (apt-get install debian-archive-keyring)"
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
[ "$release" != this ] || release=$codename
case $kind in
  deb) verb='download' ;;
  deb-src) verb='source --download-only' ;;
  *) fail "neither deb nor deb-src: $kind" ;;
esac

mkdir -p "$(dirname "$folder")"
folder=$(cd "$(dirname "$folder")" && pwd)/$(basename "$folder")
work=$(mktemp -d "$(dirname "$folder")/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/unpacked"
: > "$work/status"

scoped() {
  apt-get -q -o Dir::State="$work" -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" \
    -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none "$@"
}
unpack() {
  case $kind in
    deb) for package in "$work"/cache/*.deb; do dpkg -x "$package" "$work/unpacked"; done ;;
    deb-src) tar -xf "$work"/cache/"$1"_*.orig.tar.* -C "$work/unpacked" --strip-components=1 ;;
  esac
}

# A third party's repository may also have a suite of Debian's name; the keyring refuses it and the next one is tried.
mirrors=$(apt-get --print-uris update 2>/dev/null | sed -n "s|^'\(.*\)/dists/$codename/InRelease'.*|\1|p" | sort -u)
for mirror in $mirrors; do
  echo "$kind [signed-by=$keyring] $mirror $release main" > "$work/sources.list"
  if (scoped update -o APT::Update::Error-Mode=any && cd "$work/cache" && scoped $verb "$@") > "$work/log" 2>&1; then
    unpack "$@"
    # The rename makes it whole or absent, also when two builds come here at once.
    mv -T "$work/unpacked" "$folder" 2>/dev/null || [ -d "$folder" ] || fail "cannot make $folder"
    exit 0
  fi
  cat "$work/log" >&2
done
fail "none of the system's package sources served $* ($kind) of $release"
