#!/usr/bin/env bash
# What a pull request lets whom do, as Markdown in the file named by the first argument. Exits as `harnessc diff` does.
#
# BASE_REF: the branch that the pull request goes into; its tip is the base. MANIFEST: the tree's manifest, from the repository's
# root. AUTHOR: who opened it. FAIL_ON: as `--fail-on`. Every value comes by the environment and is quoted: none is ever part of a
# command.
set -euo pipefail

out=$1
FAIL_ON=${FAIL_ON:-widened}
# The tip of now, not of when the pull request was opened. Where this job may not fetch, the checkout brought it along.
if git fetch --quiet --no-tags origin "refs/heads/$BASE_REF"; then
  base=$(git rev-parse --verify --quiet "FETCH_HEAD^{commit}")
elif ! base=$(git rev-parse --verify --quiet "refs/remotes/origin/$BASE_REF^{commit}"); then
  echo "ci/review.sh: the branch that this goes into cannot be fetched; check out with \`fetch-depth: 0\`" >&2
  printf '### Authority: nothing to compare\n\nThe branch that this goes into cannot be fetched.\n' > "$out"
  exit 2
fi
if ! git cat-file -e "$base:./$MANIFEST" 2>/dev/null; then
  # A base without any policy is one that this is the first of. In one that has policies, a manifest may have moved away from
  # what it is to be compared with.
  policies=$(git ls-tree -r -z --name-only --full-tree "$base" | tr '\0' '\n' | grep -cE '(^|/)harness\.toml$' || true)
  if [ "$policies" = 0 ]; then
    printf '### Authority: this policy is new\n\nThe base has none to compare it with; read it whole.\n' > "$out"
    exit 0
  fi
  printf '### Authority: this policy is new here\n\nThe base has policies, and none at this place: nothing tells whether one moved. Read it whole, and merge it by hand.\n' > "$out"
  if [ "$FAIL_ON" = never ]; then exit 0; fi
  exit 1
fi
# The base's tree is looked for where the manifest stands.
arguments=(--manifest "$MANIFEST" diff "git:$base" --format markdown --fail-on "$FAIL_ON")
if [ -n "${AUTHOR:-}" ]; then
  arguments+=("--author=$AUTHOR")
fi
code=0
harnessc "${arguments[@]}" > "$out" || code=$?
if [ "$code" -gt 2 ]; then
  # It was stopped, or failed itself: whatever it had written by then is no comparison.
  printf '### Authority: not compared\n\n`harnessc diff` ended with exit code %s; the log of this run says why.\n' "$code" > "$out"
elif [ ! -s "$out" ]; then
  printf '### Authority: nothing to compare\n\nOne of the two sides does not compile or cannot be read; the log of this run says why.\n' > "$out"
fi
exit "$code"
