import { useQuery } from '@tanstack/react-query';
import { ApiError, callUnlessKnown, type Tagged } from '../app/api';
import { accountTexts } from './account-texts';

interface Options {
  readonly fallbackText: string;
  readonly signal: AbortSignal;
}

/** How the leads received compare with the share agreed. */
export function useShare(token: string) {
  return useAccount(['share', token], (known, options) =>
    callUnlessKnown('viewShare', { params: { token } }, known, options),
  );
}

/** What was delivered, claimed, replaced and is to be paid. */
export function useStatement(token: string) {
  return useAccount(['statement', token], (known, options) =>
    callUnlessKnown('viewStatement', { params: { token } }, known, options),
  );
}

/** Asked for whenever its panel is opened; what has not changed since is not sent again. */
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
