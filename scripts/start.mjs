// `npm start`: on a fresh clone installs, builds and starts; later starts at once and rebuilds only what changed.
import { buildClient, environmentFile, install, node, stay } from './lib/tools.mjs'

install()
buildClient()
stay(node(), [...environmentFile(), '--disable-warning=ExperimentalWarning', 'server/src/main.ts'])
