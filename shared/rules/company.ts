/** The company that runs the product, as its pages and e-mails name it. */

export const COMPANY_LIMITS = { name: 200, address: 500, privacy_contact: 254 } as const;

/** Name and address without empty lines. */
export function postalLines({
  name,
  address,
}: {
  readonly name: string;
  readonly address: string;
}): string[] {
  return [name, ...address.split('\n')].map((line) => line.trim()).filter((line) => line !== '');
}
