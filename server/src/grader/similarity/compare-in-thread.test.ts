import { expect, it } from 'vitest'
import { compareInThread } from './compare-in-thread.ts'
import { type PaperToCompare, similarPapers } from './similar-papers.ts'

const COPIED =
  'Frozen ponds wear a crusty jacket because hexagonal rings of bonded particles waste the space they need.'
const WORDS = 'ice water dense lattice float bond molecule cold heat volume mass litre steam pond lake winter'.split(
  ' ',
)
const questions = [{ id: 'q1', exact: false, known: ['Why does ice float?'] }]
const papers = (count: number): PaperToCompare[] =>
  Array.from({ length: count }, (_, id) => {
    const own = Array.from({ length: 8 }, (__, i) => WORDS[(id * 7 + i * i) % WORDS.length])
    const text = id < 2 ? COPIED : own.join(' ')
    return { id, answers: new Map([['q1', { text, normal: '', right: null }]]) }
  })
const never = new AbortController().signal

it('finds on its thread what is found without it, and says how far it is', async () => {
  const shares: number[] = []
  const comparison = { questions, papers: papers(60), most: 10 }
  const pairs = await compareInThread(comparison, { signal: never, progress: (share) => shares.push(share) })
  expect(pairs).toEqual(similarPapers(questions, papers(60), 10))
  expect(pairs).toMatchObject([{ first: 0, second: 1 }])
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.at(-1)).toBe(1)
})

it('stops in the midst of the computation, and reports a thread that dies', async () => {
  const stop = new AbortController()
  const endless = new URL(`data:text/javascript,${encodeURIComponent('for (;;);')}`)
  const waiting = compareInThread(
    { questions, papers: [], most: 1 },
    { signal: stop.signal, progress: () => {}, script: endless },
  )
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  const deadly = new URL(`data:text/javascript,${encodeURIComponent('process.exit(3)')}`)
  const dead = compareInThread(
    { questions, papers: [], most: 1 },
    { signal: never, progress: () => {}, script: deadly },
  )
  await expect(dead).rejects.toThrow('stopped (3)')
})
