#!/usr/bin/env bash
# Checks that GitHub protects the environment of a stage: scripts/protected.sh STAGE repos/OWNER/NAME/environments/STAGE
# Exits with 1 if a branch other than main may deploy, or if prod can be deployed without an approval.
set -euo pipefail
stage=$1 environment=$2
branches=$(gh api "$environment/deployment-branch-policies" --jq '[.branch_policies[].name] | join(" ")' || true)
if [ "$branches" != main ]; then
  echo "The environment $stage takes deployments from '${branches:-every branch}', not from main alone" >&2
  exit 1
fi
if [ "$stage" = prod ]; then
  reviewers=$(gh api "$environment" --jq '[.protection_rules[] | select(.type == "required_reviewers") | .reviewers[]] | length')
  if [ "$reviewers" -eq 0 ]; then
    echo 'Nobody has to approve a deployment to prod: Settings → Environments → prod → Required reviewers' >&2
    exit 1
  fi
fi
