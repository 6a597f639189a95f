// `npm test`: everything. Installs what is missing, then types, lint, unit and HTTP tests, browser journeys.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClient, env, fail, install, installTestTools, node, root, run, withoutNetwork } from './lib/tools.mjs'

install()
installTestTools()
buildClient()
for (const part of ['shared', 'server', 'client', 'tests']) {
  run(`Types of ${part}`, node(), ['node_modules/typescript/bin/tsc', '-p', part])
}
run('Lint and format', node(), ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'])

const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
const report = join(folder, 'report.json')
console.log('\n▸ Tests')
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]
const { status } = spawnSync(...withoutNetwork(node(), vitest), { cwd: root, env, stdio: 'inherit' })
const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
rmSync(folder, { recursive: true, force: true })
if (status !== 0) fail(`${numPassedTests} passed, ${numFailedTests} failed`)
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed`)
