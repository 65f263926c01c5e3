import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { words } from './words.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of a Chromium: `CHROMIUM_PATH`, or the first one on the PATH. */
export function findBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    process.env['CHROMIUM_PATH'] ?? [],
    folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ];
  return candidates.flat().find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Keeps the browser from everything but the pages of the test. */
export const BROWSER_ARGS = words`
  --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync --no-first-run
`;
