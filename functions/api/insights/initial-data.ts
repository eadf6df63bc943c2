/** A separate file, so that it is loaded on demand. */

import { buyerRow } from '#functions/api/common/buyer-row';
import { credentialRow } from '#functions/api/common/credential-row';
import { pendingLeadRow } from '#functions/api/common/pending-lead-row';
import * as settingStore from '#functions/data/administration/settings-store';
import type { DataContext } from '#functions/data/context';
import { listBuyers } from '#functions/domain/buyers/buyer-list';
import { listPending } from '#functions/domain/leads/pending-leads';
import type { KeyLoader } from '#functions/keys/keys';
import type { Answer } from '#shared/contract/schemas';
import { PENDING_LEADS_LIMIT } from '#shared/rules/constants';

type OwnContext = Parameters<typeof listBuyers>[0] &
  Parameters<typeof listPending>[0] &
  DataContext & { readonly keys: KeyLoader };

/** @param figures are loaded at the same time */
export async function initialData(
  context: OwnContext,
  publicBaseUrl: string,
  now: Date,
  figures: Promise<Answer<'getDashboardStats'>>,
): Promise<Answer<'getDashboardInitialData'>> {
  const [buyers, pending, credentials, { cipher }, stats] = await Promise.all([
    listBuyers(context),
    listPending(context, PENDING_LEADS_LIMIT),
    settingStore.credentials(context),
    context.keys(),
    figures,
  ]);
  const rows = buyers.map((listed) => buyerRow(publicBaseUrl, listed, now));
  return {
    buyers: rows,
    buyer_balances: Object.fromEntries(rows.map((row) => [row.buyer_id, row.balance_count])),
    ineligible_leads: pending.leads.map(pendingLeadRow),
    pushover_creds: credentials.map((credential) => credentialRow(credential, cipher)),
    stats,
  };
}
