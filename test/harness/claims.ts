/** Claims on a real table: what reviews and reversals need. */
import { createSettingStore } from '#functions/data/administration/settings-store';
import { createEvidenceStore } from '#functions/data/claims/evidence';
import { createAddressStore } from '#functions/data/deliveries/address-store';
import { createSearchIndex } from '#functions/data/leads/search-index';
import { createListViewStore } from '#functions/data/orders/list-view-store';
import { createReplacementStore } from '#functions/data/orders/replacement-store';
import { createSourceFigureStore } from '#functions/data/statistics/source-figures';
import type { Table } from '#functions/data/table/table';
import type { Runtime } from '#functions/runtime';
import { adminOn, distributionOn, quietRuntime } from '#test/harness/distribution';

export function claimsOn(table: Table, runtime: Runtime = quietRuntime) {
  return {
    ...distributionOn(table, { runtime }),
    ...adminOn(table, runtime),
    evidence: createEvidenceStore(table),
    settings: createSettingStore(table),
    listViews: createListViewStore(table),
    searchIndex: createSearchIndex(table),
    sourceFigures: createSourceFigureStore(table),
    replacements: createReplacementStore(table),
    addresses: createAddressStore(table, async () => Buffer.alloc(32, 7)),
  };
}
