import type { CompanyRow } from '#shared/contract/rows/company';

export const COMPANY_FIELDS = [
  { name: 'name', label: 'Name' },
  { name: 'address', label: 'Address' },
  { name: 'imprint_url', label: 'Imprint' },
  { name: 'privacy_url', label: 'Privacy notice' },
  { name: 'privacy_contact', label: 'Contact for data protection' },
] as const satisfies readonly { name: keyof CompanyRow; label: string }[];
