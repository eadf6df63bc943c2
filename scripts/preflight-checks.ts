/** What an account lacks for a deployment, read with the command-line tools of AWS and GitHub. */
import { NO_OWNER, type Repository } from '#cdk/config';
import { NO_ADDRESS_YET, type StageConfig } from '#cdk/config-schema';

/** Undefined: the command failed. */
export type Ask = (command: string, ...args: readonly string[]) => string | undefined;

export interface Preflight {
  readonly stage: string;
  readonly config: StageConfig;
  readonly repository: Repository;
  readonly ask: Ask;
  /** As public DNS resolves them. */
  readonly nameServers: (zone: string) => Promise<readonly string[]>;
}

/** Required by this version of the CDK. */
const LEAST_BOOTSTRAP = 6;
/** API and other workers. */
const OTHER_FUNCTIONS = 50;
const GITHUB = 'token.actions.githubusercontent.com';

/** @returns a sentence per missing thing, with what to do */
export async function missingForDeployment(of: Preflight): Promise<readonly string[]> {
  const account = of.ask('aws', 'sts', 'get-caller-identity', '--query', 'Account', '--output', 'text');
  const configured = [...missingAddress(of), ...missingBackup(of), ...missingOwner(of)];
  if (account === undefined)
    return [...configured, 'No credentials: log in with the AWS CLI, then run this again.'];
  if (of.config.account !== undefined && of.config.account !== account)
    return [
      ...configured,
      `These are the credentials of account ${account}; the stage belongs to ${of.config.account}.`,
    ];
  return [
    ...configured,
    ...missingBootstraps(of, account),
    ...missingConcurrency(of),
    ...missingBackupFeature(of),
    ...(await missingDelegation(of)),
    ...missingProvider(of),
    ...missingMail(of),
    ...missingProtection(of),
  ];
}

function missingAddress({ stage, config }: Preflight): string[] {
  if (config.alarmEmail !== NO_ADDRESS_YET) return [];
  return [`No one is notified of an outage: set alarmEmail of ${stage} in cdk/config.ts.`];
}

function missingBackup({ stage, config }: Preflight): string[] {
  if (!config.keepsData || config.backup !== undefined) return [];
  return [
    `${stage} is lost with its account: enter backup in cdk/config.ts, or accept it (docs/operations/backups.md).`,
  ];
}

/** Otherwise backups use the table's key and cannot leave the account. */
function missingBackupFeature({ config, ask }: Preflight): string[] {
  if (config.backup === undefined) return [];
  const of = ['--region', config.region, '--output', 'text', '--query'];
  const preference = 'ResourceTypeManagementPreference.DynamoDB';
  if (ask('aws', 'backup', 'describe-region-settings', ...of, preference) === 'True') return [];
  return [
    `AWS Backup does not manage DynamoDB in ${config.region}: aws backup update-region-settings --region ${config.region} --resource-type-opt-in-preference DynamoDB=true --resource-type-management-preference DynamoDB=true`,
  ];
}

function missingOwner({ repository }: Preflight): string[] {
  return repository.owner === NO_OWNER
    ? ['The pipeline has no repository: enter it in cdk/config.ts, or deploy by hand only.']
    : [];
}

function missingBootstraps({ config, ask }: Preflight, account: string): string[] {
  const edge = config.domain !== undefined || config.firewall !== undefined;
  return [...new Set([config.region, ...(edge ? ['us-east-1'] : [])])].flatMap((region) => {
    const version = ask(
      'aws',
      'ssm',
      'get-parameter',
      '--name',
      `/cdk-bootstrap/${config.qualifier}/version`,
      '--region',
      region,
      '--query',
      'Parameter.Value',
      '--output',
      'text',
    );
    if (Number(version) >= LEAST_BOOTSTRAP) return [];
    return [
      `${region} is not bootstrapped for this stage: npx cdk bootstrap aws://${account}/${region} --qualifier ${config.qualifier} --toolkit-stack-name CDKToolkit-${config.qualifier}`,
    ];
  });
}

function missingConcurrency({ config, ask }: Preflight): string[] {
  const limit = ask(
    'aws',
    'lambda',
    'get-account-settings',
    '--region',
    config.region,
    '--query',
    'AccountLimit.ConcurrentExecutions',
    '--output',
    'text',
  );
  const needed = config.parallelDeliveries + OTHER_FUNCTIONS;
  if (Number(limit) >= needed) return [];
  return [
    `Lambda runs ${limit ?? 'an unknown number of'} functions at once, ${needed} are needed in a busy hour: ask for 1,000 (Service Quotas, AWS Lambda, Concurrent executions).`,
  ];
}

async function missingDelegation({ config, ask, nameServers }: Preflight): Promise<string[]> {
  if (config.domain === undefined) return [];
  const { id, name } = config.domain.zone;
  const own = ask(
    'aws',
    'route53',
    'get-hosted-zone',
    '--id',
    id,
    '--query',
    "join(' ', DelegationSet.NameServers)",
    '--output',
    'text',
  );
  if (own === undefined) return [`There is no hosted zone ${id} in this account.`];
  const answered = await nameServers(name);
  const expected = own.split(' ');
  if (answered.length > 0 && answered.every((server) => expected.includes(server))) return [];
  return [
    `${name} is not delegated to its zone: enter these name servers where the domain is registered: ${own}. Without it the certificate is never issued.`,
  ];
}

/** One provider per issuer and account. */
function missingProvider({ repository, ask }: Preflight): string[] {
  if (repository.owner === NO_OWNER) return [];
  const there =
    ask('aws', 'iam', 'list-open-id-connect-providers', '--output', 'text')?.includes(GITHUB) ?? false;
  const ours =
    ask('aws', 'cloudformation', 'describe-stacks', '--stack-name', 'lead-distribution-pipeline') !==
    undefined;
  if (ours || there === (repository.providerExists ?? false)) return [];
  return [
    there
      ? 'The account has a provider for GitHub already: set providerExists of the repository in cdk/config.ts.'
      : 'The account has no provider for GitHub: remove providerExists of the repository in cdk/config.ts.',
  ];
}

function missingMail({ config, ask }: Preflight): string[] {
  if (config.mail === undefined) return [];
  const released = ask(
    'aws',
    'sesv2',
    'get-account',
    '--region',
    config.region,
    '--query',
    'ProductionAccessEnabled',
    '--output',
    'text',
  );
  return released === 'True'
    ? []
    : ['SES is in its sandbox and only writes to verified addresses: docs/operations/ses.md.'];
}

function missingProtection({ stage, repository, ask }: Preflight): string[] {
  if (repository.owner === NO_OWNER) return [];
  const environment = `repos/${repository.owner}/${repository.name}/environments/${stage}`;
  return ask('scripts/protected.sh', stage, environment) === undefined
    ? [`GitHub does not protect the environment ${stage}: docs/operations/first-deployment.md, step 5.`]
    : [];
}
