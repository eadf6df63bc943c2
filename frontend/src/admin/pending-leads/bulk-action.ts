/** Actions for many pending leads. */
export type BulkAction = 'assign' | 'distribute' | 'discard';
