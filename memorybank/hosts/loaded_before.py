"""Which modules a process has certainly loaded when it imports another one by name (`hosts.bytecode_file`)."""


def loaded_before(needs: dict[str, set[str]], asking: dict[str, set[str]], first: str) -> dict[str, set[str]]:
    """Return {module imported by name: modules certainly loaded by then, whichever module imports it}.

    needs: {module: itself and all that it needs}
    asking: {module: the modules imported by name earlier whose code imports it}
    first: the module that every process imports first
    """
    everything = set().union(*needs.values())
    there = dict.fromkeys(needs, everything) | {first: set()}
    changed = True
    # Start from "everything is loaded" and intersect until nothing changes: the largest solution, which also holds for cycles of imports.
    while changed:
        changed = False
        for name in needs.keys() - {first}:
            found = everything.intersection(*(there[other].union(needs[other]) for other in asking[name]))
            changed = changed or found != there[name]
            there[name] = found
    return there
