import './prefetch';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { redirectToLoginOnChunkError } from './app/chunk-errors';
import './ui/base.css';

redirectToLoginOnChunkError();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
