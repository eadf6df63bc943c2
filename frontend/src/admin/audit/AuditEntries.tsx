import { useMemo } from 'react';
import { formatDateTime } from '#shared/rules/formats';
import { type AuditEntry, useAudit } from '../data/audit';
import { useTemplates } from '../data/settings';
import { buyerPath } from '../ui/BuyerLink';
import { type Column, column, DataTable } from '../ui/DataTable';
import { LoadMoreButton } from '../ui/LoadMoreButton';
import { countOf } from '../ui/labels';
import { NameText } from '../ui/NameText';
import { EmptyState, QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';
import classes from './AuditEntries.module.css';
import { type AuditChange, changeText, PENDING_LEADS, subjectText } from './audit-texts';

interface Props {
  readonly kind: Parameters<typeof useAudit>[0];
  readonly entity: Parameters<typeof useAudit>[1];
  /** Of the object; empty for all. */
  readonly id: string;
}

/** Entries of the audit trail, newest first. */
export function AuditEntries({ kind, entity, id }: Props) {
  const audit = useAudit(kind, entity, id);
  const accesses = kind === 'accesses';
  return (
    <QueryResult query={audit} what="The audit trail">
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.entries);
        return (
          <>
            {rows.length === 0 ? (
              <EmptyState
                title="No entries"
                hint={
                  accesses
                    ? 'Leads, exports and buyer links that an admin opened appear here, each once a day.'
                    : 'Every change made by an admin appears here.'
                }
              />
            ) : (
              <DataTable
                label="Audit trail"
                columns={accesses ? columns.filter(({ key }) => key !== 'Changes') : columns}
                rows={rows.map((entry, index) => ({ entry, index }))}
                rowKey={({ index }) => index}
                cards
              />
            )}
            <LoadMoreButton query={audit} />
          </>
        );
      }}
    </QueryResult>
  );
}

interface Row {
  readonly entry: AuditEntry;
  readonly index: number;
}

const columns: readonly Column<Row>[] = [
  column('When', 140, ({ entry }) => formatDateTime(new Date(entry.at))),
  column('Who', 110, ({ entry }) => <NameText text={entry.who} />, { grows: true }),
  column('Action', 130, ({ entry }) => entry.action.replaceAll('_', ' ')),
  column('What', 180, ({ entry }) => <Subject entry={entry} />, { grows: true }),
  column('Changes', 390, ({ entry }) => <Changes changes={entry.changes} />, { grows: true }),
];

/** One line that expands if there are details. */
function Changes({ changes }: { changes: readonly AuditChange[] }) {
  const { data: templates } = useTemplates();
  const names = useMemo(() => new Map(templates?.map(({ id, name }) => [id, name])), [templates]);
  const [first, ...others] = changes.map((change) => changeText(change, names));
  if (first === undefined) return '–';
  return (
    <details className={classes.changes}>
      <summary>
        {others.length > 0 && <strong>{countOf(changes.length, 'change')}: </strong>}
        <span>{first}</span>
      </summary>
      {others.map((text) => (
        <div key={text}>{text}</div>
      ))}
    </details>
  );
}

function Subject({ entry }: { entry: AuditEntry }) {
  const text = subjectText(entry);
  const link = linkOf(entry);
  const name = <NameText text={text} />;
  return link === undefined ? name : <TextLink to={link}>{name}</TextLink>;
}

function linkOf({ entity, entity_id }: AuditEntry): string | undefined {
  switch (entity) {
    case 'buyer':
      return buyerPath(entity_id);
    case 'order':
      return `/dashboard?q=${encodeURIComponent(`order ${entity_id}`)}&inactive=1`;
    case 'lead':
      return entity_id === PENDING_LEADS ? '/dashboard/ineligible-leads' : `/dashboard/leads/${entity_id}`;
    default:
      return undefined;
  }
}
