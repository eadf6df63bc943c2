/** Preflight reports about an incomplete account, with stubbed command lines. */
import { describe, expect, it } from 'vitest';
import { config, repository } from '#cdk/config';
import { missingForDeployment, type Preflight } from '#scripts/preflight-checks';
import { ACCOUNT, backup } from '#test/cdk/backup';

const zone = { id: 'Z0000000000000000000', name: 'example.com' };
const ready = {
  ...config.prod,
  alarmEmail: 'ops@example.com',
  domain: { name: 'leads.example.com', zone },
  mail: { from: 'a@example.com', operator: 'b@example.com', identity: 'domain' },
  account: ACCOUNT,
  backup,
} as const;
const SERVERS = 'ns-1.example.net ns-2.example.net';

/** Answers by the first words of a command. */
const ANSWERS: Readonly<Record<string, string | undefined>> = {
  'aws sts': '111122223333',
  'aws ssm': '30',
  'aws lambda': '1000',
  'aws backup': 'True',
  'aws route53': SERVERS,
  'aws iam': '',
  'aws cloudformation': undefined,
  'aws sesv2': 'True',
  'scripts/protected.sh prod': '',
};

const lacking = (answers: typeof ANSWERS = {}, changes: Partial<Preflight> = {}) =>
  missingForDeployment({
    stage: 'prod',
    config: ready,
    repository: { owner: 'acme', name: 'leads' },
    ask: (command, ...args) => ({ ...ANSWERS, ...answers })[`${command} ${args[0]}`],
    nameServers: async () => SERVERS.split(' '),
    ...changes,
  });

describe('preflight', () => {
  it('reports nothing for a complete account', async () => {
    expect(await lacking()).toEqual([]);
  });

  it.each<[string, typeof ANSWERS, RegExp]>([
    ['a bootstrap', { 'aws ssm': undefined }, /^us-east-1 is not bootstrapped.*--qualifier leadsprod/],
    ['a current bootstrap', { 'aws ssm': '5' }, /^us-east-1 is not bootstrapped/],
    ['concurrency, like new accounts', { 'aws lambda': '10' }, /runs 10 functions at once, 100 are needed/],
    ['the hosted zone', { 'aws route53': undefined }, /no hosted zone Z0000/],
    ['a delegation', { 'aws route53': 'ns-9.example.net' }, /not delegated.*ns-9/],
    ['cross-account backups', { 'aws backup': 'False' }, /does not manage DynamoDB in eu-central-1/],
    ['SES production access', { 'aws sesv2': 'False' }, /sandbox/],
    [
      'protection on GitHub',
      { 'scripts/protected.sh prod': undefined },
      /does not protect the environment prod/,
    ],
    [
      'quota for a second provider',
      { 'aws iam': 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com' },
      /set providerExists/,
    ],
  ])('reports a lack of %s', async (_, answers, sentence) => {
    expect((await lacking(answers)).at(-1)).toMatch(sentence);
  });

  it('reports missing settings, and checks credentials first', async () => {
    const said = await lacking({ 'aws sts': undefined }, { config: config.prod, repository });
    expect(said).toHaveLength(4);
    expect(said[0]).toContain('set alarmEmail of prod');
    expect(said[1]).toContain('prod is lost with its account');
    expect(said[2]).toContain('no repository');
    expect(said[3]).toContain('No credentials');
  });

  it('stops if the credentials belong to another account', async () => {
    const of = { config: { ...ready, account: '999988887777' } };
    expect(await lacking({}, of)).toEqual([
      expect.stringMatching(/^These are the credentials of account 1111/),
    ]);
  });
});
