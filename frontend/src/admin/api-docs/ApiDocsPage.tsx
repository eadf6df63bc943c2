import { useEffect, useRef } from 'react';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { routes } from '#shared/contract/routes';
import 'swagger-ui-dist/swagger-ui.css';
import './api-docs.css';

/** Read-only: calls from here would change a running business. */
export function ApiDocsPage() {
  const page = useRef<HTMLElement>(null);

  useEffect(() => {
    const { dataset, classList } = document.documentElement;
    classList.toggle('dark-mode', dataset.mantineColorScheme === 'dark');
    const box = document.createElement('div');
    page.current?.append(box);
    SwaggerUI({
      domNode: box,
      url: routes.getOpenApi.path,
      docExpansion: 'none',
      defaultModelRendering: 'model',
      filter: true,
      supportedSubmitMethods: [],
    });
    return () => box.remove();
  }, []);

  return (
    <main ref={page}>
      <title>API · Lead Distribution</title>
    </main>
  );
}
