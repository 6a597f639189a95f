import { expect, it } from 'vitest'
import { PaperError } from '../../../papers/paper-error.ts'
import { readTogetherOrAlone } from './analyse-scan.ts'

const failingAt =
  (bad: readonly number[], code: 'too_long' | 'cancelled' = 'too_long') =>
  async (pages: readonly number[]): Promise<string[]> => {
    if (pages.some((page) => bad.includes(page))) throw new PaperError(code)
    return pages.map((page) => `page ${page}`)
  }

it('reads the other pages where one cannot be read, and says which', async () => {
  const { found, failed } = await readTogetherOrAlone([1, 2, 3], failingAt([2]))
  expect(found).toEqual(['page 1', 'page 3'])
  expect([...failed].map(([page, { code }]) => [page, code])).toEqual([[2, 'too_long']])
})

it('gives up only a single page that cannot be read', async () => {
  const { found, failed } = await readTogetherOrAlone([7], failingAt([7]))
  expect([found, [...failed.keys()]]).toEqual([[], [7]])
})

it('fails where no page can be read, where it was cancelled, and by an error of ours', async () => {
  await expect(readTogetherOrAlone([1, 2], failingAt([1, 2]))).rejects.toMatchObject({ code: 'too_long' })
  await expect(readTogetherOrAlone([1, 2], failingAt([2], 'cancelled'))).rejects.toMatchObject({ code: 'cancelled' })
  const bug = () => Promise.reject(new TypeError('a bug'))
  await expect(readTogetherOrAlone([1, 2], bug)).rejects.toThrow('a bug')
})
