/// <reference types="vite/client" />

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export interface SwaggerUIOptions {
    readonly domNode: HTMLElement;
    readonly url: string;
    readonly docExpansion: 'list' | 'full' | 'none';
    readonly defaultModelRendering: 'example' | 'model';
    readonly filter: boolean;
    readonly supportedSubmitMethods: readonly string[];
  }
  export default function SwaggerUI(options: SwaggerUIOptions): unknown;
}
