/** A stage's backup for tests. Nobody has the private key. */
import type { StageConfig } from '#cdk/config-schema';

export const ACCOUNT = '111122223333';

export const backup = {
  account: '999988887777',
  region: 'eu-west-1',
  keepDays: 35,
  publicKey: `-----BEGIN PUBLIC KEY-----
MIIBojANBgkqhkiG9w0BAQEFAAOCAY8AMIIBigKCAYEAtam6keglYOw01MOiYJWr
MQKF4jW673ZX18OIkFUlew9FX74weghm3m09s3B4B7IbyWH3aJfc2lyx3LegZHEk
FsN5rEAFAofpAfVyxScYifNk9U0ch87mFXCEVtkEK/hkdNPGT2CsbWcRmP7lMIEP
j+29exp47bIstHC501FdusyM4LGaaR+FwU/WDqRc6Y3RlRWPtS2lf270G6ZnpJSv
F/LDlipyJsaZUo74ShL7uk1TZm03BJ7Da4ccU7z8LFRHbylVDKIN2u72bZlpe5zK
yARMD06XhPfCGQqWYS8+SPN7QmYjdbfvRxLEB66NKMs5Owk5pf2xKfS5KecO39Ef
G6lFZlUZjGCGlTxS0bmFIX1QUEFF5wXAPJwmHBwFauTipbIYAk7vuY8gNFETmKFs
l8JgnuyqCwWoDgxecG2DrPTZZAfotcM7sMIJgLOCx/mzD3HspNa9aEEHZIuCXz+I
9Jetfc9Ybvomx/4IL2nieFwnQTD9V101WBbeKEBk8AOtAgMBAAE=
-----END PUBLIC KEY-----`,
} as const satisfies StageConfig['backup'];
