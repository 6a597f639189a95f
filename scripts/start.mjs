// `npm start`: on a fresh clone installs, builds and starts; later starts at once and rebuilds only what changed.
import { buildClient, environmentFileFlags, install, nodePath, runUntilStopped } from './lib/tools.mjs'

install()
buildClient()
runUntilStopped(
  nodePath(),
  [...environmentFileFlags(), '--disable-warning=ExperimentalWarning', 'server/src/main.ts'],
  {
    // By the channel the server notices when this script is gone without a word: killed, say.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  },
)
