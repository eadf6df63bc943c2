import type { Plugin } from 'vite';

/**
 * Names a lazy chunk, with what it imports, in the document, so that the browser fetches it beside the first script and
 * not after it: on a phone that is a round trip less. Its styles follow beside the page's first call.
 */
export function preloadChunk(name: string): Plugin {
  return {
    name: 'preload-chunk',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name);
        if (chunk?.type !== 'chunk') throw new Error(`There is no chunk ${name} to preload`);
        return [chunk.fileName, ...chunk.imports]
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head',
          }));
      },
    },
  };
}
