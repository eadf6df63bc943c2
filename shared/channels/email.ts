import type { ChannelDescriptor } from '#shared/channels/descriptor';
import { CHANNEL_NAMES } from '#shared/channels/names';

export const email = {
  ...CHANNEL_NAMES.email,
  form: { legend: 'How do leads arrive?', toggle: 'Send e-mails' },
  requiredFor: 'e-mail delivery',
  fields: [
    {
      name: 'email_template_id',
      kind: 'template',
      label: 'E-mail template',
      noneText: '-- Select a template --',
      required: true,
      requiredText: 'An email template is required to send emails',
    },
    {
      name: 'reimbursement_email_template_id',
      kind: 'template',
      label: 'E-mail template for replacement leads',
      noneText: 'The same template',
      prepayOnly: true,
      folded: 'Replacement leads',
    },
  ],
} as const satisfies ChannelDescriptor;
