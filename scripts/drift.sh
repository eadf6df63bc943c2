#!/usr/bin/env bash
# Compares the stacks of a stage with the actual resources: scripts/drift.sh STAGE REGION...
# Names the properties that differ, but not their values, which may be secret. Compares all stacks, then exits with 1 if a
# resource differs or could not be compared.
set -euo pipefail
stage=$1
shift
[ $# -gt 0 ] || { echo 'No region is named' >&2; exit 1; }
wrong=0
compared=0
for region in "$@"; do
  stacks=$(aws cloudformation describe-stacks --region "$region" --output text --query \
    "Stacks[?StackName=='lead-distribution-$stage' || starts_with(StackName, 'lead-distribution-$stage-')].StackName")
  for stack in $stacks; do
    compared=$((compared + 1))
    detection=$(aws cloudformation detect-stack-drift --region "$region" --stack-name "$stack" \
      --query StackDriftDetectionId --output text)
    while :; do
      read -r detected status reason < <(aws cloudformation describe-stack-drift-detection-status --region "$region" \
        --stack-drift-detection-id "$detection" --output text \
        --query '[DetectionStatus, StackDriftStatus, DetectionStatusReason]')
      [ "$detected" = DETECTION_IN_PROGRESS ] || break
      sleep "${PAUSE_SECONDS:-10}"
    done
    echo "$stack in $region: $status"
    if [ "$detected" != DETECTION_COMPLETE ]; then
      echo "$stack could not be compared: $reason" >&2
      wrong=1
    fi
    if [ "$status" = DRIFTED ]; then
      aws cloudformation describe-stack-resource-drifts --region "$region" --stack-name "$stack" --output text \
        --stack-resource-drift-status-filters MODIFIED DELETED --query \
        "StackResourceDrifts[].[StackResourceDriftStatus, ResourceType, LogicalResourceId, join(' ', PropertyDifferences[].PropertyPath || \`[]\`)]" >&2
      wrong=1
    fi
  done
done
[ $compared -gt 0 ] || { echo "$stage has no stacks in $*" >&2; exit 1; }
exit $wrong
