// `npm run model`: Assay beside a model provider of our own, to try grading by a model without one.
import { buildClient, install, nodePath, runUntilStopped } from './lib/tools.mjs'

install()
buildClient()
runUntilStopped(nodePath(), [
  '--disable-warning=ExperimentalWarning',
  'tests/fake-llm/serve.ts',
  ...process.argv.slice(2),
])
