#!/bin/sh
# Installs the program from the archive beside this script, in ~/.local/bin or another folder: sh install.sh [FOLDER]
# `cargo xtask dist` makes the archive and SHA256SUMS.
set -eu

# What went wrong and what to do, in English and Korean.
fail() {
    printf 'error: %s\n오류: %s\n' "$1" "$2" >&2
    exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

machine=$(uname -m)
# Apple's name for what everybody else calls aarch64.
[ "$machine" != arm64 ] || machine=aarch64
case $(uname -s) in
    Linux) target=$machine-unknown-linux-gnu ;;
    Darwin) target=$machine-apple-darwin ;;
    *) fail "there is no archive for $(uname -s); build it with cargo" \
        "$(uname -s)용 묶음은 없습니다. cargo로 직접 빌드하세요" ;;
esac

archive=
for file in "$here"/duru-*-"$target".tar.gz; do
    # Where nothing matches, the shell leaves the pattern as it is.
    [ -f "$file" ] || continue
    [ -z "$archive" ] || fail "there is more than one archive for $target in $here; leave the one you want" \
        "$here 에 $target 용 묶음이 둘 이상 있습니다. 설치할 것만 남기세요"
    archive=$file
done
[ -n "$archive" ] || fail "there is no archive for $target in $here" "$here 에 $target 용 묶음이 없습니다"
name=$(basename -- "$archive")

[ -f "$here/SHA256SUMS" ] || fail "SHA256SUMS is not in $here; get it from where the archive came from" \
    "$here 에 SHA256SUMS가 없습니다. 묶음을 받은 곳에서 함께 받으세요"
expected=$(awk -v name="$name" '$2 == name { print $1 }' "$here/SHA256SUMS")
if command -v sha256sum >/dev/null 2>&1; then
    actual=$(sha256sum <"$archive" | cut -d ' ' -f 1)
elif command -v shasum >/dev/null 2>&1; then
    actual=$(shasum -a 256 <"$archive" | cut -d ' ' -f 1)
else
    fail "neither sha256sum nor shasum is installed, so the archive cannot be checked" \
        "sha256sum도 shasum도 없어 묶음을 확인할 수 없습니다"
fi
[ -n "$expected" ] || fail "SHA256SUMS does not list $name" "SHA256SUMS에 $name 이 없습니다"
[ "$actual" = "$expected" ] || fail "$name is not what SHA256SUMS says: it is damaged or was changed; get it again" \
    "$name 이 SHA256SUMS와 다릅니다. 손상되었거나 바뀌었으니 다시 받으세요"

unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
trap 'exit 1' HUP INT TERM
tar -xzf "$archive" -C "$unpacked" || fail "$name cannot be unpacked" "$name 을 풀 수 없습니다"
program=$unpacked/${name%.tar.gz}/duru

# On another C library it does not even start, and what the shell says then helps nobody.
version=$("$program" --version) || fail "the program does not start here; on Linux it needs glibc, as new as where it was built" \
    "프로그램이 여기서 실행되지 않습니다. 리눅스에서는 빌드한 곳만큼 새로운 glibc가 필요합니다"

if [ -n "${1:-}" ]; then
    bin=$1
else
    [ -n "${HOME:-}" ] || fail "HOME is not set; name a folder: sh install.sh FOLDER" \
        "HOME이 없습니다. 폴더를 지정하세요: sh install.sh 폴더"
    bin=$HOME/.local/bin
fi
mkdir -p -- "$bin" || fail "cannot make $bin" "$bin 폴더를 만들 수 없습니다"
# By way of a second name: a program that runs cannot be written over, but another can take its name.
if ! cp -- "$program" "$bin/.duru.$$" || ! chmod 755 "$bin/.duru.$$" || ! mv -f -- "$bin/.duru.$$" "$bin/duru"; then
    rm -f -- "$bin/.duru.$$"
    fail "cannot write $bin/duru" "$bin/duru 를 쓸 수 없습니다"
fi

printf '%s: %s\n' "$version" "$bin/duru"
case ":${PATH:-}:" in
    *":$bin:"*) ;;
    *) printf 'Add %s to PATH to start it as duru.\nduru로 실행하려면 PATH에 %s 를 추가하세요.\n' "$bin" "$bin" ;;
esac
