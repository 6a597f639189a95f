// `npm run lms`: Assay with a fake LMS registered with it, to launch by hand as a teacher or student.
// `node scripts/serve-fake.mjs fake-llm`: Assay with a fake LLM provider, to try LLM grading without a real one.
import { buildClient, install, nodePath, runUntilStopped } from './lib/tools.mjs'

const [fake, ...options] = process.argv.slice(2)

await install()
buildClient()
runUntilStopped(nodePath(), ['--disable-warning=ExperimentalWarning', `tests/${fake}/serve.ts`, ...options])
