#!/bin/sh
# debian_source.sh FOLDER PACKAGE: unpack the upstream sources of a Debian package of this system's own release into
# FOLDER/PACKAGE.
#
# Some libraries come as an archive for the build machine only, and a board needs their sources. Like trixie.sh this uses
# an apt of its own below FOLDER: nothing is installed, root is not needed, the installed keyring verifies what comes.
# Exit status 1 where there is no such apt, mirror or package.
set -eu
folder=$1 package=$2
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
command -v apt-get >/dev/null || { echo "debian_source.sh: this system has no apt-get" >&2; exit 1; }
[ -r $keyring ] || { echo "debian_source.sh: no $keyring (apt-get install debian-archive-keyring)" >&2; exit 1; }

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

codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirrors=$(apt-get --print-uris update 2>/dev/null | sed -n "s|^'\(.*\)/dists/$codename/InRelease'.*|\1|p" | sort -u)
for mirror in $mirrors; do
  echo "deb-src [signed-by=$keyring] $mirror $codename main" > "$work/sources.list"
  if (scoped update -o APT::Update::Error-Mode=any && cd "$work/cache" && scoped source --download-only "$package") > "$work/log" 2>&1; then
    tar -xf "$work"/cache/"$package"_*.orig.tar.* -C "$work/unpacked" --strip-components=1
    mv -T "$work/unpacked" "$folder/$package" 2>/dev/null || [ -d "$folder/$package" ]
    exit 0
  fi
  cat "$work/log" >&2
done
echo "debian_source.sh: none of the system's package sources served the sources of $package" >&2
exit 1
