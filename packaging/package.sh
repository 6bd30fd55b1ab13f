#!/usr/bin/env bash
# Makes the packages of a release build: package.sh BUILD_FOLDER OUTPUT_FOLDER
#   pawl_VERSION_ARCHITECTURE.deb          program, library, Python module, manual, completion, schema
#   pawl-VERSION-PYTHON-PLATFORM.whl       the Python package
#   pawl-VERSION-linux-MACHINE.tar.gz      the same as the .deb, to unpack anywhere, with the libraries it needs
# Equal sources give equal packages: all files have the time of the last commit.
set -euo pipefail
build=$(realpath "$1") out=$2
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
mkdir -p "$out"
out=$(realpath "$out")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pawl=$build/pawl
version=$("$pawl" --version | awk '{ print $2 }')
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

# What is installed, below a prefix: stage <folder> <prefix>
stage() {
    local root=$1 prefix=$2
    DESTDIR=$root cmake --install "$build" --prefix "$prefix" --strip >/dev/null
    local share=$root$prefix/share verb
    mkdir -p "$share/man/man1" "$share/bash-completion/completions" \
        "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d" "$share/pawl"
    "$pawl" man | gzip -9n >"$share/man/man1/pawl.1.gz"
    for verb in $(verbs); do
        "$pawl" man "$verb" | gzip -9n >"$share/man/man1/pawl-$verb.1.gz"
    done
    "$pawl" completion bash >"$share/bash-completion/completions/pawl"
    "$pawl" completion zsh >"$share/zsh/vendor-completions/_pawl"
    "$pawl" completion fish >"$share/fish/vendor_completions.d/pawl.fish"
    "$pawl" schema >"$share/pawl/model.schema.json"
}

verbs() { "$pawl" man | sed -n '/^\.SH VERBS/,/^\.SH/{s/^\.B //p}' | awk '{ print $1 }'; }

settle_times() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

make_deb() {
    local root=$work/deb
    stage "$root" /usr
    mkdir -p "$work/debian" "$root/DEBIAN"
    printf 'Source: pawl\n\nPackage: pawl\nArchitecture: any\n' >"$work/debian/control"
    local libraries python
    libraries=$(cd "$work" && dpkg-shlibdeps --ignore-missing-info -O "$root/usr/bin/pawl" \
        "$root"/usr/lib/python3/dist-packages/pawl/_core*.so 2>/dev/null | sed 's/^shlibs:Depends=//')
    # The module fits the Python that it was made with.
    python=$(/usr/bin/python3 -c 'import sys; v = sys.version_info; print(f"python3 (>= {v[0]}.{v[1]}), python3 (<< {v[0]}.{v[1] + 1})")')
    cat >"$root/DEBIAN/control" <<CONTROL
Package: pawl
Version: $version
Architecture: $architecture
Maintainer: The Pawl developers <pawl@localhost>
Section: science
Priority: optional
Depends: $libraries, $python, python3-numpy
Recommends: python3-pandas, python3-matplotlib, librsvg2-bin
Suggests: libeigen3-dev, libsundials-dev, libfmt-dev, python3-distributed
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Description: simulation of mechanisms whose contacts come and go
 Pawl simulates cams, latches, ratchets, Geneva drives, escapements and joints
 with clearance. Every change of contact and friction is located exactly, and
 every run is audited. This package has the program, the C++ library, the
 Python module, manual pages, shell completion and the schema of model files.
CONTROL
    settle_times "$root"
    dpkg-deb --build --root-owner-group "$root" "$out/pawl_${version}_$architecture.deb" >/dev/null
}

# The program finds its libraries beside itself, wherever it is unpacked (rpath of cmake/install.cmake).
make_tarball() {
    local name=pawl-$version-linux-$(uname -m) library
    stage "$work/tar" "/$name"
    mkdir -p "$work/tar/$name/lib/pawl"
    ldd "$pawl" "$work/tar/$name"/lib/python3/dist-packages/pawl/_core*.so | awk '$2 == "=>" { print $3 }' |
        grep -vE '/(libc|libm|libpthread|libdl|librt)\.so' | sort -u |
        while read -r library; do cp -L "$library" "$work/tar/$name/lib/pawl/"; done
    settle_times "$work/tar"
    tar --sort=name --owner=0 --group=0 --numeric-owner -C "$work/tar" -c "$name" |
        gzip -9n >"$out/$name.tar.gz"
}

make_wheel() {
    PAWL_BUILD=$build /usr/bin/python3 -m build --no-isolation --wheel --outdir "$out" "$source" >"$work/wheel.log" 2>&1 ||
        { cat "$work/wheel.log" >&2; exit 1; }
    rm -rf "$source/pawl.egg-info" "$source/build/lib"* "$source/build/bdist"*
}

rm -f "$out"/pawl_*.deb "$out"/pawl-*.whl "$out"/pawl-*.tar.gz
make_deb
make_tarball
make_wheel
ls -1 "$out"
