#!/usr/bin/env bash
# Restores the table of a stage to its latest moment alongside the running one, checks it as docs/operations/restore-table.md says,
# and deletes it: scripts/try-restore.sh STAGE. Exits with 1 if a check fails or had nothing to check.
set -euo pipefail
stage=$1
[ "$stage" != prod ] || { echo 'Not prod: whoever runs this would read what people entrusted to us' >&2; exit 1; }

output() {
  aws cloudformation describe-stacks --stack-name "lead-distribution-$stage" --output text \
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue"
}
table=$(output TableName)
key=$(output KeyArn)
restored="lead-distribution-$stage-restored-$(date -u +%Y%m%d%H%M%S)"

# One wait gives up after eight minutes.
wait_until() { for _ in 1 2 3 4 5 6 7 8; do aws dynamodb wait "$1" --table-name "$restored" && return 0; done; return 1; }
# shellcheck disable=SC2329 # by the trap below
delete() {
  wait_until table-exists && aws dynamodb delete-table --table-name "$restored" --query TableDescription.TableStatus --output text
}

aws dynamodb restore-table-to-point-in-time --source-table-name "$table" --target-table-name "$restored" \
  --use-latest-restorable-time --sse-specification-override "Enabled=true,SSEType=KMS,KMSMasterKeyId=$key" \
  --query TableDescription.TableStatus --output text
trap delete EXIT
wait_until table-exists

export TABLE_NAME=$restored
status=0
npm run --silent verify statistics || status=1
npm run --silent verify replacements || status=1
decisions=$(npm run --silent verify decisions) || status=1
echo "$decisions"
if [[ $decisions =~ (^|[^0-9])0\ leads: ]]; then
  echo "$stage has no lead to check: send it some (npm run leads)" >&2
  status=1
fi
exit $status
