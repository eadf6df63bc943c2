import type { Channel } from '#shared/channels/channels';
import { ALL_CHANNEL_NAMES } from '#shared/channels/names';
import type { Buyer } from '../data/buyers';
import { SettingsButtons } from './DeliveryProblem';
import { TestLeadButton } from './TestLeadButton';

/** Those that are on. */
export const channelsOf = (buyer: Buyer) => ALL_CHANNEL_NAMES.filter(({ flag }) => buyer[flag]);

interface Props {
  readonly buyer: Buyer;
  readonly channel: Channel;
}

/** Sends a test lead with the stored settings, and offers them after a failure. */
export function ChannelTest({ buyer, channel }: Props) {
  return (
    <TestLeadButton buyerId={buyer.buyer_id} channel={channel} unsaved={false}>
      <SettingsButtons buyer={buyer} templateId={channel === 'email' ? buyer.email_template_id : null} />
    </TestLeadButton>
  );
}
