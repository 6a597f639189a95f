import { defineConfig } from 'vitest/config'
import { LongestFirst } from './vitest.sequencer.ts'

/** These measure the memory of their process, which must not hold what other files left in it. */
const memoryTests = [
  'server/src/papers/reading/hostile-files.test.ts',
  'server/src/features/runs/hostile-papers.test.ts',
]

/** These start the client's program over and over, each time as in a document of its own. */
const documentTests = ['src/main.test.tsx']

/** What is launched from an LMS knows it by its document's address, from its first moment. */
const launchedTests = ['src/**/*launched*.test.tsx']
const launchedAt = 'http://localhost:3000/l/launch-0001/enter'

/** What is polled comes as soon as it can; how long that takes on a busy machine decides nothing. */
const polling = { poll: { timeout: 180_000 } }

const client = {
  root: './client',
  environment: 'jsdom',
  setupFiles: ['src/testing/setup.ts'],
  maxWorkers: 2,
  // Last, since they leave no core idle: by then the journeys, which run beside the server's, have ended.
  sequence: { groupOrder: 1 },
  expect: polling,
  testTimeout: 300_000,
}

/** One more than the cores of a small machine: these wait for a third of their time. More of them slow each other down, on four cores too. */
const server = {
  pool: 'forks',
  maxWorkers: 3,
  expect: polling,
  testTimeout: 300_000,
  hookTimeout: 300_000,
} as const

/** Three kinds of tests: code and HTTP on the server, screens in jsdom, journeys in a real browser. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...server,
          name: 'server',
          include: [
            'shared/src/**/*.test.ts',
            'server/src/**/*.test.ts',
            'tests/{papers,contact-sheets,fake-lms,fake-llm,adversarial,bench,docker}/**/*.test.ts',
          ],
          exclude: memoryTests,
          // What is imported once serves all files of a worker: a fifth of the CPU went into importing.
          isolate: false,
        },
      },
      {
        test: {
          ...server,
          name: 'server-memory',
          include: memoryTests,
        },
      },
      {
        extends: './client/vite.config.ts',
        test: {
          ...client,
          name: 'client',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: [...launchedTests, ...documentTests],
          // The program and its document serve all files of a worker (`client/src/testing/reset-state.ts`).
          isolate: false,
        },
      },
      {
        extends: './client/vite.config.ts',
        test: {
          ...client,
          name: 'client-launched',
          include: launchedTests,
          environmentOptions: { jsdom: { url: launchedAt } },
          isolate: false,
        },
      },
      {
        extends: './client/vite.config.ts',
        test: { ...client, name: 'client-documents', include: documentTests },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          pool: 'forks',
          // One, for one product and one browser (tests/journeys/support/shared.ts); two of each took as long in all.
          maxWorkers: 1,
          isolate: false,
          // Projects with another number of workers cannot run in the same group.
          sequence: { groupOrder: 2 },
          expect: polling,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
