/** What is loaded ahead of its use: the two pages that people open first, and the log-in over a screen. */

export const loadLoginPage = () => import('../login/LoginPage');
export const loadSessionDialog = () => import('../login/SessionDialog');
export const loadLeadListPage = () => import('../buyer/LeadListPage');
