// `npm run lms`: Assay with a fake LMS registered with it, to launch by hand as a teacher or student.
import { buildClient, install, nodePath, runUntilStopped } from './lib/tools.mjs'

await install()
buildClient()
runUntilStopped(nodePath(), [
  '--disable-warning=ExperimentalWarning',
  'tests/fake-lms/serve.ts',
  ...process.argv.slice(2),
])
