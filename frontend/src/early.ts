/**
 * What cannot wait for the app. It stands in a small script of its own, which the document names before the first one:
 * it runs while the app is still on its way.
 */
import { applyColorScheme } from './app/color-scheme';
import { loadViewEarly } from './buyer/load-view';

applyColorScheme();
loadViewEarly(window.location.pathname);
