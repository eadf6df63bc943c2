/** Of the error catalogue: what is said when the server says nothing. */
export const LOGIN_FAILED = 'Login failed';
export const LOGOUT_FAILED = 'Logout failed';
