import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerWordsOf, sharedPassages, shinglesOf } from './shared-passages.ts'
import { type PaperToCompare, type QuestionToCompare, similarPapers } from './similar-papers.ts'

const essay: QuestionToCompare = { id: 'q1', exact: false, known: ['Why do leaves fall in autumn?', 'To save water.'] }
const number: QuestionToCompare = { id: 'q2', exact: true, known: [] }

/** Texts of random letters share only the words put in. */
const ownWords = (paper: number, count = 30) =>
  Array.from(
    { length: count },
    (_, i) =>
      `x${'abcdefghij'[i % 10]}${'klmnopqrst'[paper % 10]}${'uvwxyzabcd'[Math.floor(paper / 10)]}${'efghijklmn'[Math.floor(i / 10)]}q`,
  ).join(' ')
const paperOf = (id: number, text: string): PaperToCompare => ({
  id,
  answers: new Map([['q1', { text, normal: '', right: null }]]),
})
const classOf = (texts: string[]) => texts.map((text, id) => paperOf(id, text))
const honest = Array.from({ length: 12 }, (_, i) => ownWords(i))
const copied = 'The tree pulls chlorophyll back into its branches because frozen ground gives roots nothing to drink'

describe('papers alike', () => {
  it('names the two who share a passage nobody else wrote, and where it stands', async () => {
    const texts = honest.map((text, i) => (i === 3 || i === 8 ? `${text} ${copied}` : text))
    const [pair, ...others] = await similarPapers([essay], classOf(texts))
    expect(others).toEqual([])
    expect(pair).toMatchObject({ first: 3, second: 8 })
    const passage = pair?.reasons[0]?.passages[0]
    expect(texts[3]?.slice(...(passage?.first ?? [0, 0]))).toBe(copied)
    expect(texts[8]?.slice(...(passage?.second ?? [0, 0]))).toBe(copied)
  })

  it('names nobody where all learned the same sentence', async () => {
    expect(await similarPapers([essay], classOf(honest.map((text) => `${text} ${copied}`)))).toEqual([])
  })

  it('does not count what is printed or expected', async () => {
    const texts = honest.map((text, i) => (i < 2 ? `${text} ${copied}` : text))
    expect(await similarPapers([{ ...essay, known: [copied] }], classOf(texts))).toEqual([])
    expect(await similarPapers([essay], classOf(texts))).toHaveLength(1)
  })

  it('counts wrong answers few others gave, and no right ones', async () => {
    const questions = Array.from({ length: 10 }, (_, i) => ({ ...number, id: `n${i}` }))
    const classAnswering = (right: boolean) =>
      Array.from({ length: 30 }, (_, id) => ({
        id,
        answers: new Map(
          questions.map(({ id: question }, i) => {
            const text = id < 2 ? String(7000 + i) : String(id * 10 + i)
            return [question, { text, normal: text, right: id < 2 ? right : false }]
          }),
        ),
      }))
    expect(await similarPapers(questions, classAnswering(false))).toMatchObject([{ first: 0, second: 1 }])
    expect(await similarPapers(questions, classAnswering(true))).toEqual([])
  })

  it('finds the copy in a class of five, and says nothing of none, one or empty papers', async () => {
    const five = honest.slice(0, 5).map((text, i) => (i > 2 ? `${text} ${copied}` : text))
    expect(await similarPapers([essay], classOf(five))).toMatchObject([{ first: 3, second: 4 }])
    for (const few of [[], [copied], ['', '', '']]) expect(await similarPapers([essay], classOf(few))).toEqual([])
  })

  it('gives the same pairs whatever the order of the papers', async () => {
    const papers = classOf(honest.map((text, i) => (i < 2 ? `${text} ${copied}` : text)))
    const pairsOf = async (some: PaperToCompare[]) =>
      (await similarPapers([essay], some)).map(({ first, second }) => [first, second].sort((a, b) => a - b))
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(papers, { minLength: papers.length }), async (shuffled) => {
        expect(await pairsOf(shuffled)).toEqual([[0, 1]])
      }),
      { numRuns: 20 },
    )
  })
})

describe('shared passages', () => {
  it('finds passages whose order was changed', () => {
    const found = sharedPassages(
      answerWordsOf('one two three four five six'),
      answerWordsOf('four five six one two three'),
    )
    expect(found.map(({ words }) => words)).toEqual([3, 3])
  })

  it('overlaps no passage with another, and holds the same words on both sides', () => {
    const text = fc
      .array(fc.constantFrom('oak', 'elm', 'ash', 'fir'), { maxLength: 25 })
      .map((words) => words.join(' '))
    fc.assert(
      fc.property(text, text, (one, other) => {
        const found = sharedPassages(answerWordsOf(one), answerWordsOf(other))
        for (const { first, second } of found) expect(one.slice(...first)).toBe(other.slice(...second))
        for (const side of ['first', 'second'] as const) {
          const ranges = found.map((passage) => passage[side]).sort((a, b) => a[0] - b[0])
          for (const [i, [start]] of ranges.entries()) expect(start).toBeGreaterThanOrEqual(ranges[i - 1]?.[1] ?? 0)
        }
      }),
    )
  })
})

it('marks no words that were printed, and at most so many passages', () => {
  const print = 'Explain in your own words why the bridge over the river swings in strong wind'
  const [one, other] = [`${print} because of resonance`, `Well ${print} because of resonance`].map(answerWordsOf)
  const known = new Set(shinglesOf(answerWordsOf(print)))
  const [whole] = sharedPassages(one ?? [], other ?? [])
  expect(whole?.words).toBe(18)
  expect(sharedPassages(one ?? [], other ?? [], known).map(({ words }) => words)).toEqual([3])
  const triples = ['a b c', 'd e f', 'g h i', 'j k l', 'm n o', 'p q r', 's t u', 'v w x', 'y z o']
  expect(triples.length).toBeGreaterThan(8)
  const [many, mixed] = [triples.join(' 1 '), triples.toReversed().join(' 2 ')].map(answerWordsOf)
  expect(sharedPassages(many ?? [], mixed ?? [])).toHaveLength(8)
})
