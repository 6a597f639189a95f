// `npm test`: installs what is missing, then checks types and lint and runs the unit, HTTP and browser tests. `npm run
// test:all` runs the slow ones (`*.slow.test.ts`) as well. What follows is passed on to vitest: `npm run test:all --
// --shard=1/4`.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import {
  buildClient,
  checkTypesAndLint,
  cpuOfEnded,
  env,
  exitWithMessage,
  install,
  installTestTools,
  isEnding,
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

const spent = []
let counted = 0

function note(name, began) {
  const cpu = cpuOfEnded()
  spent.push({ name, seconds: (Date.now() - began) / 1000, cpu: cpu === null ? null : cpu - counted })
  counted = cpu ?? 0
}

await install()
installTestTools()
counted = cpuOfEnded()
const began = Date.now()
buildClient()
await checkTypesAndLint()
note('types, lint, build', began)

const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
console.log('\n▸ Tests (the journeys run in parallel to the others, and are shown after them)')
const [command, args] = withoutNetwork(nodePath(), ['node_modules/vitest/vitest.mjs', 'run'])

function vitest(name, projects) {
  const report = join(folder, `${name}.json`)
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const began = Date.now()
  return {
    report,
    args: [...args, ...chosen, ...reporters, '--passWithNoTests', ...passedOn],
    onExit: () => note(name, began),
  }
}

function runShown({ args, onExit }) {
  return new Promise((resolve) => {
    const child = startGroup(command, args, ['ignore', 'inherit', 'inherit'])
    child.on('exit', onExit)
    child.on('error', () => resolve(1))
    child.on('close', (status) => resolve(status ?? 1))
  })
}

function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(root, name)
  const tests = assertionResults
    .filter(({ status }) => status === 'failed')
    .map((test) => `${file} > ${test.fullName}\n${shorten(test.failureMessages.join('\n'))}`)
  if (tests.length > 0 || status !== 'failed') return tests
  return [`${file}\n${shorten(message || 'Failed before its tests: see above.')}`]
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

function printSpent() {
  console.log('\nWhat it took, in seconds:')
  for (const { name, seconds, cpu } of spent) {
    const used = cpu === null ? '' : `, ${cpu.toFixed(0).padStart(5)} of the processors`
    console.log(`${name.padEnd(24)}${seconds.toFixed(0).padStart(5)}${used}`)
  }
}

const slow = (name) => (isAll ? [name] : [])
const server = vitest('server', ['server', ...slow('server-slow'), ...slow('server-memory-slow')])
const journeys = vitest('journeys', ['journeys', ...slow('journeys-slow')])
const shown = runShown(server)
const ended = await Promise.all([shown, runBeside(command, journeys.args, shown, journeys.onExit)])
// Not beside the others: it leaves no core idle.
const client = vitest('client', ['client*'])
if (!isEnding) ended.push(await runShown(client))

let passed = 0
const failures = []
const files = []
for (const { report } of [server, journeys, client]) {
  if (!existsSync(report)) continue
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  passed += numPassedTests
  failures.push(...testResults.flatMap(failuresOf))
  files.push(...testResults)
}
printDearest(files)
printSpent()
rmSync(folder, { recursive: true, force: true })
for (const failure of failures) console.log(`✗ ${failure}`)
const summary = `${passed} passed, ${failures.length} failed`
if (ended.some((status) => status !== 0)) exitWithMessage(summary)
console.log(`\n${summary}`)
