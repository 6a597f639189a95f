import { defineConfig } from 'vitest/config'

/** These measure the memory of their process, which must not hold what other files left in it. */
const memoryTests = [
  'server/src/papers/reading/hostile-files.test.ts',
  'server/src/features/runs/hostile-papers.test.ts',
]

/** What is polled comes as soon as it can; how long that takes on a busy machine decides nothing. */
const polling = { poll: { timeout: 20_000 } }

/** Three kinds of tests: code and HTTP on the server, screens in jsdom, journeys in a real browser. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: [
            'shared/src/**/*.test.ts',
            'server/src/**/*.test.ts',
            'tests/{papers,contact-sheets,fake-lms,fake-llm,adversarial}/**/*.test.ts',
          ],
          exclude: memoryTests,
          pool: 'forks',
          maxWorkers: 2,
          // What is imported once serves all files of a worker: a fifth of the CPU went into importing.
          isolate: false,
          expect: polling,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server-memory',
          include: memoryTests,
          pool: 'forks',
          maxWorkers: 1,
          expect: polling,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: './client/vite.config.ts',
        test: {
          name: 'client',
          root: './client',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['src/testing/setup.ts'],
          maxWorkers: 2,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          expect: polling,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
