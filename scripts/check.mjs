// `npm run check`: run this before a commit. Checks types and lint, and runs the tests without a browser, and not slow, that are affected by changes
// since the last commit, or since another one: `npm run check -- main`.
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
