import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Where the petstore is: `npm run mock` unless the environment says otherwise. */
const petstore = process.env['PETSTORE_ORIGIN'] ?? 'http://127.0.0.1:4010';
// The page asks its own origin, in development as in production: no CORS, and no address in the code.
const proxy = { '/api': { target: petstore, rewrite: (path: string) => path.replace(/^\/api/, '') } };

export default defineConfig({
  plugins: [react()],
  server: { proxy },
  preview: { proxy },
  test: { environment: 'jsdom', include: ['test/**/*.test.{ts,tsx}'], setupFiles: ['test/set-up.ts'] },
});
