/** Events and answers of the CDK's provider framework. */
import * as z from 'zod/mini';

export const customResourceEvent = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  PhysicalResourceId: z.optional(z.string()),
  ResourceProperties: z.record(z.string(), z.unknown()),
});
export type CustomResourceEvent = z.output<typeof customResourceEvent>;

export interface CustomResourceAnswer {
  /** If it changed, CloudFormation would delete the old resource. */
  readonly PhysicalResourceId: string;
  readonly Data?: Readonly<Record<string, string>>;
}

export interface SecretStore {
  read(arn: string): Promise<string>;
  write(arn: string, value: string): Promise<void>;
}

/** Only the placeholder is overwritten: other content was written before, or by a person. */
export const PLACEHOLDER = { template: '{"placeholder":true}', key: 'noise' } as const;

const placeholder = z.object({ placeholder: z.literal(true) });

export function isPlaceholder(value: string): boolean {
  try {
    return placeholder.safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}
