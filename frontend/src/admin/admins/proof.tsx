import { Suspense, useCallback, useState } from 'react';
import { ApiError } from '../../app/api';
import { lazyComponent } from '../../ui/lazy-component';
import type { WithProof } from '../data/admins';

const ProofDialog = lazyComponent(async () => (await import('./ProofDialog')).ProofDialog);

interface Asked {
  readonly answer: (proved: boolean) => void;
}

/**
 * Asks for the password where the server wants a fresh one, over whatever is open, and makes the call again.
 * @returns the function that makes calls so, and the dialog to render while it asks
 */
export function useProof() {
  const [asked, setAsked] = useState<Asked>();
  const withProof = useCallback<WithProof>(async (act) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error;
      const proved = await new Promise<boolean>((answer) => setAsked({ answer }));
      setAsked(undefined);
      if (!proved) throw error;
      return act();
    }
  }, []);
  const dialog = asked && (
    <Suspense fallback={null}>
      <ProofDialog answer={asked.answer} />
    </Suspense>
  );
  return { withProof, dialog };
}
