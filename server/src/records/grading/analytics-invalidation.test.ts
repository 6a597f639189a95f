import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** A call that writes to what statistics depend on, and a little of the source before it. */
const WRITE =
  /([\s\S]{0,320})\b(?:EnrollmentModel|ReleaseModel)\s*\.\s*(?:create|insert|update|replace|delete|bulkWrite|findOneAnd|findByIdAnd)/g

it('writes to releases and enrolments only within withInvalidation: cached statistics would not notice otherwise', async () => {
  const names = (await readdir(root, { recursive: true })).filter((name) => /^(features|maintenance)\//.test(name))
  const bare: string[] = []
  let writes = 0
  for (const name of names.filter((one) => one.endsWith('.ts') && !one.endsWith('.test.ts'))) {
    const source = await readFile(join(root, name), 'utf8')
    for (const [, before = ''] of source.matchAll(WRITE)) {
      writes += 1
      // `writeReleases` is called only within it.
      const wrapped = /withInvalidation\([^\n]*\n?[^\n]*$/.test(before) || before.includes('function writeReleases(')
      if (!wrapped) bare.push(`${name}: ${before.slice(-60)}`)
    }
  }
  expect(bare).toEqual([])
  expect(writes).toBeGreaterThan(4)
})
