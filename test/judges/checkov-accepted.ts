/** Findings of checkov that are right for other products, each with the reason why not for this one. */

export interface Acceptance {
  readonly rule: string;
  /** Parts of the template's or the resource's name. By default the rule does not fit any resource. */
  readonly only?: readonly string[];
  /** Whether the finding depends on options of the stages in cdk/config.ts, so that it may be missing. */
  readonly option?: true;
  readonly reason: string;
}

export const ACCEPTED: readonly Acceptance[] = [
  {
    rule: 'CKV_AWS_18',
    only: ['Exports', 'AuditCheckpoints', 'ErasedLeads', 'SiteFiles'],
    reason:
      'S3 access logs contain addresses, and logs must not contain personal data. The reason for each bucket is at its AwsSolutions-S1.',
  },
  {
    rule: 'CKV_AWS_21',
    only: ['Exports'],
    reason: 'Files are deleted after a day. Old versions would keep personal data for longer.',
  },
  {
    rule: 'CKV_AWS_21',
    only: ['SiteFiles'],
    reason:
      'Every deployment uploads the site again, and never deletes files with a hash in their name. Older versions are built from Git.',
  },
  {
    rule: 'CKV_AWS_26',
    only: ['Edge'],
    option: true,
    reason:
      "The topic in us-east-1, outside the region of the stage's key. Its alarms name metrics of the firewall and the health check, no person. A key there would cost a dollar a month.",
  },
  {
    rule: 'CKV_AWS_27',
    reason:
      'The rule knows only KMS. The queues are encrypted by SQS, which costs nothing per message, and messages contain no personal data.',
  },
  {
    rule: 'CKV_AWS_68',
    only: ['SiteDistribution'],
    option: true,
    reason:
      "The firewall is an option of the stage. Without it, the API's throttle and the limit of wrong passwords still apply.",
  },
  {
    rule: 'CKV_AWS_86',
    only: ['SiteDistribution'],
    reason: "Access logs would contain visitors' addresses and the tokens of buyers' links.",
  },
  {
    rule: 'CKV_AWS_111',
    only: ['CustomCDKBucketDeployment'],
    reason:
      "The CDK's uploader. It writes only to the site's bucket. Without a resource it may only invalidate caches.",
  },
  {
    rule: 'CKV_AWS_115',
    reason:
      "Reserved concurrency is taken from the account's limit, also while a function rests. The API's throttle, the concurrency of each queue and the table's capacity limit bound the cost.",
  },
  {
    rule: 'CKV_AWS_116',
    reason:
      'Queues and streams set failed messages aside themselves, the schedule runs again after a minute, and callers of the API and CloudFormation see a failure at once.',
  },
  {
    rule: 'CKV_AWS_117',
    reason:
      'Every service that the functions use is public, protected by IAM and TLS. A VPC would add a NAT gateway, which costs more than everything else, and could fail.',
  },
  {
    rule: 'CKV_AWS_149',
    only: ['ApplicationKeys', 'FirstAdmin', 'SiteGatePrivateKey', 'OriginSecret'],
    reason:
      "Encrypted by the account's key for secrets, and each role may read only its own. A key of the stage would only add access from other accounts, which nobody needs.",
  },
  {
    rule: 'CKV_AWS_158',
    reason:
      'CloudWatch encrypts all logs by a key of its own, and they contain no personal data (docs/security.md). Another key would only add a way to lose them.',
  },
  {
    rule: 'CKV_AWS_173',
    reason:
      'Lambda encrypts variables by a key of its own. They contain names, addresses and numbers; secrets are read from Secrets Manager.',
  },
  {
    rule: 'CKV_AWS_174',
    only: ['SiteDistribution'],
    option: true,
    reason:
      "Without a custom domain, CloudFront's default certificate decides the oldest protocol. With one, only TLS 1.2 and newer are accepted.",
  },
  {
    rule: 'CKV_AWS_192',
    only: ['Firewall'],
    option: true,
    reason: 'The rule group blocks attacks on Log4j, a library for Java. Nothing here runs Java.',
  },
];
