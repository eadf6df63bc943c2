import './early';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { loginWhenScriptsAreRefused } from './app/refused-scripts';
import './ui/base.css';

loginWhenScriptsAreRefused();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
