/** Who is alerted of what. */
import { isDeepStrictEqual } from 'node:util';
import type { AlertSettings, AlertStore } from '#functions/data/alerts/alert-store';
import type { Table } from '#functions/data/table/table';
import { auditEntry } from '#functions/domain/common/audit';
import { requireAsSeen } from '#functions/domain/common/edited-meanwhile';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { CONFLICT } from '#functions/retry';
import type { Runtime } from '#functions/runtime';
import { mapAlertKinds } from '#shared/rules/constants';

type SomeSettings = { readonly [Field in keyof AlertSettings]?: AlertSettings[Field] | undefined };

/** Changes what is given. @throws DomainError 409 when some of it is not as it was seen */
export async function saveAlertSettings(
  deps: {
    readonly table: Pick<Table, 'transact'>;
    readonly alerts: Pick<AlertStore, 'settings' | 'settingsChanged'>;
    readonly runtime: Runtime;
  },
  who: string,
  change: SomeSettings,
  seen: SomeSettings | undefined,
): Promise<AlertSettings> {
  return retryOnConflict(deps.runtime, async () => {
    const { version, ...before } = await deps.alerts.settings();
    requireAsSeen(seen, before);
    const after = {
      emails: change.emails ?? before.emails,
      ...mapAlertKinds((kind) => change[kind] ?? before[kind]),
    };
    if (isDeepStrictEqual(before, after)) return before;
    const { ok } = await deps.table.transact([
      deps.alerts.settingsChanged(version, after),
      auditEntry(deps, { who, action: 'updated', entity: 'setting', entityId: 'alerts', before, after }),
    ]);
    return ok ? after : CONFLICT;
  });
}
