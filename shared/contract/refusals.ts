/**
 * Errors with status 400 that several calls return although the request fits its schema: from a code, or a code and a field,
 * to a sentence. The API document lists them, and tests find any others.
 */

export type Refusals = Readonly<Record<string, string>>;

export const weightRefusals = {
  probability_exceeded: 'the weights of all active buyers with an order would exceed 100 %',
};

export const secretAgain = {
  secret_required: 'a stored secret would go to another server or account and must be sent again',
};

export const namedTwice = { buyer_named_twice: 'a buyer is listed twice' };

export const cursorRefusals = {
  invalid_cursor: 'the cursor does not belong to this list with these filters',
};
