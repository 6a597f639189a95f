import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestDatabase } from './testing/test-database.ts'

const MEGABYTE = 1024 * 1024

it('gives the space of deleted documents back to the disk, but for what it would need again at once', async () => {
  const { connection, folder, lines, close } = await openTestDatabase({ sweepMs: 20, durable: false })
  const size = () => statSync(join(folder, 'data.sqlite')).size
  const things = connection.collection('things')
  await things.insertMany(Array.from({ length: 2000 }, (_, n) => ({ n, text: String(n % 10).repeat(10_000) })))
  await expect.poll(size).toBeGreaterThan(15 * MEGABYTE)
  await things.deleteMany({ n: { $gte: 200 } })
  await expect.poll(size).toBeLessThan(8 * MEGABYTE)
  expect(size()).toBeGreaterThan(4 * MEGABYTE)
  expect(await things.countDocuments()).toBe(200)
  expect(lines).toEqual([])
  await close()
})
