import { ApiError } from '../../app/api';
import type { WithProof } from '../data/admins';
import { useDialogs } from '../dialogs/dialogs';

/** Asks for the password where the server wants a fresh one, over whatever is open, and makes the call again. */
export function useProof(): WithProof {
  const { open } = useDialogs();
  return async (act) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error;
      let proved = false;
      const onProved = () => {
        proved = true;
      };
      await new Promise<void>((closed) => open('proof', { onProved }, closed));
      if (!proved) throw error;
      return act();
    }
  };
}
