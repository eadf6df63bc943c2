import { CfnResource } from 'aws-cdk-lib';
import { NagSuppressions } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/**
 * Accepts a finding of the security checks at one resource, with the reason why it is right there. Whatever else is in a construct
 * stays checked.
 * @param at the resource, or the construct whose resource it is
 * @param rule what found it
 * @param reason a sentence that is true as long as the resource exists
 * @param only where the rule finds several things in one resource, those that are accepted: `Resource::*`
 * @throws Error for a construct without a resource of its own
 */
export function acknowledge(
  at: IConstruct,
  rule: string,
  reason: string,
  only?: readonly (string | RegExp)[],
): void {
  const resource = at.node.defaultChild ?? at;
  if (!CfnResource.isCfnResource(resource))
    throw new Error(`${at.node.path} is no resource: ${rule} has to be accepted where it is found`);
  NagSuppressions.addResourceSuppressions(resource, [
    {
      id: rule,
      reason,
      ...(only !== undefined && {
        appliesTo: only.map((one) => (typeof one === 'string' ? one : { regex: String(one) })),
      }),
    },
  ]);
}
