/** How mutants find the product's central writes: by a text in their expressions. */
export const RESERVE = /last_sequence = last_sequence/;
export const ASSIGN = /lead_type = :type/;
export const REASSIGNED = /refused_by = :refused/;
