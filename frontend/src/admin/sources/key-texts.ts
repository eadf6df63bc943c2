import { formatDateTime } from '#shared/rules/formats';
import type { SourceKey } from '../data/sources';

/** `last used 14.05.2025, 09:30` */
export function usedText({ last_used_at }: Pick<SourceKey, 'last_used_at'>): string {
  return last_used_at === null ? 'never used' : `last used ${formatDateTime(new Date(last_used_at))}`;
}
