"""The script `missing.sh`: shows the person one line a day when the program of a registered hook is missing. It needs only `sh` and coreutils.

It is in the person's state folder, which survives the package, and does nothing in a project without a stamp (`heartbeat`).
"""

from __future__ import annotations

__light__ = True

FALLBACK = 's="${XDG_STATE_HOME:-$HOME/.local/state}/memorybank/missing.sh"; [ "${s#/}" != "$s" ] && [ -r "$s" ] && sh "$s"'
"""What a registered command does when its program is missing. A relative path is refused: it would be in somebody's repository."""

TEXT = r"""# Written by memorybank. A registered hook starts this script when its program is missing. It prints one line a day for the person, in
# projects where memorybank has worked on this machine. If you removed memorybank on purpose, delete this file.
PATH=/usr/local/bin:/usr/bin:/bin:$PATH
LC_ALL=C
export PATH LC_ALL
state=${0%/*}
project=${CLAUDE_PROJECT_DIR:-$PWD}
stamp=$state/working/$(printf %s "$project" | tr -c 'A-Za-z0-9' '-' | tail -c 200)
[ -f "$stamp" ] || exit 0
{ read -r known; read -r programs; } <"$stamp"
[ "$known" = "$project" ] || exit 0
today=$stamp.said-$(date -u +%Y-%m-%d)
for said in "$stamp".said-*; do
    [ "$said" = "$today" ] || rm -f "$said"
done
(set -C; : >"$today") 2>/dev/null || exit 0
case $programs in *[!A-Za-z0-9/._-]*) programs= ;; esac
if [ -n "$programs" ] && [ -x "$programs/memorybank" ] && "$programs/memorybank" --version >/dev/null 2>&1; then
    what="its hook does not find the program memorybank, which is in $programs"
    repair="$programs/memorybank hooks install"
else
    what="its program is missing"
    repair="pip install memorybank && memorybank hooks install"
fi
what="$what, so nothing is recorded or recalled in this project"
away="If it was removed on purpose, delete $state/missing.sh."
case $state in *[!A-Za-z0-9/._-]*) away="If it was removed on purpose, delete missing.sh in its state folder." ;; esac
printf '{"systemMessage":"memorybank does not work as it did: %s. To repair it, run: `%s`. %s"}\n' "$what" "$repair" "$away"
"""
