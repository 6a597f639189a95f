// `npm test`: installs what is missing, then checks types and lint and runs the unit, HTTP and browser tests.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import {
  buildClient,
  checkTypesAndLint,
  exitWithMessage,
  install,
  installTestTools,
  nodePath,
  root,
  runBeside,
  startGroup,
  withoutNetwork,
} from './lib/tools.mjs'

install()
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
    args: [...args, ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
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

const parts = vitest('parts', ['!journeys'])
const journeys = vitest('journeys', ['journeys'])
const shown = runShown(parts.args)
const ended = await Promise.all([shown, runBeside(command, journeys.args, shown)])

let [passed, failed] = [0, 0]
const failures = []
for (const { report } of [parts, journeys]) {
  // Interrupted, there is none.
  if (!existsSync(report)) continue
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  passed += numPassedTests
  failed += numFailedTests
  failures.push(...testResults.flatMap(failuresOf))
}
rmSync(folder, { recursive: true, force: true })
for (const failure of failures) console.log(`✗ ${failure}`)
if (ended.some((status) => status !== 0)) exitWithMessage(`${passed} passed, ${failed} failed`)
console.log(`\n${passed} passed, ${failed} failed`)
