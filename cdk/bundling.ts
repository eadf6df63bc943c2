/** How a function becomes one file: the same settings for the deployment and for the test that caps its size. */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

export const BUNDLE = {
  target: 'node24',
  mainFields: ['module', 'main'],
  // What is CommonJS inside the bundle (nodemailer, xlsx) asks for Node's own modules by require.
  banner: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
} as const;
