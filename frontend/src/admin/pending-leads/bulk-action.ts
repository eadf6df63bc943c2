/** Actions for many leads; only pending ones can be assigned, distributed or discarded. */
export type BulkAction = 'assign' | 'distribute' | 'discard' | 'erase';

export interface BulkLead {
  readonly lead_id: string;
  readonly name: string;
  readonly created_at: string;
}
