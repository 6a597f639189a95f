// `npm start`: on a fresh clone installs, builds and starts; later starts at once and rebuilds only what changed.
import { buildClient, environmentFile, install, node, stay } from './lib/tools.mjs'

install()
buildClient()
stay(node(), [...environmentFile(), '--disable-warning=ExperimentalWarning', 'server/src/main.ts'], {
  // By the channel the server notices when this script is gone without a word: killed, say.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
