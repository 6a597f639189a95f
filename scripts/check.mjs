// `npm run check`: run this before a commit. Checks types and lint, and runs the tier-1 tests that changes since the
// last commit affect, but the browser's. Another commit to count from: `npm run check -- main`.
import { checkTypesAndLint, install, nodePath, run } from './lib/tools.mjs'

const since = process.argv[2] ?? 'HEAD'

await install()
await checkTypesAndLint()
run(`Tests of what changed since ${since} (npm test runs all, and the journeys)`, nodePath(), [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project=!journeys',
  '--project=!*-slow',
  `--changed=${since}`,
  '--passWithNoTests',
])
