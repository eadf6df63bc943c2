/** From the error catalogue, if the server gives no text. */
export const LOGIN_FAILED = 'Login failed';
export const LOGOUT_FAILED = 'Logout failed';
