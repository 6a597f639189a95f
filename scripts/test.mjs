// `npm test`: installs what is missing, then checks types and lint and runs the unit, HTTP and browser tests.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' })
    child.on('error', () => resolve(1))
    child.on('close', (status) => resolve(status ?? 1))
  })
}

const parts = vitest('parts', ['!journeys'])
const journeys = vitest('journeys', ['journeys'])
const shown = runShown(parts.args)
const ended = await Promise.all([shown, runBeside(command, journeys.args, shown)])

let [passed, failed] = [0, 0]
for (const { report } of [parts, journeys]) {
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
  passed += numPassedTests
  failed += numFailedTests
}
rmSync(folder, { recursive: true, force: true })
if (ended.some((status) => status !== 0)) exitWithMessage(`${passed} passed, ${failed} failed`)
console.log(`\n${passed} passed, ${failed} failed`)
