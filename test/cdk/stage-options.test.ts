/** What a stage may switch on, and what a rotation looks like in the templates. */
import { App, Stage as CdkStage } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { config, type Repository, repository } from '#cdk/config';
import { DRIFT_READS } from '#cdk/drift-reads';
import { PipelineStack } from '#cdk/stacks/pipeline-stack';
import { addBackupVault, addEdge, addPullRequestStage } from '#cdk/stages';
import { FUNCTIONS } from '#functions/platform/functions';
import { accepted } from '#test/cdk/accepted';
import { ACCOUNT, backup } from '#test/cdk/backup';
import { type Json, ofType, only, synthesise } from '#test/cdk/synthesise';

const domain = {
  name: 'leads.example.com',
  zone: { id: 'Z0000000000000000000', name: 'example.com' },
} as const;

const synthesised = synthesise('dev', { domain, watched: true, alarmEmail: 'ops@example.com' });

describe('a stage with a domain', () => {
  const { product, edge, certificate, resources, findings } = synthesised;

  it('is asked from outside whether it answers, and silence is the fault, too', () => {
    const [id] = only(edge!.toJSON().Resources, 'AWS::Route53::HealthCheck');
    edge!.hasResourceProperties('AWS::Route53::HealthCheck', {
      HealthCheckConfig: Match.objectLike({
        Type: 'HTTPS',
        FullyQualifiedDomainName: 'leads.example.com',
        ResourcePath: '/api/ready',
        EnableSNI: true,
      }),
    });
    const [, topic] = only(edge!.toJSON().Resources, 'AWS::SNS::Subscription');
    edge!.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'lead-distribution-dev-site-unreachable',
      Namespace: 'AWS/Route53',
      MetricName: 'HealthCheckStatus',
      Dimensions: [{ Name: 'HealthCheckId', Value: { 'Fn::GetAtt': [id, 'HealthCheckId'] } }],
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
      // Route 53 reports to us-east-1, and CloudWatch publishes to topics of its own region only.
      AlarmActions: [topic.Properties.TopicArn],
      AlarmDescription: Match.stringLikeRegexp('runbooks/site-unreachable.md$'),
    });
    expect(topic.Properties.Endpoint).toBe('ops@example.com');
    expect(edge!.toJSON().Resources[topic.Properties.TopicArn.Ref].Type).toBe('AWS::SNS::Topic');
    product.resourceCountIs('AWS::Route53::HealthCheck', 0);
  });

  it('has a certificate in us-east-1, validated by its hosted zone', () => {
    certificate!.hasResourceProperties('AWS::CertificateManager::Certificate', {
      DomainName: 'leads.example.com',
      ValidationMethod: 'DNS',
    });
    expect(findings).toEqual([]);
  });

  it('serves the site and the links there, by TLS 1.2 or newer', () => {
    product.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Aliases: ['leads.example.com'],
        ViewerCertificate: Match.objectLike({ MinimumProtocolVersion: 'TLSv1.2_2021' }),
      },
    });
    expect(ofType(resources, 'AWS::Route53::RecordSet').map(([, { Properties }]) => Properties.Type)).toEqual(
      ['A', 'AAAA'],
    );
    product.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'lead-distribution-dev-leads',
      Environment: { Variables: Match.objectLike({ PUBLIC_BASE_URL: 'https://leads.example.com' }) },
    });
  });
});

describe('a stage without domain and firewall', () => {
  it('has nothing in us-east-1', () => {
    const { edge, certificate, firewall } = synthesise('dev');
    expect([edge, certificate, firewall]).toEqual([undefined, undefined, undefined]);
  });
});

describe('changing or leaving out domain and firewall', () => {
  const limits = { requests: 1000, logins: 20 };
  const other = { ...domain, name: 'new.example.com' };
  /** By the name of its stack, what of us-east-1 the distribution uses. */
  const usedIn = (changes: object) => {
    const stage = new CdkStage(new App(), 'prod');
    const edge = addEdge(stage, 'prod', { ...config.prod, firewall: undefined, ...changes });
    const stacks = Object.values(edge).filter((stack) => stack !== undefined);
    return new Map<string, string>(
      stacks.map((stack) => [
        stack.stackName,
        Object.entries<Json>(Template.fromStack(stack).toJSON().Resources)
          .filter(([, { Type }]) =>
            ['AWS::CertificateManager::Certificate', 'AWS::WAFv2::WebACL'].includes(Type),
          )
          .map(([id, { Properties }]) => `${id} ${Properties.DomainName ?? Properties.Name}`)
          .join(),
      ]),
    );
  };

  it.each<[string, object, object]>([
    ['the domain leaves', { domain, firewall: limits }, { firewall: limits }],
    ['the domain comes', { firewall: limits }, { domain, firewall: limits }],
    ['the domain changes', { domain, firewall: limits }, { domain: other, firewall: limits }],
    ['the firewall leaves', { domain, firewall: limits }, { domain }],
    ['both leave', { domain, firewall: limits }, {}],
  ])('deletes nothing that CloudFront still uses when %s', (_, before, after) => {
    const [earlier, later] = [usedIn(before), usedIn(after)];
    expect([...earlier.values()].some((used) => used !== '')).toBe(true);
    // A stack that is still deployed keeps what the distribution uses until it has let go; others stay as they are.
    for (const [name, used] of earlier) if (later.has(name)) expect(later.get(name), name).toBe(used);
  });

  it('is possible in any order: a stack reads what another has, and exports hold nothing', () => {
    const text = JSON.stringify(synthesised.product.toJSON());
    expect(text).toContain('Fn::GetStackOutput');
    expect(text).not.toMatch(/Fn::ImportValue|CrossRegionExport|ExportsReader/);
    expect(JSON.stringify(synthesised.certificate!.toJSON())).not.toMatch(/"Export"|CrossRegionExport/);
  });
});

describe('the firewall', () => {
  it('limits requests and log-ins per address, and keeps no samples of them', () => {
    const { firewall } = synthesise('dev', { firewall: { requests: 1000, logins: 20 } });
    firewall!.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      DefaultAction: { Allow: {} },
      VisibilityConfig: Match.objectLike({ SampledRequestsEnabled: false }),
      Rules: [
        Match.objectLike({
          Name: 'logins',
          // What `npm run leads` and every other client wait after; a 403 they give up on.
          Action: {
            Block: {
              CustomResponse: {
                ResponseCode: 429,
                ResponseHeaders: [{ Name: 'retry-after', Value: '90' }],
              },
            },
          },
          Statement: {
            RateBasedStatement: Match.objectLike({
              Limit: 20,
              EvaluationWindowSec: 300,
              AggregateKeyType: 'IP',
              ScopeDownStatement: {
                ByteMatchStatement: Match.objectLike({ SearchString: '/api/login' }),
              },
            }),
          },
        }),
        Match.objectLike({
          Name: 'requests',
          Action: { Block: { CustomResponse: Match.objectLike({ ResponseCode: 429 }) } },
          Statement: { RateBasedStatement: Match.objectLike({ Limit: 1000 }) },
        }),
        // They count and refuse nothing until somebody has looked at what they would refuse.
        ...['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesCommonRuleSet'].map((Name) =>
          Match.objectLike({
            OverrideAction: { Count: {} },
            Action: Match.absent(),
            Statement: { ManagedRuleGroupStatement: { VendorName: 'AWS', Name } },
            VisibilityConfig: Match.objectLike({ SampledRequestsEnabled: false }),
          }),
        ),
      ],
    });
  });
});

describe('mail of the platform', () => {
  it('is sent from a verified address', () => {
    const { stage, product } = synthesise('dev', {
      mail: { from: 'system@example.com', operator: 'ops@example.com', identity: 'address' },
    });
    product.hasResourceProperties('AWS::SES::EmailIdentity', { EmailIdentity: 'system@example.com' });
    product.hasResourceProperties('AWS::SES::EmailIdentity', { EmailIdentity: 'ops@example.com' });
    product.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'lead-distribution-dev-notify',
      Environment: {
        Variables: Match.objectLike({ SES_FROM: 'system@example.com', OPERATOR_EMAIL: 'ops@example.com' }),
      },
    });
    const { open, idle, wide } = accepted(stage);
    expect({ open, idle, wide }).toEqual({ open: [], idle: [], wide: [] });
  });

  it('is sent from a domain verified by DKIM', () => {
    const mail = { from: 'system@example.com', operator: 'ops@example.com', identity: 'domain' } as const;
    const { product } = synthesise('dev', { domain, mail });
    product.hasResourceProperties('AWS::SES::EmailIdentity', { EmailIdentity: 'example.com' });
    expect(() => synthesise('dev', { mail })).toThrow(/needs a domain/);
  });

  it('is not sent without a configured sender, and no role allows it', () => {
    const { product } = synthesise('dev');
    product.resourceCountIs('AWS::SES::EmailIdentity', 0);
    expect(JSON.stringify(product.toJSON())).not.toContain('ses:SendEmail');
  });
});

describe('alarms', () => {
  it('go to an address, over an encrypted topic', () => {
    const { product } = synthesise('dev', { watched: true, alarmEmail: 'ops@example.com' });
    product.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    product.hasResourceProperties('AWS::SNS::Topic', { KmsMasterKeyId: Match.anyValue() });
    product.hasResourceProperties('AWS::KMS::Key', {
      EnableKeyRotation: true,
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({ Principal: { Service: 'cloudwatch.amazonaws.com' } }),
        ]),
      },
    });
  });

  it('may be published by CloudWatch, which the topic’s policy names because it replaces the default one', () => {
    synthesise('dev', { watched: true }).product.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
          }),
        ]),
      },
    });
  });
});

const keysIn = (accepted: number[], current: number) => {
  const { resources } = synthesise('dev', { siteGateKeys: { accepted, current } });
  const [, group] = only(resources, 'AWS::CloudFront::KeyGroup');
  const trusted: string[] = group.Properties.KeyGroupConfig.Items.map(({ Ref }: { Ref: string }) => Ref);
  const [, auth] = ofType(resources, 'AWS::Lambda::Function').find(([, { Properties }]) =>
    String(Properties.FunctionName).endsWith('-auth'),
  )!;
  return {
    trusted,
    signing: auth.Properties.Environment.Variables.CLOUDFRONT_KEY_PAIR_ID.Ref as string,
    secrets: ofType(resources, 'AWS::SecretsManager::Secret').map(([id]) => id),
  };
};

describe('the rotation of the site gate’s keys', () => {
  const before = keysIn([1], 1);
  const added = keysIn([1, 2], 1);
  const switched = keysIn([1, 2], 2);
  const after = keysIn([2], 2);

  it('first adds a key that is trusted but does not sign', () => {
    expect(added.trusted).toHaveLength(2);
    expect(added.trusted).toContain(before.trusted[0]);
    expect(added.signing).toBe(before.signing);
  });

  it('then signs with it while the old key is still trusted, and last removes the old key', () => {
    expect(switched.signing).not.toBe(before.signing);
    expect(switched.trusted).toEqual(added.trusted);
    expect(after.trusted).toEqual([switched.signing]);
    expect(added.secrets.filter((id) => !after.secrets.includes(id))).toHaveLength(1);
  });

  it('refuses to sign with a key that nobody trusts', () => {
    expect(() => keysIn([1], 2)).toThrow(/not among the accepted/);
  });
});

const secretsIn = (accepted: number[], current: number) => {
  const { resources } = synthesise('dev', { originSecrets: { accepted, current } });
  const [, { Properties }] = only(resources, 'AWS::CloudFront::Distribution');
  const shown = JSON.stringify(
    Properties.DistributionConfig.Origins.find((origin: object) => 'OriginCustomHeaders' in origin)
      .OriginCustomHeaders,
  );
  const [, fn] = ofType(resources, 'AWS::Lambda::Function').find(([, of]) =>
    String(of.Properties.FunctionName).endsWith('-leads'),
  )!;
  return { shown, accepted: JSON.stringify(fn.Properties.Environment.Variables.ORIGIN_SECRET_ARN) };
};

describe('the rotation of the origin secret', () => {
  it('makes the API accept the new value before CloudFront sends it', () => {
    const before = secretsIn([1], 1);
    const added = secretsIn([1, 2], 1);
    const switched = secretsIn([1, 2], 2);
    expect(added.shown).toBe(before.shown);
    expect(added.accepted).toMatch(/OriginSecretSecret1.*,.*OriginSecretSecret2/);
    expect(switched.shown).toContain('OriginSecretSecret2');
    expect(switched.accepted).toBe(added.accepted);
  });

  it('refuses to send a value that the API does not accept', () => {
    expect(() => secretsIn([1], 3)).toThrow(/not among the accepted/);
  });
});

describe('the keys of partners and verification services', () => {
  const providerKeys = {
    secretName: 'lead-distribution/dev/providers',
    generation: 4,
    keys: ['ZEROBOUNCE_API_KEY'],
  } as const;

  it('reach the functions that use them as references, and change with their generation', () => {
    const { resources, product } = synthesise('dev', { providerKeys });
    const variablesOf = (name: string) =>
      ofType(resources, 'AWS::Lambda::Function').find(([, { Properties }]) =>
        String(Properties.FunctionName).endsWith(`-${name}`),
      )![1].Properties.Environment.Variables;
    expect(JSON.stringify(variablesOf('leads').ZEROBOUNCE_API_KEY)).toContain(
      '{{resolve:secretsmanager:lead-distribution/dev/providers:SecretString:ZEROBOUNCE_API_KEY',
    );
    expect(variablesOf('leads').PROVIDER_KEYS_GENERATION).toBe('4');
    expect(variablesOf('auth').ZEROBOUNCE_API_KEY).toBeUndefined();
    expect(JSON.stringify(product.toJSON())).not.toContain('TWILIO_LOOKUP_API_KEY');
  });
});

describe('a new generation of the application’s keys', () => {
  it('makes new versions of the functions behind an alias, which would keep the old keys', () => {
    const versions = (applicationKeys: number) =>
      ofType(synthesise('dev', { applicationKeys }).resources, 'AWS::Lambda::Version').map(([id]) => id);
    const [before, after] = [versions(1), versions(2)];
    expect(before).toHaveLength(2);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
  });
});

describe('the stage of a pull request', () => {
  const stackOf = (stage: string) => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [], stage } });
    return { stack: addPullRequestStage(app, stage), app };
  };
  const { stack, app } = stackOf('pr-12');
  const resources: Json = Template.fromStack(stack).toJSON().Resources;

  it('is one stack, the only one of the app, so that it needs no name', () => {
    expect(app.synth().stacksRecursively.map(({ stackName }) => stackName)).toEqual([
      'lead-distribution-pr-12',
    ]);
    expect(stack.terminationProtection).toBe(false);
  });

  it('has every function, by names that no other stage has, and nobody is called for it', () => {
    const names = ofType(resources, 'AWS::Lambda::Function').flatMap(
      ([, of]) => of.Properties.FunctionName ?? [],
    );
    for (const name of FUNCTIONS) expect(names).toContain(`lead-distribution-pr-12-${name}`);
    expect(JSON.stringify(resources)).not.toMatch(/lead-distribution-(dev|prod)/);
    const types: string[] = Object.values<Json>(resources).map(({ Type }) => Type);
    expect(types.filter((type) => /^AWS::(CloudWatch|SNS|WAFv2|Route53|SES)::/.test(type))).toEqual([]);
  });

  it('leaves nothing: whatever its destruction would keep or stop at is not there', () => {
    for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of Object.entries<Json>(resources)) {
      expect(DeletionPolicy ?? 'Delete', id).toBe('Delete');
      expect(UpdateReplacePolicy ?? 'Delete', id).toBe('Delete');
    }
    const [, table] = only(resources, 'AWS::DynamoDB::GlobalTable');
    expect(table.Properties.Replicas[0].DeletionProtectionEnabled ?? false).toBe(false);
    expect(ofType(resources, 'Custom::S3AutoDeleteObjects')).toHaveLength(
      ofType(resources, 'AWS::S3::Bucket').length,
    );
  });

  it.each(['prod', 'dev', 'pr-', 'pr-0', 'pr-1x', '../prod'])('is not called %s', (name) => {
    expect(() => addPullRequestStage(new App(), name)).toThrow(/pr-12/);
  });
});

describe('the first deployment of a stage that keeps data', () => {
  const options = { alarmEmail: 'ops@example.com', account: ACCOUNT, backup };
  const { stage, resources, findings } = synthesise('prod', options, { first: '' });

  it('can be taken back and repeated: neither stack nor table is protected yet', () => {
    expect(stage.product.terminationProtection).toBe(false);
    const [, table] = only(resources, 'AWS::DynamoDB::GlobalTable');
    expect(table.Properties.Replicas[0].DeletionProtectionEnabled).toBe(false);
  });

  it('has a budget of which the same address is told, before and when it is spent', () => {
    const [, { Properties }] = only(resources, 'AWS::Budgets::Budget');
    expect(Properties.Budget.BudgetLimit).toEqual({ Amount: 200, Unit: 'USD' });
    expect(Properties.NotificationsWithSubscribers).toEqual(
      ['FORECASTED', 'ACTUAL'].map((NotificationType) => ({
        Notification: expect.objectContaining({ NotificationType }),
        Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'ops@example.com' }],
      })),
    );
  });

  it('has no kind of resource whose drift could not be found', () => {
    const types = [
      stage.product,
      stage.edge.firewall!,
      stage.edge.watch!,
      synthesised.stage.edge.certificate!,
      synthesised.stage.product,
    ]
      .flatMap((stack) => Object.values<Json>(Template.fromStack(stack).toJSON().Resources))
      .map(({ Type }) => Type)
      .filter((type) => type.startsWith('AWS::') && type !== 'AWS::CloudFormation::CustomResource');
    expect([...new Set(types)].filter((type) => DRIFT_READS[type] === undefined)).toEqual([]);
  });

  it('copies its table every day into a vault of another account and region, and says when no copy came', () => {
    expect(findings).toEqual([]);
    const elsewhere = `arn:aws:backup:eu-west-1:${backup.account}:backup-vault:lead-distribution-prod-copies`;
    const [, plan] = only(resources, 'AWS::Backup::BackupPlan');
    const [rule, ...more] = plan.Properties.BackupPlan.BackupPlanRule;
    expect(more).toEqual([]);
    expect(rule).toMatchObject({
      ScheduleExpression: 'cron(0 2 * * ? *)',
      CopyActions: [{ DestinationBackupVaultArn: elsewhere, Lifecycle: { DeleteAfterDays: 35 } }],
    });
    const [, selection] = only(resources, 'AWS::Backup::BackupSelection');
    expect(JSON.stringify(selection.Properties.BackupSelection.Resources)).toContain('TableCD117FA1');
    const [, missing] = ofType(resources, 'AWS::CloudWatch::Alarm').find(
      ([, { Properties }]) => Properties.AlarmName === 'lead-distribution-prod-backup-missing',
    )!;
    expect(missing.Properties).toMatchObject({ TreatMissingData: 'breaching', Period: 86_400, Threshold: 1 });
    const [copied] = missing.Properties.Dimensions;
    expect(resources[copied.Value.Ref]!.Properties.EventPattern.detail).toEqual({
      state: ['COMPLETED'],
      destinationBackupVaultArn: [elsewhere],
    });
  });

  it('puts a copy of the application’s keys into the table, for the copies of it', () => {
    const [, made] = only(resources, 'Custom::ApplicationKeys');
    expect(made.Properties.copy).toEqual({
      tableName: { Ref: 'TableCD117FA1' },
      publicKey: backup.publicKey,
    });
    const [, policy] = ofType(resources, 'AWS::IAM::Policy').find(([id]) =>
      id.startsWith('KeysFunctionRole'),
    )!;
    const puts = policy.Properties.PolicyDocument.Statement.filter(({ Action }: Json) =>
      JSON.stringify(Action).includes('dynamodb:'),
    );
    expect(puts).toEqual([
      expect.objectContaining({
        Action: 'dynamodb:PutItem',
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEYS'] } },
      }),
    ]);
  });

  it('has a vault that takes copies of this account, gives none away and keeps each for a month', () => {
    const vault = addBackupVault(new App(), 'prod', { ...config.prod, ...options })!;
    const made: Json = Template.fromStack(vault).toJSON().Resources;
    const [, { Properties, DeletionPolicy }] = only(made, 'AWS::Backup::BackupVault');
    expect(DeletionPolicy).toBe('Retain');
    expect(Properties).toMatchObject({
      BackupVaultName: 'lead-distribution-prod-copies',
      LockConfiguration: { MinRetentionDays: 30 },
    });
    expect(Properties.AccessPolicy.Statement).toEqual([
      expect.objectContaining({ Effect: 'Allow', Action: 'backup:CopyIntoBackupVault' }),
    ]);
    expect(JSON.stringify(Properties.AccessPolicy.Statement[0].Principal)).toContain(ACCOUNT);
    expect([vault.account, vault.region]).toEqual([backup.account, 'eu-west-1']);
    expect(accepted(vault)).toMatchObject({ open: [], idle: [], wide: [] });
    expect(addBackupVault(new App(), 'dev', config.dev)).toBeUndefined();
  });

  it('keeps nothing that it made before it failed, but files; afterwards everything is kept', () => {
    for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::S3::Bucket'])
      for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of ofType(resources, type)) {
        expect(DeletionPolicy, id).toBe(id.startsWith('SiteFiles') ? 'Retain' : 'RetainExceptOnCreate');
        expect(UpdateReplacePolicy, id).toBe('Retain');
      }
  });
});

describe('a restored table', () => {
  const arn = 'arn:aws:dynamodb:eu-central-1:111122223333:table/restored';
  const { stage, product, resources } = synthesise('prod', {
    restoredTable: { name: 'restored', streamArn: `${arn}/stream/2026-01-01T00:00:00.000` },
  });

  it('is used by roles whose wide permissions are accepted one by one', () => {
    const { open, idle, wide } = accepted(stage);
    expect({ open, idle, wide }).toEqual({ open: [], idle: [], wide: [] });
  });

  it('replaces the stack’s own table in every function, and that one is kept', () => {
    for (const [id, { Properties }] of ofType(resources, 'AWS::Lambda::Function')) {
      const name = Properties.Environment?.Variables?.TABLE_NAME;
      if (name !== undefined) expect(name, id).toBe('restored');
    }
    for (const [, { Properties }] of ofType(resources, 'AWS::Lambda::EventSourceMapping'))
      if (Properties.StartingPosition !== undefined)
        expect(Properties.EventSourceArn).toBe(`${arn}/stream/2026-01-01T00:00:00.000`);
    product.resourceCountIs('AWS::DynamoDB::GlobalTable', 1);
  });

  it('gets the same permissions as the table that it replaces', () => {
    const policies = JSON.stringify(ofType(resources, 'AWS::IAM::Policy'));
    expect(policies).toContain(':table/restored');
    expect(policies).toContain('/index/gsi1');
  });
});

describe('the roles of CI', () => {
  const rolesFor = (of: Repository) => {
    const stack = new PipelineStack(new App(), 'pipeline', {
      repository: of,
      qualifiers: { dev: 'onlydev', prod: 'onlyprod' },
    });
    const template = Template.fromStack(stack);
    const resources: Json = template.toJSON().Resources;
    const subjects = Object.fromEntries(
      ofType(resources, 'AWS::IAM::Role').map(([, { Properties }]) => [
        Properties.RoleName,
        Properties.AssumeRolePolicyDocument.Statement[0].Condition.StringEquals,
      ]),
    );
    const errors = Annotations.fromStack(stack).findError('*', Match.anyValue());
    return { stack, template, resources, subjects, errors };
  };
  const { stack, template, resources, subjects, errors } = rolesFor({ owner: 'acme', name: 'leads' });

  it('can be assumed by this repository only: one for each environment, and one for pull requests', () => {
    const of = (subject: string) => ({
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': `repo:acme/leads:${subject}`,
    });
    expect(subjects).toEqual({
      'lead-distribution-dev-deploy': of('environment:dev'),
      'lead-distribution-prod-deploy': of('environment:prod'),
      'lead-distribution-diff': of('pull_request'),
      'lead-distribution-drift': of('ref:refs/heads/main'),
      'lead-distribution-restore': of('ref:refs/heads/main'),
    });
    expect(errors).toEqual([]);
  });

  it('identify a repository by its numeric ids where its tokens contain them', () => {
    const ids = { owner: 123_456, repository: 456_789 };
    expect(rolesFor({ owner: 'acme', name: 'leads', ids }).subjects['lead-distribution-diff']).toMatchObject({
      'token.actions.githubusercontent.com:sub': 'repo:acme@123456/leads@456789:pull_request',
    });
  });

  it('use the provider that the account has already', () => {
    const { template: other } = rolesFor({ owner: 'acme', name: 'leads', providerExists: true });
    template.resourceCountIs('AWS::IAM::OIDCProvider', 1);
    other.resourceCountIs('AWS::IAM::OIDCProvider', 0);
    expect(JSON.stringify(other.toJSON())).toContain(':oidc-provider/token.actions.githubusercontent.com');
  });

  it('are not created without a configured repository', () => {
    const [error, ...more] = rolesFor(repository).errors;
    expect(error?.entry.data).toMatch(/^Enter your repository in cdk\/config\.ts/);
    expect(more).toEqual([]);
  });

  const allowed = (part: string) => {
    const [, { Properties }] = ofType(resources, 'AWS::IAM::Policy').find(([id]) => id.startsWith(part))!;
    return Properties.PolicyDocument.Statement.map(({ Action, Resource }: Json) => [
      Action,
      JSON.stringify(Resource),
    ]);
  };

  it.each([
    ['dev', 'prod'],
    ['prod', 'dev'],
  ])('of %s reach the bootstrap and the functions of their own stage, nothing of %s', (stage, other) => {
    const [bootstrap, functions, ...more] = allowed(`Deploy${stage}`);
    expect(more).toEqual([]);
    expect(bootstrap[0]).toBe('sts:AssumeRole');
    for (const kind of ['deploy', 'file-publishing', 'image-publishing', 'lookup'])
      expect(bootstrap[1]).toContain(`role/cdk-only${stage}-${kind}-role-`);
    expect(functions[0]).toBe('lambda:InvokeFunction');
    expect(functions[1]).toContain(`:function:lead-distribution-${stage}-*`);
    for (const [, on] of [bootstrap, functions]) {
      expect(on).not.toContain(other);
      expect(on).not.toContain('role/cdk-*');
    }
  });

  it('of pull requests reads templates and takes no other role', () => {
    const [[actions, stacks], ...more] = allowed('Diff');
    expect(more).toEqual([]);
    expect(actions).toEqual(['cloudformation:DescribeStacks', 'cloudformation:GetTemplate']);
    expect(stacks).toContain(':stack/lead-distribution-dev*/*');
    expect(stacks).toContain(':stack/lead-distribution-prod*/*');
  });

  it('of the drift detection reads the configuration of everything, and no data or secret', () => {
    const [[actions, on], ...more] = allowed('Drift');
    expect(more).toEqual([]);
    expect(on).toBe('"*"');
    for (const action of actions)
      expect(action).toMatch(/^[a-z0-9-]+:(Get|List|Describe|View|Detect|BatchDescribe|GET)[A-Za-z]*$/);
    for (const data of ['s3:GetObject', 'dynamodb:GetItem', 'secretsmanager:GetSecretValue', 'kms:Decrypt'])
      expect(actions).not.toContain(data);
  });

  it('of the restore write no table but a restored one of dev', () => {
    for (const [actions, on] of allowed('Restore')) {
      expect(on).not.toContain('prod');
      if (on.includes(':dynamodb:'))
        expect(on).toMatch(
          [actions].flat().includes('dynamodb:PutItem') ? /-dev-restored-\*/ : /-dev-Table\*"/,
        );
    }
    const [, policy] = ofType(resources, 'AWS::IAM::Policy').find(([id]) => id.startsWith('Restore'))!;
    const keys = policy.Properties.PolicyDocument.Statement.filter(({ Action }: Json) =>
      JSON.stringify(Action).includes('kms:'),
    );
    expect(keys).toHaveLength(1);
    expect(keys[0].Condition.StringEquals).toMatchObject({ 'aws:ResourceTag/stage': 'dev' });
  });

  it('have permissions that the security checks know, and every wide one is accepted by its name', () => {
    const { used, ...wrong } = accepted(stack);
    expect(wrong).toEqual({ open: [], idle: [], wide: [] });
    expect(used).toBe(5);
  });

  it('have no permanent access key', () => {
    template.resourceCountIs('AWS::IAM::User', 0);
    template.resourceCountIs('AWS::IAM::AccessKey', 0);
  });
});
