// `node scripts/fake-llm.mjs`: Assay with a fake LLM provider, to try LLM grading without a real one.
import { buildClient, install, nodePath, runUntilStopped } from './lib/tools.mjs'

await install()
buildClient()
runUntilStopped(nodePath(), [
  '--disable-warning=ExperimentalWarning',
  'tests/fake-llm/serve.ts',
  ...process.argv.slice(2),
])
