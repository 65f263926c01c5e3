import { defineConfig } from 'vitest/config';

/** What takes minutes, apart from the tests of every day. */
export default defineConfig({
  test: { include: ['test/soak/*.soak.ts'], testTimeout: 900_000, hookTimeout: 30_000, fileParallelism: false },
});
