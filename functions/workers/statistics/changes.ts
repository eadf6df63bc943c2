import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { keys } from '#functions/data/table/keys';
import { CHANNELS, type Channel } from '#shared/channels/channels';

type Image = Readonly<Record<string, AttributeValue>>;

/** The attributes of a lead that are counted or searched. */
const COUNTED_FIELDS = [
  'status',
  'buyer',
  'order_id',
  'lead_type',
  'assigned_at',
  'anlagebetrag',
  'laufzeit',
  'claim_status',
  'refused_by',
  'feedback',
  'consent',
  'vorname',
  'nachname',
  'email',
  'telefon',
] as const;

/** @returns the lead to count again, or undefined if the change does not affect the statistics */
export function changedLead(record: DynamoDBRecord): string | undefined {
  const { OldImage: before, NewImage: after } = record.dynamodb ?? {};
  const item: Image | undefined = after ?? before;
  const leadId = item?.lead_id?.S;
  const kind = item?.sk?.S;
  if (kind === keys.decision('').sk || deliveredOver(record) !== undefined) return leadId;
  return kind === keys.lead('').sk && concernsStatistics(before, after) ? leadId : undefined;
}

/** @returns the channel over which the change delivered a lead for the first time */
export function deliveredOver({
  dynamodb: { OldImage: before, NewImage: after } = {},
}: DynamoDBRecord): Channel | undefined {
  if (after?.status?.S !== 'delivered' || before?.status?.S === 'delivered' || after.series?.N !== '1')
    return undefined;
  return CHANNELS.find((channel) => after.sk?.S === keys.delivery('', channel).sk);
}

function concernsStatistics(before: Image | undefined, after: Image | undefined): boolean {
  if (before === undefined) return after?.status?.S !== 'received';
  return COUNTED_FIELDS.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after?.[field]));
}
