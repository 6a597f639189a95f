// `npm run dev`: server and client, both reload on change. Open the address Vite prints.
import { spawn } from 'node:child_process'
import { env, environmentFileFlags, install, nodePath, root, runUntilStopped } from './lib/tools.mjs'

await install()
const flags = [...environmentFileFlags(), '--disable-warning=ExperimentalWarning']
const server = spawn(nodePath(), [...flags, '--watch', '--watch-preserve-output', 'server/src/main.ts'], {
  cwd: root,
  env,
  stdio: 'inherit',
})
process.on('exit', () => server.kill('SIGTERM'))
runUntilStopped(nodePath(), ['node_modules/vite/bin/vite.js', 'client'])
