import { ApiError } from '../../app/api';
import type { WithReauthentication } from '../data/admins';
import { useDialogs } from '../dialogs/dialogs';

/** Asks for the password if the server requires reauthentication, then repeats the call. Open dialogs stay open. */
export function useReauthentication(): WithReauthentication {
  const { open } = useDialogs();
  return async (act) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'reauthentication_required') throw error;
      let reauthenticated = false;
      const onReauthenticated = () => {
        reauthenticated = true;
      };
      await new Promise<void>((closed) => open('reauthentication', { onReauthenticated }, closed));
      if (!reauthenticated) throw error;
      return act();
    }
  };
}
