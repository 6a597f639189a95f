/**
 * Run it when the configuration for an LMS or the message of a refusal has changed: rewrites `lti-config/` and the list
 * of refusals in `docs/lms/troubleshooting.md`. `node scripts/write-lti-config.ts`
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ltiConfigFiles, withRefusalTable } from '../server/src/features/lti/platforms/lti-config-files.ts'

const folder = fileURLToPath(new URL('../lti-config', import.meta.url))
await mkdir(folder, { recursive: true })
for (const [name, text] of ltiConfigFiles()) {
  await writeFile(join(folder, name), text)
  console.log(name)
}

const page = fileURLToPath(new URL('../docs/lms/troubleshooting.md', import.meta.url))
await writeFile(page, withRefusalTable(await readFile(page, 'utf8')))
