/**
 * What differs between the stages; `config-schema.ts` explains the fields. Safe to publish: secrets are made in the cloud and
 * never pass through this file.
 */
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Generations, NO_ADDRESS_YET, type StageConfig } from '#cdk/config-schema';

export const STAGES = ['dev', 'prod'] as const;
export type Stage = (typeof STAGES)[number];

const first: Generations = { accepted: [1], current: 1 };
const common = {
  region: 'eu-central-1',
  siteGateKeys: first,
  originSecrets: first,
  applicationKeys: 1,
  partners: {},
} as const;

export const config: Readonly<Record<Stage, StageConfig>> = {
  dev: {
    ...common,
    qualifier: 'leadsdev',
    keepsData: false,
    watched: false,
    mostTableUnits: { read: 2000, write: 1000 },
    throttle: { rate: 50, burst: 100 },
    // More than the leases of a destination, so that one that hangs does not hold them all.
    parallelDeliveries: 12,
    canary: false,
    logDays: RetentionDays.ONE_WEEK,
  },
  prod: {
    ...common,
    qualifier: 'leadsprod',
    keepsData: true,
    watched: true,
    alarmEmail: NO_ADDRESS_YET,
    firewall: { requests: 2000, logins: 50 },
    // As much as a new table takes anyway (docs/operations/limits.md).
    mostTableUnits: { read: 12_000, write: 4000 },
    monthlyBudget: 200,
    throttle: { rate: 500, burst: 1000 },
    parallelDeliveries: 50,
    canary: true,
    logDays: RetentionDays.THREE_MONTHS,
  },
};

export interface Repository {
  readonly owner: string;
  readonly name: string;
  /**
   * GitHub's ids of the two, which are in the tokens of every repository that was made or renamed since 15 July
   * 2026: `gh api repos/OWNER/NAME --jq '[.owner.id, .id]'`. Omit them where the tokens contain names only.
   * https://github.blog/changelog/2026-04-23-immutable-subject-claims-for-github-actions-oidc-tokens/
   */
  readonly ids?: { readonly owner: number; readonly repository: number };
  /** Whether the account has a provider for GitHub's tokens already; it can have one only, which is then used. */
  readonly providerExists?: boolean;
}

/** Placeholder until an owner is entered; with it the pipeline is not deployed. */
export const NO_OWNER = 'your-organisation';

/** The repository whose workflow may deploy; the environments `dev` and `prod` must exist there. */
export const repository: Repository = { owner: NO_OWNER, name: 'lead-distribution' };
