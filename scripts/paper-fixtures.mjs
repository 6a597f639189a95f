// `npm run papers:fixtures`, after a change to how papers are drawn or read: writes anew what tests find in
// tests/paper-fixtures instead of drawing and reading each paper again. With paths, only adds what those tests need.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { env, nodePath, root, run } from './lib/tools.mjs'

const paths = process.argv.slice(2)
if (paths.length === 0) rmSync(join(root, 'tests/paper-fixtures'), { recursive: true, force: true })
env.PAPER_FIXTURES = 'write'
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...paths]
run('Drawing and reading', nodePath(), vitest)
// Papers with names drawn by lot are not needed again.
run('Keeping what is needed again', nodePath(), vitest)
