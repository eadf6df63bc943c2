import type { ReactNode } from 'react';
import type { Channel } from '#shared/channels/channels';
import { useSendTestLead } from '../data/deliveries';
import { Allowed } from '../data/rights';
import { TestButton } from '../ui/TestButton';

interface Props {
  readonly buyerId: string;
  readonly channel: Channel;
  /** True while the form differs from what is stored; the test uses what is stored. */
  readonly unsaved: boolean;
  /** Shown if delivery failed. */
  readonly children?: ReactNode;
}

/** Sends a test lead over one channel and shows the answer. */
export function TestLeadButton({ buyerId, channel, unsaved, children }: Props) {
  const test = useSendTestLead();
  return (
    <Allowed to="sendTestLead">
      <TestButton
        text="Send a test lead"
        unsaved={unsaved}
        test={test}
        send={() => test.mutate({ params: { buyerId, channel } })}
      />
      {test.data !== undefined && test.data.outcome !== 'delivered' && children}
    </Allowed>
  );
}
