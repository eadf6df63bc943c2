import { NagSuppressions } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/**
 * Accepts a finding of the security checks, with the reason why it is right here.
 * @param finding the rule, or the rule and what it was found in: `AwsSolutions-IAM5[Resource::*]`
 * @param reason a sentence that is true as long as the construct exists
 */
export function acknowledge(construct: IConstruct, finding: string, reason: string): void {
  const at = finding.indexOf('[');
  const id = at < 0 ? finding : finding.slice(0, at);
  const appliesTo = at < 0 ? {} : { appliesTo: [finding.slice(at + 1, -1)] };
  NagSuppressions.addResourceSuppressions(construct, [{ id, reason, ...appliesTo }], true);
}
