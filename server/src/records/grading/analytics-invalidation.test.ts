import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const features = fileURLToPath(new URL('..', import.meta.url))

/** A write to what statistics depend on, with a little of the code before it. */
const WRITE =
  /([\s\S]{0,160})\b(?:EnrollmentModel|ReleaseModel)\s*\.\s*(?:create|insert|update|replace|delete|bulkWrite|findOneAnd|findByIdAnd)/g

it('finds every write to releases and enrolments inside withInvalidation: the cache would not notice another', async () => {
  const names = await readdir(features, { recursive: true })
  const bare: string[] = []
  let writes = 0
  for (const name of names.filter((one) => one.endsWith('.ts') && !one.endsWith('.test.ts'))) {
    const source = await readFile(join(features, name), 'utf8')
    for (const [, before = ''] of source.matchAll(WRITE)) {
      writes += 1
      // In `writeReleases`, which is called there, and only there.
      const wrapped = /whileChanging\([^\n]*\n?[^\n]*$/.test(before) || before.includes('function writeReleases(')
      if (!wrapped) bare.push(`${name}: ${before.slice(-60)}`)
    }
  }
  expect(bare).toEqual([])
  expect(writes).toBeGreaterThan(4)
})
