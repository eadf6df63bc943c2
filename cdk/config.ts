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
    // More than the leases of one destination, so that it cannot hold them all.
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
    // The initial limit of a new table (docs/operations/limits.md).
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
   * In the tokens of repositories made or renamed since 15 July 2026: `gh api repos/OWNER/NAME --jq '[.owner.id, .id]'`.
   * https://github.blog/changelog/2026-04-23-immutable-subject-claims-for-github-actions-oidc-tokens/
   */
  readonly ids?: { readonly owner: number; readonly repository: number };
  /** An account can have one provider for GitHub's tokens; an existing one is used. */
  readonly providerExists?: boolean;
}

/** Placeholder; with it the pipeline is not deployed. */
export const NO_OWNER = 'your-organisation';

/** It needs the environments `dev` and `prod`. */
export const repository: Repository = { owner: NO_OWNER, name: 'lead-distribution' };
