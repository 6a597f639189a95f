// `npm run lms`: Assay beside a learning platform of our own that is registered with it, to launch by hand as a teacher or student.
import { buildClient, install, nodePath, runUntilStopped } from './lib/tools.mjs'

install()
buildClient()
runUntilStopped(nodePath(), [
  '--disable-warning=ExperimentalWarning',
  'tests/fake-lms/serve.ts',
  ...process.argv.slice(2),
])
