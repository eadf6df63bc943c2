/**
 * What differs between the stages, and nothing else. Everything here is safe to publish: secrets are made in the cloud
 * and never pass through this file.
 */
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { PartnerVariable, ProviderKey } from '#cdk/environments';

/** A secret of which several generations are valid at once, for its rotation (docs/operations/secrets-rotation.md). */
export interface Generations {
  /** All that are accepted; a number is never used twice. */
  readonly accepted: readonly number[];
  /** The one that is used; must be among the accepted. */
  readonly current: number;
}

export interface StageConfig {
  /** The stage's account, by its twelve digits; without it, that of the credentials which deploy. */
  readonly account?: string;
  /**
   * Names the bootstrap of the stage (`cdk bootstrap --qualifier`), whose roles deploy this stage and no other: up to ten
   * letters and digits.
   */
  readonly qualifier: string;
  /** The region of everything but certificate and firewall, which CloudFront wants in us-east-1. */
  readonly region: string;
  /** False only where losing all data is acceptable: it lets the stack's deletion take table, keys and files along. */
  readonly keepsData: boolean;
  /** Without it the product is reached at the distribution's own address. */
  readonly domain?: {
    readonly name: string;
    /** A public hosted zone in Route 53 that contains the name. */
    readonly zone: { readonly id: string; readonly name: string };
  };
  /** Without it the platform sends no e-mail of its own; deliveries to buyers are not affected. */
  readonly mail?: {
    /** Sender and recipient of "a delivery failed for good". */
    readonly from: string;
    readonly operator: string;
    /** `domain` is verified by DKIM records in `domain.zone`, `address` (both of them) by a link in an e-mail. */
    readonly identity: 'domain' | 'address';
  };
  /**
   * Where alarms go; without it they only show in the console, so a stage that keeps data must have one. With
   * `NO_ADDRESS_YET` its templates can be made and read, but not deployed.
   */
  readonly alarmEmail?: string;
  /** Requests in five minutes from one address after which it is refused. About 9 dollars a month. */
  readonly firewall?: { readonly requests: number; readonly logins: number };
  /**
   * Alarms, dashboard, and the metrics that they show: 20 dollars a month. Without it a stage costs 4 while nobody uses it
   * (docs/operations/costs.md).
   */
  readonly watched: boolean;
  /**
   * Dollars a month for the whole account, of whose excess, expected or reached, `alarmEmail` is told. A budget of the account,
   * because costs by tag need a setting that only the owner of the bill can make.
   */
  readonly monthlyBudget?: number;
  /**
   * Units a second above which the table, and for reads each index, refuse: an on-demand table has no limit to what a fault may cost.
   * A unit is a write of 1 KB or a read of 4 KB; 4,000 writes are 216 dollars a day.
   */
  readonly mostTableUnits: { readonly read: number; readonly write: number };
  /** Requests a second of the API's routes; above the burst callers get 429. The public routes of buyers get less. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /**
   * How many deliveries run at once. A destination that hangs holds as many as it has leases, so this is well above
   * `leasesPerDestination`.
   */
  readonly parallelDeliveries: number;
  /**
   * Calls to one mail server or partner at once, 8 without it: the first limit that a growing load reaches. Ask whoever runs
   * the destination how many connections one client may have (docs/operations/limits.md).
   */
  readonly leasesPerDestination?: number;
  /**
   * Whether new versions of `leads` and `deliver` are tried on a tenth of the calls for five minutes, and taken back when
   * they fail. Without it they replace the former ones at once.
   */
  readonly canary: boolean;
  /** How long log lines are kept; they contain no personal data. */
  readonly logDays: RetentionDays;
  /** Signs the cookies of the admin build. */
  readonly siteGateKeys: Generations;
  /** Secrets by which the API recognises requests from CloudFront. */
  readonly originSecrets: Generations;
  /** Raised by one: a new session key (everyone logs in again) and a new encryption key in front of the old ones. */
  readonly applicationKeys: number;
  /** Addresses and switches of partners and verification services; the defaults are in functions/platform/environment.ts. */
  readonly partners: Readonly<Partial<Record<PartnerVariable, string>>>;
  /**
   * The secret that was made by hand with the API keys of partners and verification services, which of them it contains,
   * and a number to raise when they change (docs/operations/secrets-rotation.md).
   */
  readonly providerKeys?: {
    readonly secretName: string;
    readonly generation: number;
    readonly keys: readonly ProviderKey[];
  };
  /**
   * A copy of the table every day, outside of the stage's account and region, with the application's keys in it
   * (docs/operations/backups.md). Without it whatever removes the account removes everything.
   */
  readonly backup?: {
    readonly account: string;
    readonly region: string;
    readonly keepDays: number;
    /**
     * RSA, as PEM. The application's keys are copied under it; its private half opens them and is kept outside of the cloud.
     */
    readonly publicKey: string;
  };
  /** A table restored to a point in time, used instead of the stack's own (docs/operations/restore-table.md). */
  readonly restoredTable?: { readonly name: string; readonly streamArn: string };
}

/** Placeholder until the operator enters an address; with it a stage is not deployed. */
export const NO_ADDRESS_YET = 'no-address-yet';

export const STAGES = ['dev', 'prod'] as const;
export type Stage = (typeof STAGES)[number];

const first: Generations = { accepted: [1], current: 1 };

export const config: Readonly<Record<Stage, StageConfig>> = {
  dev: {
    qualifier: 'leadsdev',
    region: 'eu-central-1',
    keepsData: false,
    watched: false,
    mostTableUnits: { read: 2000, write: 1000 },
    throttle: { rate: 50, burst: 100 },
    // More than the leases of a destination, so that one that hangs does not hold them all.
    parallelDeliveries: 12,
    canary: false,
    logDays: RetentionDays.ONE_WEEK,
    siteGateKeys: first,
    originSecrets: first,
    applicationKeys: 1,
    partners: {},
  },
  prod: {
    qualifier: 'leadsprod',
    region: 'eu-central-1',
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
    siteGateKeys: first,
    originSecrets: first,
    applicationKeys: 1,
    partners: {},
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
