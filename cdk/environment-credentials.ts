/** Replaces the SDK's credential chain in every bundle: Lambda passes credentials in the environment. */
import { fromEnv } from '@aws-sdk/credential-provider-env';

/** As the SDK's clients import it. */
export const defaultProvider = fromEnv;
