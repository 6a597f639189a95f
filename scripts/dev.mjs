// `npm run dev`: server and client, both reloading on change. Open the address Vite prints.
import { spawn } from 'node:child_process'
import { env, environmentFile, install, node, root, stay } from './lib/tools.mjs'

install()
const flags = [...environmentFile(), '--disable-warning=ExperimentalWarning']
const server = spawn(node(), [...flags, '--watch', '--watch-preserve-output', 'server/src/main.ts'], {
  cwd: root,
  env,
  stdio: 'inherit',
})
process.on('exit', () => server.kill('SIGTERM'))
stay(node(), ['node_modules/vite/bin/vite.js', 'client'])
