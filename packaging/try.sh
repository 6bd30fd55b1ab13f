#!/usr/bin/env bash
# Tries the packages in a clean Debian: try.sh PACKAGE_FOLDER. Makes a root with nothing but apt, installs
# the .deb there, runs `pawl verify`, the recipes of the documents, a sweep on a cluster, the completion and the
# manual pages, the wheel in an empty environment and the tarball in a folder with a blank in its name.
# Needs root (or user namespaces), mmdebstrap and a Debian mirror; takes some minutes.
set -euo pipefail
packages=$(realpath "$1")
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/try"
cp "$packages"/pawl* "$work/try"
cp -r "$source/docs" "$source/models" "$source/README.md" "$work/try"
mkdir "$work/try/tests"
cp -r "$source/tests/python" "$work/try/tests"
cat >"$work/try/inside.sh" <<'INSIDE'
set -eux
export DEBIAN_FRONTEND=noninteractive HOME=/root
cd /try
apt-get install -y -qq --no-install-recommends ./pawl_*.deb >/dev/null
pawl --version
pawl verify --quiet
man_page=$(zcat /usr/share/man/man1/pawl-run.1.gz)
case $man_page in *".SH"*) ;; *) exit 1 ;; esac
bash -c 'source /usr/share/bash-completion/completions/pawl; complete -p pawl'
python3 -c 'import json; json.load(open("/usr/share/pawl/model.schema.json"))'
python3 -c 'import pawl; print(pawl.new_model("geneva").run())'
mkdir "a b" && tar -xzf pawl-*.tar.gz -C "a b"
"a b"/pawl-*/bin/pawl run models/ratchet.toml --quiet --out /tmp/ratchet
apt-get install -y -qq --no-install-recommends python3-pytest python3-pandas python3-matplotlib python3-venv \
    python3-distributed >/dev/null
PAWL_BUILD=/usr/bin python3 -m pytest -q -p no:cacheprovider tests/python/test_recipes.py tests/python/test_cluster.py
python3 -m venv --system-site-packages /tmp/empty
/tmp/empty/bin/python -m pip install --no-index --no-deps --force-reinstall --quiet pawl-*.whl
/tmp/empty/bin/python -c 'import pawl; assert pawl.__file__.startswith("/tmp/empty"); print(pawl.new_model("ratchet").run())'
INSIDE
mmdebstrap --variant=apt --format=null --customize-hook="copy-in $work/try /" \
    --customize-hook='chroot "$1" bash /try/inside.sh' "$(. /etc/os-release && echo "$VERSION_CODENAME")" -
echo "the packages work in a clean root"
