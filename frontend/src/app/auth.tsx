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
import { SilentErrorBoundary } from '../ui/ErrorBoundary';
import { ApiError, call, watchSession } from './api';
import type { PasskeyAsked } from './passkeys';
import { checkSession } from './session-check';
import { LOGIN_FAILED, LOGOUT_FAILED } from './texts';

/** `expired`: the session was lost while a screen is open; the screen stays, below the log-in. */
type AuthState = 'unknown' | 'authenticated' | 'expired' | 'not-authenticated';

/**
 * Signs in by a call that opens a session.
 * @returns what a passkey must sign where the password alone does not let in
 * @throws ApiError if the server refuses
 */
export type LogIn = (
  enter: (options: { readonly fallbackText: string }) => Promise<Answer<'login'>>,
) => Promise<PasskeyAsked | undefined>;

interface Auth {
  readonly state: AuthState;
  readonly login: LogIn;
  /** Whether the session may only register a passkey. */
  readonly passkeyRequired: boolean;
  /** A session was opened by another call than the log-in's. */
  readonly entered: () => void;
  /** Ends the session; if the call fails, the visitor is signed out here all the same, and told so. */
  readonly logout: () => Promise<void>;
  /** What became of the last logout, if it failed: the session may still be open on the server. */
  readonly logoutError: string | undefined;
  /** Gives the open screen up, and all that was typed there, for the login page. */
  readonly leave: () => void;
}

const AuthContext = createContext<Auth | undefined>(undefined);

interface ProviderProps {
  /** The log-in over a screen whose session has ended. */
  readonly sessionDialog: ReactNode;
  readonly children: ReactNode;
}

/** Asks once whether there is a session and keeps the answer for the pages inside. */
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
        // Of another tab's login perhaps.
        found: () => setState((known) => (known === 'expired' ? 'authenticated' : known)),
      }),
    [],
  );
  // What was refused meanwhile is asked for again.
  useEffect(() => {
    if (state !== 'expired') return undefined;
    return () => void queries.invalidateQueries();
  }, [state, queries]);

  useEffect(() => {
    const controller = new AbortController();
    const check = async () => {
      try {
        const { authenticated, passkey_required } = await checkSession(controller.signal);
        setPasskeyRequired(passkey_required === true);
        setState(authenticated ? 'authenticated' : 'not-authenticated');
      } catch {
        if (!controller.signal.aborted) setState('not-authenticated');
      }
    };
    void check();
    return () => controller.abort();
  }, []);

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
        <SilentErrorBoundary onFailed={forget}>
          <Suspense fallback={null}>{sessionDialog}</Suspense>
        </SilentErrorBoundary>
      )}
    </AuthContext>
  );
}

/** The session of the page. Only inside AuthProvider. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth needs an AuthProvider around it');
  return auth;
}
