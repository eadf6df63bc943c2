import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A part of the app's code could not be loaded: no connection, no session, or a release that has removed it. */
export class CodeNotLoaded extends Error {
  override readonly name = 'CodeNotLoaded';
}

/**
 * `lazy` for modules without a default export. Browsers remember what they could not load for as long as the page is
 * open, so that only a reload can load it.
 */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new CodeNotLoaded('Part of the app could not be loaded', { cause });
    }
  });
}
