import { Anchor, Group } from '@mantine/core';
import { channelsText, consentLine, PROOF_FORMATS } from '#shared/rules/consent';
import { fileUrl } from '../../app/api';
import type { LeadDetails } from '../data/leads';
import type { DescriptionItem } from '../ui/DescriptionList';

const LINKS = { html: 'Proof to print', json: 'Proof as a file' } as const;

export function consentFacts(
  { lead_id: leadId, consent, withdrawn_at: withdrawnAt }: LeadDetails,
  withProof: boolean,
): DescriptionItem[] {
  if (consent === null) return [];
  return [
    [
      'Consent',
      `${consentLine(consent, withdrawnAt, 'en')}; contact by ${channelsText(consent.channels, 'en')}`,
    ],
    ['Consent text', consent.text],
    ...(withProof ? [proof(leadId)] : []),
  ];
}

function proof(leadId: string): DescriptionItem {
  return [
    'Proof of consent',
    <Group key="proof" gap="md">
      {PROOF_FORMATS.map((format) => (
        <Anchor
          key={format}
          href={fileUrl('downloadConsentProof', { params: { leadId, format } })}
          {...(format === 'html' ? { target: '_blank', rel: 'noreferrer' } : { download: true })}
        >
          {LINKS[format]}
        </Anchor>
      ))}
    </Group>,
  ];
}
