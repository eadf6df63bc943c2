/** Patterns for the product's central writes, used by mutants. */
export const RESERVE = /last_sequence = last_sequence/;
export const ASSIGN = /lead_type = :type/;
export const REASSIGNED = /refused_by = :refused/;
