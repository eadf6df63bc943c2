#!/usr/bin/env bash
# Asks every function of a stage whether it can do its work: scripts/ready.sh STAGE FUNCTION...
# Needs the AWS command line with the right to invoke them. Asks all of them, then exits with 1 if one is not ready.
set -euo pipefail
stage=$1
shift
[ $# -gt 0 ] || { echo 'No functions are named' >&2; exit 1; }
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
unready=0
for name in "$@"; do
  error=$(aws lambda invoke --function-name "lead-distribution-$stage-$name" --payload '{"readiness":true}' \
    --cli-binary-format raw-in-base64-out --query FunctionError --output text "$answer") || error='not reached'
  if [ "$error" = None ] && [ "$(tr -d '[:space:]' < "$answer")" = '{"ready":true}' ]; then
    echo "$name is ready"
  else
    echo "$name is NOT ready ($error): $(head -c 500 "$answer")" >&2
    unready=1
  fi
done
exit $unready
