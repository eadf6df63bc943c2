/**
 * The rules for a stage's configuration. Anything rejected here would otherwise be deployed, or fail
 * during the deployment.
 */
import { describe, expect, it } from 'vitest';
import { config, STAGES } from '#cdk/config';
import { checkConfig } from '#cdk/config-schema';
import { type CloudValues, environmentOf } from '#cdk/environments';
import { FUNCTIONS } from '#functions/platform/functions';
import { ACCOUNT, backup } from '#test/cdk/backup';

const zone = { id: 'Z0000000000000000000', name: 'example.com' };
const domain = { name: 'leads.example.com', zone };
const mail = { from: 'system@example.com', operator: 'ops@example.org', identity: 'domain' } as const;
const restored = 'arn:aws:dynamodb:eu-central-1:111122223333:table/restored/stream/2026-01-01T00:00:00.000';

/** A configuration as written without a compiler. */
/** Undefined removes the field. */
const check = (changes: object) =>
  checkConfig(
    'prod',
    Object.fromEntries(
      Object.entries({ ...config.prod, ...changes }).filter(([, value]) => value !== undefined),
    ) as unknown as typeof config.prod,
  );

describe('a configuration', () => {
  it.each(STAGES)('of stage %s is valid', (stage) => {
    expect(() => checkConfig(stage, config[stage])).not.toThrow();
  });

  it('is valid with all options enabled', () => {
    const all = {
      domain,
      mail,
      alarmEmail: 'ops@example.org',
      siteGateKeys: { accepted: [1, 2], current: 2 },
      partners: { ZEROBOUNCE_API_URL: 'https://api-eu.zerobounce.net/v2' },
      providerKeys: { secretName: 'lead/providers', generation: 1, keys: ['ZEROBOUNCE_API_KEY'] },
      restoredTable: { name: 'restored', streamArn: restored },
      account: ACCOUNT,
      backup,
    };
    expect(() => check(all)).not.toThrow();
    expect(() => check({ domain: { ...domain, name: 'example.com' } })).not.toThrow();
  });

  it.each<[string, object, RegExp]>([
    ['a region that does not exist', { region: 'eu-central' }, /region/],
    ['a region of another partition', { region: 'cn-north-1' }, /region/],
    ['an account name', { account: 'production' }, /account/],
    ['a qualifier that is too long', { qualifier: 'leadproduction' }, /qualifier/],
    ['keepsData as text', { keepsData: 'false' }, /keepsData/],
    [
      'a domain outside its zone',
      { domain: { ...domain, name: 'leads.example.org' } },
      /not in its hosted zone/,
    ],
    [
      'a domain with only the suffix of its zone',
      { domain: { ...domain, name: 'badexample.com' } },
      /hosted zone/,
    ],
    [
      'a domain that cannot have a certificate',
      { domain: { ...domain, name: `${'a'.repeat(53)}.example.com` } },
      /name/,
    ],
    [
      'a domain with a scheme',
      { domain: { ...domain, name: 'https://leads.example.com' } },
      /not a lower-case host name/,
    ],
    ['a zone name', { domain: { ...domain, zone: { ...zone, id: 'example.com' } } }, /hosted zone/],
    ['an invalid alarm address', { alarmEmail: 'ops@example' }, /alarmEmail/],
    ['data and no alarm recipient', { alarmEmail: undefined }, /needs an address for its alarms/],
    ['an invalid operator address', { domain, mail: { ...mail, operator: 'ops' } }, /operator/],
    [
      'a sender outside of the domain',
      { domain, mail: { ...mail, from: 'a@example.org' } },
      /sender is not in/,
    ],
    ['a mail domain without a domain', { mail }, /needs a domain/],
    ['a login limit below the firewall minimum', { firewall: { requests: 2000, logins: 5 } }, /logins/],
    ['a fractional firewall limit', { firewall: { requests: 0.5, logins: 50 } }, /requests/],
    ['a budget of zero', { monthlyBudget: 0 }, /monthlyBudget/],
    ['a table without write capacity', { mostTableUnits: { read: 10, write: 0 } }, /mostTableUnits/],
    ['no calls at all', { throttle: { rate: 0, burst: 100 } }, /rate/],
    ['a negative burst', { throttle: { rate: 50, burst: -1 } }, /burst/],
    ['data and no alarms', { watched: false }, /needs its alarms/],
    ['no calls to a destination', { leasesPerDestination: 0 }, /leasesPerDestination/],
    [
      'only as many deliveries as one destination can hold',
      { leasesPerDestination: 50 },
      /would hold every delivery/,
    ],
    ['fewer deliveries than one destination can hold', { parallelDeliveries: 8 }, /parallelDeliveries/],
    ['more deliveries than a queue can start', { parallelDeliveries: 1001 }, /parallelDeliveries/],
    ['an unsupported log retention', { logDays: 42 }, /logDays/],
    ['an unaccepted generation', { originSecrets: { accepted: [1], current: 2 } }, /not among the accepted/],
    ['no generation', { siteGateKeys: { accepted: [], current: 1 } }, /siteGateKeys/],
    ['a generation twice', { siteGateKeys: { accepted: [1, 1], current: 1 } }, /is repeated/],
    ['application keys of generation 0', { applicationKeys: 0 }, /applicationKeys/],
    ['an unused variable', { partners: { ZEROBOUNCE_URL: 'https://a.example' } }, /partners/],
    ['a key among the URLs', { partners: { ZEROBOUNCE_API_KEY: 'secret' } }, /partners/],
    ['private hosts', { partners: { ALLOW_PRIVATE_HOSTS: '1' } }, /partners/],
    ['a sandbox', { partners: { HEROLEADS_API_URL: 'https://a.example' } }, /partners/],
    ['an empty address', { partners: { ZEROBOUNCE_API_URL: '' } }, /ZEROBOUNCE_API_URL/],
    [
      'a provider secret without keys',
      { providerKeys: { secretName: 'a', generation: 1, keys: [] } },
      /keys/,
    ],
    ['an unknown key', { providerKeys: { secretName: 'a', generation: 1, keys: ['X_API_KEY'] } }, /keys/],
    [
      'the stream of another table',
      { restoredTable: { name: 'other', streamArn: restored } },
      /not a stream of that table/,
    ],
    [
      'a stream elsewhere',
      { region: 'eu-west-1', restoredTable: { name: 'restored', streamArn: restored } },
      /not a stream of that table/,
    ],
    ['copies in its own account', { account: backup.account, backup }, /This is the account of the stage/],
    [
      'copies in its own region',
      { account: ACCOUNT, backup: { ...backup, region: 'eu-central-1' } },
      /This is the region of the stage/,
    ],
    ['copies without their source account', { backup }, /only copies of this account/],
    ['a too short retention of copies', { account: ACCOUNT, backup: { ...backup, keepDays: 7 } }, /keepDays/],
    [
      'a private key for the copy',
      { account: ACCOUNT, backup: { ...backup, publicKey: 'secret' } },
      /not a PEM public RSA key/,
    ],
    ['a misspelled field', { alarmMail: 'ops@example.org' }, /alarmMail/],
  ])('with %s is rejected with the field name', (_, changes, problem) => {
    expect(() => check(changes)).toThrow(problem);
    expect(() => check(changes)).toThrow(/The configuration of prod/);
  });
});

/** Values from the cloud, some of them CloudFormation tokens. */
const values: CloudValues = {
  TABLE_NAME: '${Token[TOKEN.1]}',
  KEYS_ARN: '${Token[TOKEN.2]}',
  PUBLIC_BASE_URL: 'https://${Token[TOKEN.3]}',
  CLOUDFRONT_KEY_PAIR_ID: '${Token[TOKEN.4]}',
  CLOUDFRONT_KEY_ARN: '${Token[TOKEN.5]}',
  ORIGIN_SECRET_ARN: '${Token[TOKEN.6]},${Token[TOKEN.7]}',
  DELIVER_QUEUE_URL: '${Token[TOKEN.8]}',
  NOTIFY_QUEUE_URL: '${Token[TOKEN.9]}',
  REDISTRIBUTE_QUEUE_URL: '${Token[TOKEN.10]}',
  DISTRIBUTE_QUEUE_URL: '${Token[TOKEN.13]}',
  CALLBACK_QUEUE_URL: '${Token[TOKEN.14]}',
  DELIVER_DLQ_URL: '${Token[TOKEN.11]}',
  EXPORT_BUCKET: '${Token[TOKEN.12]}',
  ERASED_BUCKET: '${Token[TOKEN.13]}',
  LEASES_PER_DESTINATION: undefined,
  OPERATOR_EMAIL: undefined,
  SES_FROM: undefined,
  AUDIT_CHECKPOINTS_BUCKET: 'heads',
};

describe('the environment of a function', () => {
  it.each(FUNCTIONS)('is valid for %s', (name) => {
    expect(() => environmentOf(name, values, {})).not.toThrow();
  });

  it('keeps CloudFormation tokens', () => {
    expect(environmentOf('meta', values, {}).PUBLIC_BASE_URL).toBe(values.PUBLIC_BASE_URL);
  });

  it.each([
    ['deliver', 'TRACKBOX_PHONE_PLUS', 'yes'],
    ['notify', 'PUSHOVER_API_URL', 'pushover'],
    ['leads', 'NAMEAPI_API_URL', ''],
    ['redistribute', 'VERIFICATION_MUST_BE_CERTAIN', 'true'],
  ] as const)('for %s rejects %s "%s" before the deployment', (name, variable, value) => {
    expect(() => environmentOf(name, values, { [variable]: value })).toThrow(variable);
  });

  it('is rejected with a missing value', () => {
    expect(() => environmentOf('leads', { ...values, TABLE_NAME: undefined }, {})).toThrow(/TABLE_NAME/);
  });
});
