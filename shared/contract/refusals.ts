/**
 * What several calls refuse with 400 although the request fits its schema, by the code of the answer, after a dot the one
 * field that is named: rules over what is stored, and those that JSON Schema has no words for. The API document lists them
 * with those of one call, and tests hold that there are no others.
 */

/** Code to sentence. */
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
