import { isDeepStrictEqual } from 'node:util';
import type { AlertSettings } from '#functions/data/alerts/alert-store';
import * as alertStore from '#functions/data/alerts/alert-store';
import type { Context } from '#functions/data/context';
import { auditEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { mapAlertKinds } from '#shared/rules/constants';

type SomeSettings = { readonly [Field in keyof AlertSettings]?: AlertSettings[Field] | undefined };

export async function saveAlertSettings(
  context: Context,
  who: string,
  change: SomeSettings,
  expected: SomeSettings | undefined,
): Promise<AlertSettings> {
  return retryOnConflict(context.runtime, async () => {
    const { version, ...before } = await alertStore.settings(context);
    requireUnchanged(expected, before);
    const after = {
      emails: change.emails ?? before.emails,
      ...mapAlertKinds((kind) => change[kind] ?? before[kind]),
    };
    if (isDeepStrictEqual(before, after)) return before;
    return committed(context, after, [
      alertStore.settingsChanged(version, after),
      auditEntry(context, { who, action: 'updated', entity: 'setting', entityId: 'alerts', before, after }),
    ]);
  });
}
