// `npm run check`: what to run before a commit. Types, lint and the tests that need no browser.
import { install, node, run } from './lib/tools.mjs'

install()
for (const part of ['shared', 'server', 'client', 'tests']) {
  run(`Types of ${part}`, node(), ['node_modules/typescript/bin/tsc', '-p', part])
}
run('Lint and format', node(), ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'])
run('Tests', node(), ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', '--project', 'client'])
