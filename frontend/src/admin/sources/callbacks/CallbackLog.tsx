import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { formatDateTime } from '#shared/rules/formats';
import { type Callback, useCallbacks } from '../../data/callbacks';
import type { Source } from '../../data/sources';
import { CallbackOutcome, ResendCallbackButton } from '../../lead/CallbackHistory';
import { ENDPOINT_TEXTS, eventText } from '../../lead/callback-texts';
import { DeliveryBadge } from '../../ui/badges';
import { actionsColumn, type Column, column, DataTable } from '../../ui/DataTable';
import { LoadMoreButton } from '../../ui/LoadMoreButton';
import { NameText } from '../../ui/NameText';
import { SmallText } from '../../ui/SmallText';
import { EmptyState, ListSkeleton, QueryResult } from '../../ui/states';
import { TextLink } from '../../ui/TextLink';
import { TruncatedText } from '../../ui/TruncatedText';

/** The callbacks to a source in the last thirty days, newest first. */
export function CallbackLog({ source, leave }: { readonly source: Source; readonly leave: () => void }) {
  const log = useCallbacks(source.source_id);
  const columns = useMemo(() => [leadColumn(leave), ...COLUMNS], [leave]);
  return (
    <QueryResult query={log} skeleton={<ListSkeleton rows={4} cards />} what="The callbacks">
      {({ pages }) => {
        const rows = pages.flatMap(({ callbacks }) => callbacks);
        if (rows.length === 0)
          return (
            <EmptyState
              title="No callbacks yet"
              hint="Callbacks are listed here for 30 days. They start with the next change of a lead once the source is live."
            />
          );
        return (
          <Stack gap="sm">
            <DataTable
              label={`Callbacks of ${source.name}`}
              columns={columns}
              rows={rows}
              rowKey={({ lead_id, callback_id }) => `${lead_id}-${callback_id}`}
              maxHeight="60vh"
              cards
            />
            <LoadMoreButton query={log} />
          </Stack>
        );
      }}
    </QueryResult>
  );
}

const leadColumn = (leave: () => void): Column<Callback> =>
  column('Lead', 120, ({ lead_id, external_id }) => (
    <TextLink to={`/dashboard/leads/${lead_id}`} onClick={leave}>
      <NameText text={external_id ?? lead_id} />
    </TextLink>
  ));

/** With the first column at most 700 pixels, the width of the dialog. */
const COLUMNS: readonly Column<Callback>[] = [
  column('Event', 150, (callback) => (
    <div>
      <TruncatedText text={`${eventText(callback)}, ${ENDPOINT_TEXTS[callback.endpoint].toLowerCase()}`} />
      <SmallText>{formatDateTime(new Date(callback.occurred_at))}</SmallText>
    </div>
  )),
  column('Status', 95, ({ status }) => <DeliveryBadge status={status} />),
  column('Result', 180, (callback) => <CallbackOutcome callback={callback} />, { grows: true }),
  actionsColumn(120, (callback) => <ResendCallbackButton callback={callback} />, 'resendCallback'),
];
