# Sourced by scripts/demo, scripts/docs and scripts/test: creates or reuses .venv with only Python >= 3.11, pip and the package index.
# With PYTHON=/path/to/python the environment has that interpreter and is in .venv-VERSION, such as .venv-3.13; .venv stays as it is.
# Sets $python to the environment's interpreter. Usage: environment PROJECT_FOLDER [EXTRA]

for name in "${!PYTHON@}"; do
    [[ $name == PYTHON ]] || unset "$name" # keep $PYTHON, which names the interpreter; the other variables change what it does
done
unset name
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PYTHONUTF8=1

find_python() {
    local candidate candidates=(python3 python3.14 python3.13 python3.12 python3.11)
    [[ -z ${PYTHON:-} ]] || candidates=("$PYTHON")
    for candidate in "${candidates[@]}"; do
        if command -v "$candidate" >/dev/null && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    echo "Python 3.11 or newer is needed, and there is none called: ${candidates[*]} (set PYTHON=/path/to/python)" >&2
    return 1
}

# Let uv install what pip would: pip reads the complete package index for each library, which takes it longer than everything else, half a minute for `dev`.
# Fails if uv cannot do it, and where pip has a setting that uv does not know of; then pip installs everything. Neither compiles: Python compiles what it imports.
# uv keeps what it downloads in a cache of its own (~/.cache/uv).
fill() {
    local configured
    configured=$("$base" -m pip config list) || return 1
    [[ ! $configured =~ \.(index-url|no-index|proxy|trusted-host|no-binary|only-binary|pre|require-hashes|no-cache-dir)= ]] || return 1
    "$base" -m pip --python "$python" install --quiet --no-compile uv || return 1
    UV_CONSTRAINT=$(configured_as constraint) UV_FIND_LINKS=$(configured_as find-links) UV_EXTRA_INDEX_URL=$(configured_as extra-index-url) \
        UV_INDEX_STRATEGY=unsafe-best-match "$python" -m uv pip install --quiet --python "$python" pip --editable "$1"
}

# Print a setting of pip, of which the environment overrides the files; nothing if there is none.
configured_as() {
    sed -n "s/^[^=]*\\.$1='\(.*\)'\$/\1/p" <<<"$(sort -r <<<"$configured")" | tail -n 1
}

environment() {
    local project=$1 extra=${2:-} base folder stamp
    base=$(find_python)
    folder=$project/.venv
    [[ -z ${PYTHON:-} ]] || folder+=-$("$base" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [[ -e $folder && ! -w $folder || ! -e $folder && ! -w $project ]]; then
        folder=$(mktemp -d "${TMPDIR:-/tmp}/memorybank-venv.XXXXXX")
    fi
    python=$folder/bin/python
    stamp="$(cksum <"$project/pyproject.toml") $project"
    if [[ -x $python && -f $folder/installed${extra:+-$extra} && $(<"$folder/installed${extra:+-$extra}") == "$stamp" ]]; then
        return
    fi
    if [[ -z $extra && -x $python && -f $folder/installed-dev && $(<"$folder/installed-dev") == "$stamp" ]]; then
        return
    fi
    echo "setting up $folder (once; needs the package index) ..." >&2
    if [[ ! -x $python ]] && "$base" -m pip --version >/dev/null 2>&1; then
        "$base" -m venv --without-pip "$folder" # pip of the base interpreter fills the environment; on Debian ensurepip is in a separate package
    elif [[ ! -x $python ]]; then
        "$base" -m venv "$folder"
    fi
    "$base" -m pip --version >/dev/null 2>&1 || base=$python
    fill "$project${extra:+[$extra]}" || "$base" -m pip --python "$python" install --quiet --no-compile pip --editable "$project${extra:+[$extra]}"
    echo "$stamp" >"$folder/installed${extra:+-$extra}"
}
