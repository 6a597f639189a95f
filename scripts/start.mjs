// `npm start`: installs, builds and starts. Later starts skip what has not changed.
import { buildClient, environmentFileFlags, install, nodePath, runUntilStopped } from './lib/tools.mjs'

await install()
buildClient()
runUntilStopped(
  nodePath(),
  [...environmentFileFlags(), '--disable-warning=ExperimentalWarning', 'server/src/main.ts'],
  {
    // When this script is killed the IPC channel closes, so the server notices.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  },
)
