// `npm test`: installs what is missing, then checks types and lint and runs the unit, HTTP and browser tests. `npm run test:all` runs
// the slow ones (`*.slow.test.ts`) as well. What follows is passed on to vitest: `npm run test:all -- --shard=1/4`.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import {
  buildClient,
  checkTypesAndLint,
  env,
  exitWithMessage,
  install,
  installTestTools,
  nodePath,
  root,
  runBeside,
  startGroup,
  withoutNetwork,
} from './lib/tools.mjs'

const isAll = process.argv[2] === 'all'
const passedOn = process.argv.slice(isAll ? 3 : 2)
if (isAll) {
  env.FC_RUNS ??= '1000'
  env.LLM_PROTOCOLS ??= 'all'
  // Draws and reads each paper anew, and compares (tests/papers/result-cache.ts).
  env.PAPER_FIXTURES ??= 'check'
}

await install()
installTestTools()
buildClient()
await checkTypesAndLint()

const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
console.log('\n▸ Tests (the journeys run in parallel to the others, and are shown after them)')
const [command, args] = withoutNetwork(nodePath(), ['node_modules/vitest/vitest.mjs', 'run'])

function vitest(name, projects) {
  const report = join(folder, `${name}.json`)
  const chosen = projects.flatMap((project) => ['--project', project])
  return {
    report,
    args: [...args, ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...passedOn],
  }
}

function runShown(args) {
  return new Promise((resolve) => {
    const child = startGroup(command, args, ['ignore', 'inherit', 'inherit'])
    child.on('error', () => resolve(1))
    child.on('close', (status) => resolve(status ?? 1))
  })
}

/** What failed, and how: tests, and files that could not be run. */
function failuresOf({ name, message, assertionResults }) {
  const file = relative(root, name)
  const tests = assertionResults
    .filter(({ status }) => status === 'failed')
    .map((test) => `${file} > ${test.fullName}\n${shorten(test.failureMessages.join('\n'))}`)
  return tests.length === 0 && message ? [`${file}\n${shorten(message)}`] : tests
}

/** A failure's first lines, and where it was: a dump of the document lies between the two. */
function shorten(message) {
  const lines = message.split('\n')
  const isPlace = (line) => /^\s+at /.test(line) && line.includes(root) && !line.includes('node_modules')
  const said = lines.filter((line) => line.trim() && !/^\s+at /.test(line)).slice(0, 12)
  return [...said, ...lines.filter(isPlace).slice(0, 4)].map((line) => `    ${line.slice(0, 300)}`).join('\n')
}

/** The files that took longest, from their first test's start to their last one's end. */
function printDearest(files) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000
  const dearest = files.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, 10)
  console.log('\nThe ten files that took longest:')
  for (const file of dearest) console.log(`${seconds(file).toFixed(1).padStart(8)} s  ${relative(root, file.name)}`)
}

const parts = vitest('parts', ['!journeys', isAll ? '!journeys-slow' : '!*-slow'])
const journeys = vitest('journeys', isAll ? ['journeys', 'journeys-slow'] : ['journeys'])
const shown = runShown(parts.args)
const ended = await Promise.all([shown, runBeside(command, journeys.args, shown)])

let [passed, failed] = [0, 0]
const failures = []
const files = []
for (const { report } of [parts, journeys]) {
  // Interrupted, there is none.
  if (!existsSync(report)) continue
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  passed += numPassedTests
  failed += numFailedTests
  failures.push(...testResults.flatMap(failuresOf))
  files.push(...testResults)
}
printDearest(files)
rmSync(folder, { recursive: true, force: true })
for (const failure of failures) console.log(`✗ ${failure}`)
if (ended.some((status) => status !== 0)) exitWithMessage(`${passed} passed, ${failed} failed`)
console.log(`\n${passed} passed, ${failed} failed`)
