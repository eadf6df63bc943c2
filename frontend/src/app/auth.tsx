import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { ApiError, call, onSessionLost } from './api';
import { checkSession } from './session-check';
import { LOGIN_FAILED, LOGOUT_FAILED } from './texts';

type AuthState = 'unknown' | 'authenticated' | 'not-authenticated';

interface Auth {
  readonly state: AuthState;
  /** Signs in. Throws ApiError if the server refuses. */
  readonly login: (username: string, password: string) => Promise<void>;
  /** Ends the session; if the call fails, the visitor is signed out here all the same, and told so. */
  readonly logout: () => Promise<void>;
  /** What became of the last logout, if it failed: the session may still be open on the server. */
  readonly logoutError: string | undefined;
}

const AuthContext = createContext<Auth | undefined>(undefined);

/** Asks once whether there is a session and keeps the answer for the pages inside. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<AuthState>('unknown');
  const [logoutError, setLogoutError] = useState<string>();
  const queries = useQueryClient();

  const forget = useCallback(() => {
    setState('not-authenticated');
    queries.clear();
  }, [queries]);

  useEffect(() => onSessionLost(forget), [forget]);

  useEffect(() => {
    const controller = new AbortController();
    const check = async () => {
      try {
        setState((await checkSession(controller.signal)) ? 'authenticated' : 'not-authenticated');
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
      login: async (username, password) => {
        await call('login', { body: { username, password } }, { fallbackText: LOGIN_FAILED });
        setLogoutError(undefined);
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
    }),
    [state, logoutError, forget],
  );
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/** The session of the page. Only inside AuthProvider. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth needs an AuthProvider around it');
  return auth;
}
