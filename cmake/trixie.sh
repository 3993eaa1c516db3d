#!/bin/sh
# trixie.sh FOLDER PACKAGE...: unpack architecture-independent packages of Debian 13 below FOLDER.
#
# Debian 12 lacks two header packages that Debian 13 has. This fetches them with an apt whose lists, cache, status and
# sources all lie in FOLDER, so nothing is installed and the system's own suites stay as they are; root is not needed.
# The mirror is whichever the system's sources name, and the installed Debian archive keyring verifies what it says.
# About 3 s and 10 MB. Exit status 1 where there is no such apt, mirror or package.
set -eu
folder=$1; shift
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
command -v apt-get >/dev/null || { echo "trixie.sh: this system has no apt-get" >&2; exit 1; }
[ -r $keyring ] || { echo "trixie.sh: no $keyring (apt-get install debian-archive-keyring)" >&2; exit 1; }

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d "$folder/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/unpacked"
: > "$work/status"

scoped() {
  apt-get -q -o Dir::State="$work" -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" \
    -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none "$@"
}

# A third party's repository may also have a suite of Debian's name; the keyring refuses it and the next one is tried.
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirrors=$(apt-get --print-uris update 2>/dev/null | sed -n "s|^'\(.*\)/dists/$codename/InRelease'.*|\1|p" | sort -u)
for mirror in $mirrors; do
  echo "deb [signed-by=$keyring] $mirror trixie main" > "$work/sources.list"
  if (scoped update -o APT::Update::Error-Mode=any && cd "$work/cache" && scoped download "$@") > "$work/log" 2>&1; then
    for package in "$work"/cache/*.deb; do dpkg -x "$package" "$work/unpacked"; done
    # The rename makes it whole or absent, also when two builds come here at once.
    mv -T "$work/unpacked" "$folder/trixie" 2>/dev/null || [ -d "$folder/trixie" ]
    exit 0
  fi
  cat "$work/log" >&2
done
echo "trixie.sh: none of the system's package sources served $*" >&2
exit 1
