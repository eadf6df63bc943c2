/** The unit of `expires_at`, by which DynamoDB removes expired items. */
export function epochSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
