import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import type { Answer } from '#shared/contract/schemas';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { ApiError, call, isUnreachable, watchSession } from './api';
import { connection } from './connection';
import type { PasskeyRequested } from './passkeys';
import { checkSession } from './session-check';
import { LOGIN_FAILED, LOGOUT_FAILED } from './texts';

/** The cached answer of `checkAuth`; with `admins`, because changes of admins refresh it. */
export const RIGHTS_KEY = ['admins', 'rights'] as const;

/** `expired`: the open screen stays, below the login dialog. */
type AuthState = 'unknown' | 'authenticated' | 'expired' | 'not-authenticated';

/** @returns the challenge of a second factor @throws ApiError */
export type LogIn = (
  enter: (options: { readonly fallbackText: string }) => Promise<Answer<'login'>>,
) => Promise<PasskeyRequested | undefined>;

interface Auth {
  readonly state: AuthState;
  readonly login: LogIn;
  readonly passkeyRequired: boolean;
  /** Another call opened a session. */
  readonly entered: () => void;
  /** Logs out in this browser even if the call fails, and reports the failure. */
  readonly logout: () => Promise<void>;
  /** Set if the session may still be open on the server. */
  readonly logoutError: string | undefined;
  /** Leaves the screen with all that was typed there. */
  readonly leave: () => void;
}

const AuthContext = createContext<Auth | undefined>(undefined);

interface ProviderProps {
  readonly sessionDialog: ReactNode;
  readonly children: ReactNode;
}

/** Checks the session once. */
export function AuthProvider({ sessionDialog, children }: ProviderProps) {
  const [state, setState] = useState<AuthState>('unknown');
  const [passkeyRequired, setPasskeyRequired] = useState(false);
  const [logoutError, setLogoutError] = useState<string>();
  const queries = useQueryClient();

  const forget = useCallback(() => {
    setState('not-authenticated');
    queries.clear();
  }, [queries]);

  useEffect(
    () =>
      watchSession({
        lost: () => setState((known) => (known === 'authenticated' ? 'expired' : known)),
        // Another tab may have logged in.
        found: () => setState((known) => (known === 'expired' ? 'authenticated' : known)),
      }),
    [],
  );
  // Repeats what was refused meanwhile.
  useEffect(() => {
    if (state !== 'expired') return undefined;
    return () => void queries.invalidateQueries();
  }, [state, queries]);

  useEffect(() => {
    const controller = new AbortController();
    const check = async () => {
      try {
        const checked = await checkSession(controller.signal);
        const { authenticated, passkey_required } = checked;
        if (authenticated) queries.setQueryData(RIGHTS_KEY, checked);
        setPasskeyRequired(passkey_required === true);
        setState(authenticated ? 'authenticated' : 'not-authenticated');
      } catch (error) {
        if (controller.signal.aborted) return;
        setState('not-authenticated');
        if (!isUnreachable(error)) return;
        await connection.answering();
        if (!controller.signal.aborted) await check();
      }
    };
    void check();
    return () => controller.abort();
  }, [queries]);

  const auth = useMemo<Auth>(
    () => ({
      state,
      passkeyRequired,
      login: async (enter) => {
        const answer = await enter({ fallbackText: LOGIN_FAILED });
        if (answer.message === 'Second factor required') return answer;
        setLogoutError(undefined);
        setPasskeyRequired(answer.passkey_required === true);
        setState('authenticated');
        return undefined;
      },
      entered: () => {
        queries.clear();
        setLogoutError(undefined);
        setPasskeyRequired(false);
        setState('authenticated');
      },
      logout: async () => {
        try {
          await call('logout', {}, { fallbackText: LOGOUT_FAILED });
        } catch (error) {
          setLogoutError(error instanceof ApiError ? error.message : LOGOUT_FAILED);
        }
        forget();
      },
      logoutError,
      leave: forget,
    }),
    [state, passkeyRequired, logoutError, forget, queries],
  );
  return (
    <AuthContext value={auth}>
      {children}
      {state === 'expired' && (
        <ErrorBoundary onFailed={forget}>
          <Suspense fallback={null}>{sessionDialog}</Suspense>
        </ErrorBoundary>
      )}
    </AuthContext>
  );
}

export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth needs an AuthProvider around it');
  return auth;
}
