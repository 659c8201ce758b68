#!/usr/bin/env bash
# What a pull request lets whom do, as Markdown in the file named by the first argument. Exits as `harnessc diff` does.
#
# BASE_SHA: what the pull request goes into. MANIFEST: the tree's manifest, from the repository's root. AUTHOR: who opened it.
# Every value comes by the environment and is quoted: none is ever part of a command.
set -euo pipefail

out=$1
# A checkout holds the head alone; the base is fetched by its id.
if ! git cat-file -e "$BASE_SHA^{commit}" 2>/dev/null; then
  git fetch --quiet --no-tags --depth=1 origin "$BASE_SHA"
fi
# Without a base to compare with, this is the first time that the policy comes.
if ! git cat-file -e "$BASE_SHA:./$MANIFEST" 2>/dev/null; then
  printf '### Authority: this policy is new\n\nThe base has none to compare it with; read it whole.\n' > "$out"
  exit 0
fi
# The base's tree is looked for where the manifest stands.
arguments=(--manifest "$MANIFEST" diff "git:$BASE_SHA" --format markdown --fail-on "${FAIL_ON:-widened}")
if [ -n "${AUTHOR:-}" ]; then
  arguments+=("--author=$AUTHOR")
fi
code=0
harnessc "${arguments[@]}" > "$out" || code=$?
if [ ! -s "$out" ]; then
  printf '### Authority: nothing to compare\n\nOne of the two sides does not compile; the log of this run says why.\n' > "$out"
fi
exit "$code"
