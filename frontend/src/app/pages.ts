/** The two pages that people open first. */

export const loadLoginPage = () => import('../login/LoginPage');
export const loadLeadListPage = () => import('../buyer/LeadListPage');
