"""How strong the suite is, measured: the reference is broken on purpose, and the suite has to notice.

`make mutation` makes one small change at a time to the reference, some 3,000 in all (a *mutant*), and runs the cases
against it, in all chunkings, at level `prompt`, until one fails. A mutant that no case kills shows a rule that nothing
checks: write a case for it, in terms of users, or put it into `equivalents.json` with the reason why no text and no
template could tell it from the reference. The run fails while there are others, where fewer than 97 % of the mutants
of a group of modules that aren't equivalent are killed, or where a deliberate violation of a clause isn't noticed.

    make mutation                                        # everything
    make mutation ARGUMENTS="--module content --jobs 2"  # one module
    make mutation ARGUMENTS="--sample 40"                # a few of all, the same every time
    make mutation ARGUMENTS="--show 'content.Bool*'"     # what killed mutants, by a shell pattern for their ids

What is found out is kept in build/mutation. After an edit to the reference a mutant is first given to the case that
killed it last, and after one to the suite only survivors run, by the new cases; `--fresh` forgets all of it. Mutants
that are listed as equivalent run in two chunkings of each case only, the whole text and code point by code point.

From scratch it takes some 23 minutes of processor time, half of that for the mutants that are equivalent; if nothing
has changed, under two. tests/mutation/test_suite_strength.py tries 25 mutants, and all violations.

The modules: `scope` says what is mutated and what is left out, `operators` how; `mutants` makes them, of a `package` in
memory; `judge` is the suite, `coverage` which case runs what; `workers` forks, `campaign` puts it together, and
`equivalents` and `report` tell what came out. `violations` turns it round: for every clause of SPEC.md there is a
deliberate violation, which a case that names the clause must notice.
"""
