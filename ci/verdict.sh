#!/usr/bin/env bash
# Ends a run: says what each part came to, and exits with the gravest of them. A part that left no code did not come to its end.
#
# CHECK, LOCK, TEST, REVIEW: the exit codes of the parts. REVIEWED: `false` where the run is of no pull request and has no review.
set -euo pipefail

gravest=0
part() {
  local name=$1 code=$2 said
  case "$code" in
    0) said="as it should be" ;;
    1) said="not as it should be: the findings stand above" ;;
    '' | *[!0-9]*) said="did not come to its end"; code=2 ;;
    *) said="could not work (exit code $code)" ;;
  esac
  printf '%-7s %s\n' "$name" "$said"
  if [ "$code" -gt "$gravest" ]; then gravest=$code; fi
}
part check "${CHECK:-}"
part lock "${LOCK:-}"
part test "${TEST:-}"
if [ "${REVIEWED:-true}" != false ]; then part review "${REVIEW:-}"; fi
exit "$gravest"
