/** What CloudFormation asks of a custom resource and gets back, as the provider framework hands it over. */
import * as z from 'zod/mini';

export const customResourceEvent = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  PhysicalResourceId: z.optional(z.string()),
  ResourceProperties: z.record(z.string(), z.unknown()),
});
export type CustomResourceEvent = z.output<typeof customResourceEvent>;

export interface CustomResourceAnswer {
  /** Never changes for one resource, or CloudFormation would delete the former one. */
  readonly PhysicalResourceId: string;
  readonly Data?: Readonly<Record<string, string>>;
}

/** The content of a secret and its replacement. */
export interface SecretStore {
  read(arn: string): Promise<string>;
  write(arn: string, value: string): Promise<void>;
}

/**
 * What CloudFormation puts into a secret that this stack fills itself. Only this is ever overwritten: a secret that
 * contains anything else was filled before, or by a person.
 */
export const PLACEHOLDER = { template: '{"placeholder":true}', key: 'noise' } as const;

const placeholder = z.object({ placeholder: z.literal(true) });

export function isPlaceholder(value: string): boolean {
  try {
    return placeholder.safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}
