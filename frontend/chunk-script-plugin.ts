import type { Plugin } from 'vite';

/** The document runs this chunk before the first script, which imports it. */
export function chunkScript(name: string): Plugin {
  return {
    name: 'chunk-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name);
        if (chunk?.type !== 'chunk') throw new Error(`There is no chunk ${name} to run first`);
        const script = `<script type="module" crossorigin src="/${chunk.fileName}"></script>`;
        return html
          .replace(new RegExp(`\\s*<link rel="modulepreload"[^>]*${chunk.fileName}">`), '')
          .replace('<script type="module"', `${script}\n    <script type="module"`);
      },
    },
  };
}
