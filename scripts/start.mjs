// `npm start`: on a fresh clone installs, builds and starts; later starts at once and rebuilds only what changed.
import { buildClient, install, node, stay } from './lib/tools.mjs'

install()
buildClient()
stay(node(), ['--env-file-if-exists=.env', '--disable-warning=ExperimentalWarning', 'server/src/main.ts'])
