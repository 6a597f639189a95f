import { defineConfig } from 'vitest/config'

/** These measure the memory of their process, which must not hold what other files left in it. */
const memoryTests = [
  'server/src/papers/reading/hostile-files.slow.test.ts',
  'server/src/features/runs/hostile-papers.slow.test.ts',
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
  setupFiles: ['../tests/property-runs.ts', 'src/testing/setup.ts'],
  maxWorkers: 2,
  // Last, since they leave no core idle: by then the journeys, which run beside the server's, have ended.
  sequence: { groupOrder: 1 },
  expect: polling,
  testTimeout: 300_000,
}

/** What `npm test` leaves out; `npm run test:all` runs it too. */
const slow = '**/*.slow.test.{ts,tsx}'

/**
 * One more than the cores of a small machine: these wait for a third of their time. More of them slow each other down,
 * on four cores too.
 */
const server = {
  pool: 'forks',
  maxWorkers: 3,
  // Each look costs a call of the API.
  expect: { poll: { ...polling.poll, interval: 100 } },
  testTimeout: 300_000,
  hookTimeout: 300_000,
} as const

const serverTests = [
  'shared/src/**/*.test.ts',
  'server/src/**/*.test.ts',
  'tests/{papers,fake-lms,fake-llm,adversarial,docker}/**/*.test.ts',
]

/**
 * What is imported once serves all files of a worker, and Node imports it, as in the product: Vite takes twice as long.
 */
const onServer = {
  ...server,
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: ['tests/property-runs.ts'],
}

const journeys = {
  pool: 'forks',
  // One, for one product and one browser (tests/journeys/support/shared.ts); two of each took as long in all.
  maxWorkers: 1,
  isolate: false,
  // Projects with another number of workers cannot run in the same group.
  sequence: { groupOrder: 2 },
  expect: polling,
  testTimeout: 300_000,
  hookTimeout: 300_000,
} as const

/**
 * Three kinds of tests: code and HTTP on the server, screens in jsdom, journeys in a real browser. The projects named
 * `…-slow` hold the files called `*.slow.test.ts`, which `npm test` leaves out.
 */
export default defineConfig({
  test: {
    projects: [
      { test: { ...onServer, name: 'server', include: serverTests, exclude: [slow] } },
      {
        test: {
          ...onServer,
          name: 'server-slow',
          include: serverTests.map((path) => path.replace('.test.ts', '.slow.test.ts')),
          exclude: memoryTests,
        },
      },
      { test: { ...server, name: 'server-memory-slow', include: memoryTests } },
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
      { extends: './client/vite.config.ts', test: { ...client, name: 'client-documents', include: documentTests } },
      { test: { ...journeys, name: 'journeys', include: ['tests/journeys/**/*.test.ts'], exclude: [slow] } },
      { test: { ...journeys, name: 'journeys-slow', include: ['tests/journeys/**/*.slow.test.ts'] } },
    ],
  },
})
