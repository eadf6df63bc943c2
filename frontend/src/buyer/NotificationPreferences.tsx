import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import { NOTIFICATION_KINDS, type NotificationKind } from '#shared/rules/constants';
import { call } from '../app/api';
import classes from './NotificationPreferences.module.css';
import { notificationTexts } from './notification-texts';
import page from './page.module.css';

export function NotificationPreferences({ token }: { readonly token: string }) {
  const queries = useQueryClient();
  const queryKey = ['notification-preferences', token];
  const asked = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call(
        'viewNotificationPreferences',
        { params: { token } },
        { fallbackText: notificationTexts.failed, signal },
      ),
  });
  const change = useMutation({
    mutationFn: (body: Partial<Record<NotificationKind, boolean>>) =>
      call(
        'changeNotificationPreferences',
        { params: { token }, body },
        { fallbackText: notificationTexts.failed },
      ),
    onSuccess: (answer) => queries.setQueryData<Answer<'viewNotificationPreferences'>>(queryKey, answer),
  });
  if (asked.data === undefined)
    return asked.isError ? (
      <p role="alert">
        {notificationTexts.failed}{' '}
        <button type="button" className={classes.retry} onClick={() => void asked.refetch()}>
          {notificationTexts.retry}
        </button>
      </p>
    ) : null;
  const { preferences, email, closed } = asked.data;
  return (
    <fieldset className={classes.preferences} disabled={change.isPending}>
      <legend>{notificationTexts.legend}</legend>
      {NOTIFICATION_KINDS.map((kind) => (
        <label key={kind} className={classes.kind}>
          <input
            type="checkbox"
            checked={change.isPending ? (change.variables[kind] ?? preferences[kind]) : preferences[kind]}
            onChange={(event) => change.mutate({ [kind]: event.currentTarget.checked })}
          />
          {notificationTexts.kinds[kind]}
        </label>
      ))}
      <p className={page.note}>
        {notificationTexts.to(email)} {closed !== null && <strong>{notificationTexts.closed[closed]}</strong>}
      </p>
      <p className={page.note} role="status">
        {change.isSuccess && notificationTexts.saved}
        {change.isError && notificationTexts.failed}
      </p>
    </fieldset>
  );
}
