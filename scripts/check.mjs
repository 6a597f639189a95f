// `npm run check`: what to run before a commit. Types and lint, and the tests that need no browser of what changed since the last
// commit, or since another: `npm run check -- main`.
import { checkTypesAndLint, install, nodePath, run } from './lib/tools.mjs'

const since = process.argv[2] ?? 'HEAD'

install()
await checkTypesAndLint()
const projects = ['--project', 'server', '--project', 'server-memory', '--project', 'client']
run(`Tests of what changed since ${since} (npm test runs all, and the journeys)`, nodePath(), [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...projects,
  `--changed=${since}`,
  '--passWithNoTests',
])
