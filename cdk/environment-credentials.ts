/**
 * Stands in every bundle for the SDK's chain of credential providers: Lambda gives a role's credentials by the
 * environment, so single sign-on, profiles, instance metadata and their four clients are never asked.
 */
import { fromEnv } from '@aws-sdk/credential-provider-env';

/** The name under which the SDK's clients import it. @throws CredentialsProviderError, on use, without credentials */
export const defaultProvider = fromEnv;
