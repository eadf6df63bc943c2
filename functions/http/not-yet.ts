import { DomainError } from '#functions/domain/errors';

/** Stands for an endpoint that is declared but not there yet: 501. One test lists where it is used. */
export function notYet(): Promise<never> {
  return Promise.reject(new DomainError('not_implemented', 'not_implemented', 'Not available yet'));
}
