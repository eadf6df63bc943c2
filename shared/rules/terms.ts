/** `12 to 60 months`, `at least 12 months`, `at most 60 months`; empty for any term */
export function termsText(min: number | string | null, max: number | string | null): string {
  if (min !== null && max !== null) return `${min} to ${max} months`;
  if (min !== null) return `at least ${min} months`;
  return max === null ? '' : `at most ${max} months`;
}
