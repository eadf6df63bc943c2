/** Proofs of consents as files: JSON that anyone can check, a page to print, and those of an order in one ZIP. */
import { proofPage } from '#functions/api/common/consent-proof-page';
import { type Exported, keptIfLarge } from '#functions/api/common/exports';
import { companyDetails } from '#functions/data/administration/company';
import type { Buyer } from '#functions/data/buyers/buyer';
import { type ConsentItem, consentItemsOf, recordOf } from '#functions/data/leads/consent';
import { assignmentOf, displayId, type Lead } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import type { Order } from '#functions/data/orders/order';
import { notFound } from '#functions/domain/common/errors';
import { createProver, type ProofContext } from '#functions/domain/leads/consent-proof';
import type { OpenedProof } from '#functions/domain/leads/kept-consents';
import type { FileStore } from '#functions/exports/file-store';
import { createZip } from '#functions/exports/zip';
import type { FileAnswer } from '#functions/http/api';
import type { ApplicationKeys } from '#functions/keys/keys';
import type { Runtime } from '#functions/platform/runtime';
import { toCsv } from '#shared/files/csv';
import { textColumn } from '#shared/files/sheet';
import { consentLine, PROOFS_PER_FILE, type ProofFormat } from '#shared/rules/consent';
import type { ConsentProof } from '#shared/rules/consent-proof';

export interface ProofFilesContext extends Pick<ProofContext, 'table'> {
  readonly runtime: Pick<Runtime, 'now'>;
  readonly keys: () => Promise<ApplicationKeys>;
  readonly publicBaseUrl: string;
}

interface Proven {
  readonly lead: Lead;
  readonly item: ConsentItem;
}

/** @throws DomainError 404 if the consent was erased meanwhile */
export async function proofFile(
  context: ProofFilesContext,
  { lead, item, buyer }: Proven & { readonly buyer: Buyer | undefined },
  format: ProofFormat,
): Promise<FileAnswer> {
  const prove = await proverOf(context);
  const bytes = await prove({ lead, item });
  const consent = recordOf(item)?.consent;
  if (bytes === undefined || consent === undefined) throw notFound('Consent');
  const filename = `Einwilligung ${numberOf(lead)}.${format}`;
  if (format === 'json') return { filename, contentType: 'application/json; charset=utf-8', content: bytes };
  const { publicBaseUrl, runtime } = context;
  const page = proofPage(parsed(bytes), {
    consent,
    buyerId: buyer?.buyer_id,
    deliveredAt: lead.assigned_at,
    publicBaseUrl,
    now: runtime.now(),
  });
  return {
    filename,
    contentType: 'text/html; charset=utf-8',
    content: Buffer.from(page, 'utf8'),
    isShown: true,
  };
}

interface ListedProof {
  readonly number: string;
  readonly line: string;
  readonly isSealed: boolean;
  readonly file: string;
}

const BATCH = 100;

/** `Einwilligungen Bestellung 3.zip`: the proofs of the leads with these sequences, and a list. @param part from 1 */
export async function proofsFile(
  context: ProofFilesContext & { readonly files: FileStore },
  order: Order,
  part: number,
): Promise<Exported> {
  const now = context.runtime.now();
  const last = part * PROOFS_PER_FILE;
  const leads = await leadLists.ofOrderBetween(context, order.order_id, last - PROOFS_PER_FILE + 1, last);
  const items = await consentItemsOf(context, leads);
  const [prove, zip] = await Promise.all([proverOf(context), createZip(now)]);
  const listed: ListedProof[] = [];
  for (let start = 0; start < leads.length; start += BATCH) {
    const proofs = leads.slice(start, start + BATCH).map(async (lead) => {
      const item = items.get(lead.lead_id);
      const consent = recordOf(item)?.consent;
      const bytes = item && (await prove({ lead, item }));
      return bytes && consent && { lead, consent, bytes };
    });
    for (const proof of await Promise.all(proofs)) {
      if (proof === undefined) continue;
      const { lead, consent, bytes } = proof;
      const number = numberOf(lead);
      const file = `Einwilligung ${number}.json`;
      zip.add(file, bytes);
      const isSealed = parsed(bytes).seal !== null;
      listed.push({ number, line: consentLine(consent, lead.withdrawn_at, 'de'), isSealed, file });
    }
  }
  zip.add('Liste.csv', toCsv({ name: 'Liste', columns: LISTED, rows: listed }));
  const name = `Einwilligungen Bestellung ${order.buyer_order_number}${part === 1 ? '' : ` Teil ${part}`}`;
  return keptIfLarge(context, {
    filename: `${name}.zip`,
    contentType: 'application/zip',
    content: zip.end(),
  });
}

const LISTED = [
  textColumn<ListedProof>('Lead-Nr.', 12, ({ number }) => number),
  textColumn<ListedProof>('Einwilligung', 34, ({ line }) => line),
  textColumn<ListedProof>('Versiegelt', 12, ({ isSealed }) => (isSealed ? 'ja' : 'noch nicht')),
  textColumn<ListedProof>('Datei', 24, ({ file }) => file),
];

async function proverOf(context: ProofFilesContext) {
  const prove = await sellersProver(context);
  return ({ lead, item }: Proven) => prove({ item, number: numberOf(lead), withdrawn_at: lead.withdrawn_at });
}

/** As text, numbered as the buyer knows the lead that received it first. */
export async function keptProofText(
  context: SellersContext,
  leadId: string,
  { sealed, received }: OpenedProof,
): Promise<string> {
  const prove = await sellersProver(context);
  const item = { lead_id: leadId, ...sealed };
  const bytes = await prove({
    item,
    number: received[0]?.number ?? leadId,
    withdrawn_at: sealed.withdrawn_at,
  });
  return new TextDecoder().decode(bytes);
}

type SellersContext = Pick<ProofFilesContext, 'table' | 'keys'>;

async function sellersProver(context: SellersContext) {
  const { version: _, ...company } = await companyDetails(context);
  const filled = Object.entries(company).filter(([, text]) => text !== '');
  const seller = filled.length === 0 ? undefined : Object.fromEntries(filled);
  const proofSigner = async () => (await context.keys()).proofSigner();
  const prove = createProver({ table: context.table, proofSigner });
  return (of: Omit<Parameters<typeof prove>[0], 'seller'>) => prove({ ...of, seller });
}

/** A lead without a buyer has only its own ID. */
function numberOf(lead: Lead): string {
  const assignment = assignmentOf(lead);
  return assignment === undefined ? lead.lead_id : displayId(assignment);
}

const parsed = (bytes: Uint8Array): ConsentProof => JSON.parse(new TextDecoder().decode(bytes));
