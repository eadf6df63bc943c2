import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import { NEWS_KINDS, type NewsKind } from '#shared/rules/constants';
import { call } from '../app/api';
import classes from './NewsView.module.css';
import { newsTexts } from './news-texts';

/** Each switch is saved at once. */
export function NewsView({ token }: { readonly token: string }) {
  const queries = useQueryClient();
  const queryKey = ['news', token];
  const asked = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call('viewNews', { params: { token } }, { fallbackText: newsTexts.failed, signal }),
  });
  const change = useMutation({
    mutationFn: (body: Partial<Record<NewsKind, boolean>>) =>
      call('changeNews', { params: { token }, body }, { fallbackText: newsTexts.failed }),
    onSuccess: (answer) => queries.setQueryData<Answer<'viewNews'>>(queryKey, answer),
  });
  if (asked.data === undefined)
    return asked.isError ? (
      <p role="alert">
        {newsTexts.failed}{' '}
        <button type="button" className={classes.retry} onClick={() => void asked.refetch()}>
          {newsTexts.retry}
        </button>
      </p>
    ) : null;
  const { news, email, closed } = asked.data;
  return (
    <fieldset className={classes.news} disabled={change.isPending}>
      <legend>{newsTexts.legend}</legend>
      {NEWS_KINDS.map((kind) => (
        <label key={kind} className={classes.kind}>
          <input
            type="checkbox"
            checked={change.isPending ? (change.variables[kind] ?? news[kind]) : news[kind]}
            onChange={(event) => change.mutate({ [kind]: event.currentTarget.checked })}
          />
          {newsTexts.kinds[kind]}
        </label>
      ))}
      <p className={classes.note}>
        {newsTexts.to(email)} {closed !== null && <strong>{newsTexts.closed[closed]}</strong>}
      </p>
      <p className={classes.note} role="status">
        {change.isSuccess && newsTexts.saved}
        {change.isError && newsTexts.failed}
      </p>
    </fieldset>
  );
}
