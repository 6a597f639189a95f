import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileFiles } from '../../../../tests/papers/hostile-files.ts'
import { onePage } from '../../../../tests/papers/raw-pdf.ts'
import { usePaperReader } from '../../testing/cached-paper-reader.ts'
import { PaperError } from '../paper-error.ts'
import { createPaperReader } from '../paper-reader.ts'

const { reader, papers } = usePaperReader(createPaperReader({ processes: 2, limits: { secondsPerPage: 5 } }))
let watch: NodeJS.Timeout
let peak = 0

/** A child's own memory: the pages of Node's program, which all of them share, count once, with this process. */
async function memoryOfAll(): Promise<number> {
  const statuses = await Promise.all(
    reader.processIds().map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')),
  )
  const children = statuses.map((status) => Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  return children.reduce((sum, one) => sum + one, process.memoryUsage.rss() / 2 ** 20)
}

beforeAll(async () => {
  watch = setInterval(async () => {
    peak = Math.max(peak, await memoryOfAll())
  }, 25)
})
afterAll(() => clearInterval(watch))

describe('hostile files give pages or an error message', () => {
  it.concurrent.each(hostileFiles)(
    '$name',
    async ({ create, outcome }) => {
      const file = await papers.put(await create())
      const read = await reader.read(file).catch((error: unknown) => error)
      const drawn = await reader.renderPage(file, 1, { width: 400 }).catch((error: unknown) => error)
      if (read instanceof Error) {
        expect(read).toBeInstanceOf(PaperError)
        expect(read.message).toMatch(/^(This|Reading this) (PDF|file) .*\.$/)
      } else expect(read).toMatchObject({ pages: expect.any(Array) })
      if (drawn instanceof Error) expect(drawn).toBeInstanceOf(PaperError)
      if (outcome === 'paper') expect(read).toHaveProperty('pages')
      else if (outcome !== 'any') expect(read).toHaveProperty('code', outcome)
    },
    300_000,
  )
})

it('reads other papers afterwards', async () => {
  const { pages } = await reader.read(await papers.put(onePage()))
  expect(pages[0]?.lines[0]?.text).toBe('Hello')
})

it('keeps all processes together under 2 GB', () => {
  expect(peak).toBeGreaterThan(300)
  expect(peak).toBeLessThan(2000)
})
