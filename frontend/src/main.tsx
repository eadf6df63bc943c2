import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { applyColorScheme } from './app/color-scheme';
import { loginWhenScriptsAreRefused } from './app/refused-scripts';
import { loadViewEarly } from './buyer/load-view';
import './ui/base.css';

applyColorScheme();
loginWhenScriptsAreRefused();
loadViewEarly(window.location.pathname);
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
