/** Its message is one line that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
