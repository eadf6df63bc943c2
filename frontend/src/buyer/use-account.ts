import { useQuery } from '@tanstack/react-query';
import { ApiError, callUnlessKnown, type Tagged } from '../app/api';
import { accountTexts } from './account-texts';

interface Options {
  readonly fallbackText: string;
  readonly signal: AbortSignal;
}

export function useShare(token: string) {
  return useAccount(['share', token], (known, options) =>
    callUnlessKnown('viewShare', { params: { token } }, known, options),
  );
}

export function useStatement(token: string) {
  return useAccount(['statement', token], (known, options) =>
    callUnlessKnown('viewStatement', { params: { token } }, known, options),
  );
}

/** Requested whenever its panel opens; unchanged answers are not sent again. */
function useAccount<T>(
  queryKey: readonly string[],
  ask: (known: string | undefined, options: Options) => Promise<Tagged<T | undefined>>,
) {
  return useQuery({
    queryKey,
    queryFn: async ({ client, signal }): Promise<Tagged<T>> => {
      const before = client.getQueryData<Tagged<T>>(queryKey);
      const { answer = before?.answer, tag } = await ask(before?.tag, {
        fallbackText: accountTexts.loadFailed,
        signal,
      });
      if (answer === undefined) throw new ApiError(accountTexts.loadFailed, 304, 'no_answer', {}, true);
      return { answer, tag };
    },
  });
}
