/**
 * The rules for a stage's configuration. Anything refused here would otherwise have been deployed, or would have failed
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

/** As written by somebody without a compiler. */
/** Undefined removes the field. */
const check = (changes: object) =>
  checkConfig(
    'prod',
    Object.fromEntries(
      Object.entries({ ...config.prod, ...changes }).filter(([, value]) => value !== undefined),
    ) as unknown as typeof config.prod,
  );

describe('a configuration', () => {
  it.each(STAGES)('of stage %s passes as it is', (stage) => {
    expect(() => checkConfig(stage, config[stage])).not.toThrow();
  });

  it('passes with everything that may be switched on', () => {
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
    ['an account by its name', { account: 'production' }, /account/],
    ['a qualifier that is too long', { qualifier: 'leadproduction' }, /qualifier/],
    ['keepsData as a text', { keepsData: 'false' }, /keepsData/],
    [
      'a domain beside its zone',
      { domain: { ...domain, name: 'leads.example.org' } },
      /not in its hosted zone/,
    ],
    [
      'a domain that only ends like its zone',
      { domain: { ...domain, name: 'badexample.com' } },
      /hosted zone/,
    ],
    [
      'a domain that no certificate is made for',
      { domain: { ...domain, name: `${'a'.repeat(53)}.example.com` } },
      /name/,
    ],
    [
      'a domain with a scheme',
      { domain: { ...domain, name: 'https://leads.example.com' } },
      /not a lower-case host name/,
    ],
    ['a zone by its name', { domain: { ...domain, zone: { ...zone, id: 'example.com' } } }, /hosted zone/],
    ['an alarm address with a typing error', { alarmEmail: 'ops@example' }, /alarmEmail/],
    [
      'data and nobody who is told of an outage',
      { alarmEmail: undefined },
      /needs an address for its alarms/,
    ],
    ['an operator that is no address', { domain, mail: { ...mail, operator: 'ops' } }, /operator/],
    [
      'a sender outside of the domain',
      { domain, mail: { ...mail, from: 'a@example.org' } },
      /sender is not in/,
    ],
    ['a mail domain without a domain', { mail }, /needs a domain/],
    ['fewer log-ins than a firewall counts', { firewall: { requests: 2000, logins: 5 } }, /logins/],
    ['a firewall with half a number', { firewall: { requests: 0.5, logins: 50 } }, /requests/],
    ['a budget of nothing', { monthlyBudget: 0 }, /monthlyBudget/],
    ['a table that takes nothing', { mostTableUnits: { read: 10, write: 0 } }, /mostTableUnits/],
    ['no calls at all', { throttle: { rate: 0, burst: 100 } }, /rate/],
    ['a negative burst', { throttle: { rate: 50, burst: -1 } }, /burst/],
    ['data and no alarms', { watched: false }, /needs its alarms/],
    ['no call to a destination', { leasesPerDestination: 0 }, /leasesPerDestination/],
    [
      'as many deliveries as one destination holds',
      { leasesPerDestination: 50 },
      /would hold every delivery/,
    ],
    ['fewer deliveries than one destination holds', { parallelDeliveries: 8 }, /parallelDeliveries/],
    ['more deliveries than a queue starts', { parallelDeliveries: 1001 }, /parallelDeliveries/],
    ['a retention that logs do not know', { logDays: 42 }, /logDays/],
    [
      'a generation that is not accepted',
      { originSecrets: { accepted: [1], current: 2 } },
      /not among the accepted/,
    ],
    ['no generation', { siteGateKeys: { accepted: [], current: 1 } }, /siteGateKeys/],
    ['a generation twice', { siteGateKeys: { accepted: [1, 1], current: 1 } }, /is repeated/],
    ['application keys of generation 0', { applicationKeys: 0 }, /applicationKeys/],
    ['a variable that no function reads', { partners: { ZEROBOUNCE_URL: 'https://a.example' } }, /partners/],
    ['a key among the addresses', { partners: { ZEROBOUNCE_API_KEY: 'secret' } }, /partners/],
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
    ['copies of an account that nobody knows', { backup }, /whose copies it takes/],
    [
      'copies that go before a fault is noticed',
      { account: ACCOUNT, backup: { ...backup, keepDays: 7 } },
      /keepDays/,
    ],
    [
      'a private key for the copy',
      { account: ACCOUNT, backup: { ...backup, publicKey: 'secret' } },
      /not a PEM public RSA key/,
    ],
    ['a field with a typing error', { alarmMail: 'ops@example.org' }, /alarmMail/],
  ])('with %s is refused, by its name', (_, changes, problem) => {
    expect(() => check(changes)).toThrow(problem);
    expect(() => check(changes)).toThrow(/The configuration of prod/);
  });
});

/** Values from the cloud, some of which only CloudFormation knows. */
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
  it.each(FUNCTIONS)('%s is one with which it starts', (name) => {
    expect(() => environmentOf(name, values, {})).not.toThrow();
  });

  it('keeps what only CloudFormation knows', () => {
    expect(environmentOf('meta', values, {}).PUBLIC_BASE_URL).toBe(values.PUBLIC_BASE_URL);
  });

  it.each([
    ['deliver', 'TRACKBOX_PHONE_PLUS', 'yes'],
    ['notify', 'PUSHOVER_API_URL', 'pushover'],
    ['leads', 'NAMEAPI_API_URL', ''],
    ['redistribute', 'VERIFICATION_MUST_BE_CERTAIN', 'true'],
  ] as const)('%s refuses %s "%s" before it is deployed', (name, variable, value) => {
    expect(() => environmentOf(name, values, { [variable]: value })).toThrow(variable);
  });

  it('is refused where a value is missing', () => {
    expect(() => environmentOf('leads', { ...values, TABLE_NAME: undefined }, {})).toThrow(/TABLE_NAME/);
  });
});
