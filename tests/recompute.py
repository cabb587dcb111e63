"""Recomputes the answer of a run from what `vezir runs export` printed: the sum of what stands, unit by unit.

usage: vezir runs export RUN | recompute.py
       recompute.py FILE

Prints `Nodes searched: N` behind the part of each root move, and exits with 0 if all agrees with what the run
says of itself, which it is only asked when it has ended. Else it prints one line for each thing that is wrong, and exits with 1.
"""
import json
import sys

PURPOSES = {"count", "again", "opinion"}
ENDS = {None, "finished", "released", "expired", "stuck", "overdue", "replaced", "quarantined", "run_ended"}
STANDINGS = {"counted", "vote", "failed", "aside", "void"}
GOING_ON = {"planning", "running", "disputed"}


class Wrong(Exception):
    """The file cannot be understood at all."""


def whole(value, where):
    """A number of leaves: a decimal string, as large as need be."""
    if not isinstance(value, str) or not value.isascii() or not value.isdigit():
        raise Wrong(f"{where}: {value!r} is no decimal string")
    return int(value)


def read(lines):
    """The run, its findings, its leases and its doubts."""
    run, findings, leases, doubts = None, [], [], []
    for number, line in enumerate(lines, 1):
        try:
            piece = json.loads(line)
        except ValueError as error:
            raise Wrong(f"line {number}: {error}") from None
        if number == 1:
            if not isinstance(piece, dict) or "run" not in piece:
                raise Wrong("line 1: the run itself would be right")
            run = piece
        elif "unit" in piece:
            findings.append((number, piece))
        elif "doubt" in piece:
            doubts.append((number, piece))
        elif "lease" in piece:
            leases.append((number, piece))
        else:
            raise Wrong(f"line {number}: neither a finding nor a lease nor a doubt")
    if run is None:
        raise Wrong("it is empty")
    return run, findings, leases, doubts


def check_leases(run, leases):
    """Each lease by its number, and what is wrong with them."""
    known, wrong = {}, []
    for number, lease in leases:
        where = f"line {number}: lease {lease['lease']}"
        if lease["lease"] in known:
            wrong.append(f"{where}: it is there twice")
        if not 0 <= lease["first"] <= lease["end"] <= lease["granted"] <= run["units"]:
            wrong.append(f"{where}: units {lease['first']} to {lease['end']} of {lease['granted']}")
        if lease["purpose"] not in PURPOSES or lease["ended"] not in ENDS:
            wrong.append(f"{where}: {lease['purpose']}, {lease['ended']}")
        known[lease["lease"]] = lease
    if sorted(known) != list(range(1, len(known) + 1)):
        wrong.append("the numbers of leases are not one after another from 1")
    return known, wrong


def check_finding(run, finding, leases, where):
    """What is wrong with one finding."""
    lease = leases.get(finding["lease"])
    if finding["standing"] not in STANDINGS:
        yield f"{where}: {finding['standing']} is no standing"
    if not 0 <= finding["unit"] < run["units"]:
        yield f"{where}: there is no such unit"
    if ("answer" in finding) == ("failure" in finding):
        yield f"{where}: either an answer or a failure would be right"
    if lease is None:
        yield f"{where}: found under lease {finding['lease']}, which does not exist"
        return
    if lease["worker"] != finding["worker"]:
        yield f"{where}: found by worker {finding['worker']}, but the lease is worker {lease['worker']}'s"
    if not lease["first"] <= finding["unit"] < lease["granted"]:
        yield f"{where}: lease {finding['lease']} never covered it"


def add(findings, run, leases):
    """The sum of what counts, its parts by root move, how many units count, and what is wrong."""
    total, divide, counted, seen, wrong = 0, {}, set(), set(), []
    for number, finding in findings:
        where = f"line {number}: unit {finding['unit']}"
        wrong.extend(check_finding(run, finding, leases, where))
        key = (finding["unit"], finding["lease"])
        if key in seen:
            wrong.append(f"{where}: lease {finding['lease']} found it out twice")
        seen.add(key)
        if finding["standing"] != "counted":
            continue
        if finding["unit"] in counted:
            wrong.append(f"{where}: it counts twice")
        counted.add(finding["unit"])
        answer = finding.get("answer") or {"nodes": "0", "divide": {}}
        parts = {move: whole(nodes, where) for move, nodes in answer["divide"].items()}
        nodes = whole(answer["nodes"], where)
        if sum(parts.values()) != nodes:
            wrong.append(f"{where}: {nodes} nodes, but its parts sum to {sum(parts.values())}")
        total += nodes
        for move, part in parts.items():
            divide[move] = divide.get(move, 0) + part
    return total, divide, len(counted), wrong


def goes_on(run):
    """Whether the run had not ended when its export began: what it says of itself is then older than the rest."""
    return run["state"] in GOING_ON


def compare_early(run, findings, counted):
    """Whether at least what a run that goes on said of itself is there, where nothing became void meanwhile."""
    is_void = any(finding["standing"] == "void" for _, finding in findings)
    if counted < run["done"] and not is_void:
        yield f"the run had {run['done']} units done already, only {counted} count"


def compare(run, total, divide, counted):
    """Whether the run says the same of itself."""
    if whole(run["nodes"], "the run") != total:
        yield f"the run has {run['nodes']} nodes, its units sum to {total}"
    if run["done"] != counted:
        yield f"the run has {run['done']} units done, {counted} count"
    if run["state"] != "done":
        return
    if counted != run["units"]:
        yield f"the run is done, and {counted} of its {run['units']} units count"
    answer = run.get("answer")
    if answer is None:
        yield "the run is done without an answer"
        return
    if whole(answer["nodes"], "the answer") != total:
        yield f"the answer is {answer['nodes']}, the units sum to {total}"
    parts = {move: whole(nodes, "the answer") for move, nodes in answer["divide"].items()}
    for move in sorted(parts.keys() | divide.keys()):
        if parts.get(move) != divide.get(move):
            yield f"the answer has {parts.get(move)} for {move}, the units sum to {divide.get(move)}"


def check_doubts(run, doubts):
    """What is wrong with the units that were looked at again."""
    for number, doubt in doubts:
        if not 0 <= doubt["doubt"] < run["units"]:
            yield f"line {number}: there is no unit {doubt['doubt']}"
        if run["state"] == "done" and doubt["cause"] == "conflict" and not doubt["settled"]:
            yield f"line {number}: the run is done while two answers differ for unit {doubt['doubt']}"


def main(arguments):
    if len(arguments) > 1:
        sys.exit(__doc__.rstrip())
    try:
        named = arguments and arguments[0] != "-"
        with open(arguments[0], encoding="utf-8") if named else sys.stdin as lines:
            run, findings, leases, doubts = read(lines)
        known, wrong = check_leases(run, leases)
        total, divide, counted, amiss = add(findings, run, known)
    except (KeyError, TypeError, AttributeError) as error:
        sys.exit(f"a piece has no such part or another kind of one: {error}")
    except (Wrong, OSError, UnicodeDecodeError) as error:
        sys.exit(str(error))
    early = goes_on(run)
    wrong += amiss + list(check_doubts(run, doubts))
    wrong += compare_early(run, findings, counted) if early else compare(run, total, divide, counted)
    if early:
        how = "is disputed" if run["state"] == "disputed" else "goes on"
        print(f"the run {how}: {counted} of its {run['units']} units are summed here", file=sys.stderr)
    for line in wrong:
        print(line, file=sys.stderr)
    for move in sorted(divide):
        print(f"{move}: {divide[move]}")
    print(f"\nNodes searched: {total}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
