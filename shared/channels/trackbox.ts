import type { ChannelDescriptor } from '#shared/channels/descriptor';
import { CHANNEL_NAMES } from '#shared/channels/names';

export const TRACKBOX_DEFAULT_CI = '1';

export const trackbox = {
  ...CHANNEL_NAMES.trackbox,
  form: { legend: 'Delivery to the tracking platform (TB)', toggle: 'Use the tracking-platform API' },
  requiredFor: 'TrackBox delivery',
  fields: [
    {
      name: 'trackbox_username',
      kind: 'text',
      label: 'Username',
      maxLength: 200,
      autoComplete: 'off',
      required: true,
    },
    {
      name: 'trackbox_password',
      kind: 'secret',
      label: 'Password',
      sentTo: ['trackbox_domain', 'trackbox_username'],
      autoComplete: 'new-password',
      required: true,
    },
    {
      name: 'trackbox_api_key',
      kind: 'secret',
      label: 'Platform API key',
      sentTo: ['trackbox_domain'],
      required: true,
      requiredText: 'API key is required',
    },
    {
      name: 'trackbox_domain',
      kind: 'host',
      label: 'Domain',
      placeholder: 'box.example.com',
      description: 'Without protocol',
      required: true,
    },
    { name: 'trackbox_ai', kind: 'text', label: 'AI', maxLength: 50, narrow: true, required: true },
    { name: 'trackbox_gi', kind: 'text', label: 'GI', maxLength: 50, narrow: true, required: true },
    {
      name: 'trackbox_ci',
      kind: 'text',
      label: 'CI',
      maxLength: 50,
      narrow: true,
      defaultValue: TRACKBOX_DEFAULT_CI,
    },
    {
      name: 'trackbox_custom_mapping',
      kind: 'mapping',
      label: 'Tracking platform mapping',
      keys: /^(so|sub|ad|term|campaign|medium|lg|MPC_([1-9]|1[0-2]))$/,
      keysText: 'must be so, sub, ad, term, campaign, medium, lg or MPC_1 to MPC_12',
      example: '{ "MPC_1": "clickId", "sub": "src" }',
    },
  ],
} as const satisfies ChannelDescriptor;
