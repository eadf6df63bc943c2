/** What can be done with many pending leads. */
export type BulkAction = 'assign' | 'distribute' | 'discard';
