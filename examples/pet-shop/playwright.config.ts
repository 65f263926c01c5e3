import { defineConfig } from '@playwright/test';
import { ADMIN_URL, PAGE_PORT, PETSTORE_PORT } from './e2e/addresses.js';

const executablePath = process.env['CHROMIUM_PATH'];

export default defineConfig({
  testDir: 'e2e',
  // Every test has a world of its own, so that all of them run at once on one port.
  fullyParallel: true,
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${PAGE_PORT}`,
    // A browser that is there already, such as Debian's; without it, the one of `npx playwright install chromium`.
    ...(executablePath !== undefined && { launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu'] } }),
  },
  webServer: [
    { command: `petstore-mock --port ${PETSTORE_PORT} --log silent`, url: `${ADMIN_URL}/health` },
    {
      command: `vite build && vite preview --host 127.0.0.1 --port ${PAGE_PORT} --strictPort`,
      url: `http://127.0.0.1:${PAGE_PORT}`,
      env: { PETSTORE_ORIGIN: `http://127.0.0.1:${PETSTORE_PORT}` },
    },
  ],
});
