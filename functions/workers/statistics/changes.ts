/** Which changes of the table concern the statistics. Pure. */
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { keys } from '#functions/data/table/keys';

type Image = Readonly<Record<string, AttributeValue>>;

/** What of a lead is counted or searched for; anything else of it may change without a look. */
const COUNTED_FIELDS = [
  'status',
  'buyer',
  'order_id',
  'lead_type',
  'assigned_at',
  'anlagebetrag',
  'vorname',
  'nachname',
  'email',
  'telefon',
] as const;

/** @returns the id of the lead that is to be counted again, or undefined when the record changes nothing of it */
export function changedLead(record: DynamoDBRecord): string | undefined {
  const { OldImage: before, NewImage: after } = record.dynamodb ?? {};
  const item: Image | undefined = after ?? before;
  const leadId = item?.lead_id?.S;
  const kind = item?.sk?.S;
  if (kind === keys.decision('').sk) return leadId;
  return kind === keys.lead('').sk && concernsStatistics(before, after) ? leadId : undefined;
}

function concernsStatistics(before: Image | undefined, after: Image | undefined): boolean {
  // A lead that has only come in counts for nothing yet.
  if (before === undefined) return after?.status?.S !== 'received';
  return COUNTED_FIELDS.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after?.[field]));
}
