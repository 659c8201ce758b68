#!/usr/bin/env bash
# Puts the Markdown file named by the first argument on a pull request: one comment, which is written anew each time.
#
# REPOSITORY: owner/name. NUMBER: the pull request's. MANIFEST: tells the comments of several policies apart. GH_TOKEN: may write
# comments. Every value comes by the environment and is quoted; the text itself goes by file.
set -euo pipefail

text=$1
case "$NUMBER" in
  '' | *[!0-9]*) echo "ci/comment.sh: this run is of no pull request, so there is nothing to comment on"; exit 0 ;;
esac
name=$(printf '%s' "$MANIFEST" | tr -c 'A-Za-z0-9._/' '_')
MARK="<!-- harnessc:$name -->"
export MARK
body=$(mktemp)
trap 'rm -f -- "$body"' EXIT
{ printf '%s\n' "$MARK"; cat -- "$text"; } > "$body"

mine='.[] | select(.user.type == "Bot" and (.body | startswith(env.MARK))) | .id'
if ! ids=$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments" --jq "$mine"); then
  echo "::notice title=harnessc::the comments cannot be read with this token; the report stands in the summary of this run"
  exit 0
fi
id=${ids%%$'\n'*}
case "$id" in
  *[!0-9]*) echo "ci/comment.sh: what came back is no comment's number"; exit 1 ;;
  '') target=(--method POST "repos/$REPOSITORY/issues/$NUMBER/comments") ;;
  *) target=(--method PATCH "repos/$REPOSITORY/issues/comments/$id") ;;
esac
# A pull request from a fork runs with a token that may not write; the report then stands in the summary alone.
if ! gh api "${target[@]}" --silent --field "body=@$body"; then
  echo "::notice title=harnessc::this token may not comment; the report stands in the summary of this run"
fi
