import type { Question, QuestionKind } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { QuestionAnswerDoc } from '../../records/grading/question-answer.model.ts'
import { doubtfulResults, resultsOf } from './projection-job.ts'
import { findGroups } from './question.present.ts'

type Answer = [text: string, score: number | null, decided?: number]

function results(id: string, kind: QuestionKind, given: Answer[], key: Partial<Question['criteria'][number]> = {}) {
  const criterion = { id, text: '', points: 4, expected: 'B', alternatives: [], ...key }
  const question: Question = { id, number: id.slice(1), prompt: 'What?', kind, regions: [], criteria: [criterion] }
  const answers = given.map(
    ([text, score, decided], i) =>
      ({
        submission_id: i + 1,
        text,
        state: text === '' ? 'empty' : 'read',
        criteria: [{ id, score, max: 4, confidence: 0.9 }],
        decided: decided === undefined ? null : { [id]: decided },
        complete: decided !== undefined,
      }) as QuestionAnswerDoc,
  )
  return resultsOf({ question, answers, groups: findGroups(question, answers) })
}

const times = (count: number, of: (i: number) => Answer) => Array.from({ length: count }, (_, i) => of(i))
const rest = (count: number) =>
  results(
    'q2',
    'choice',
    times(count, (i) => ['B', 4 - (4 * i) / count]),
  )
const doubt = (...all: Parameters<typeof doubtfulResults>[0]) =>
  doubtfulResults(all).find(({ question_id }) => question_id === 'q1')?.message ?? null

const says = (what: string) => `Question 1: ${what}. Is the expected answer right?`

describe('a key is doubted', () => {
  it.each<[string, Answer[], string | null]>([
    ['where all got nothing', times(5, (i) => ['ABCDE'[i] ?? '', 0]), 'all 5 answers got 0 points'],
    [
      'with what most of them wrote',
      times(6, (i) => [i < 4 ? 'C' : 'A', 0]),
      'all 6 answers got 0 points, and 4 of them are “C”',
    ],
    ['not in a smaller class', times(4, () => ['C', 0]), null],
    [
      'without those who wrote nothing',
      [...times(5, () => ['', 0] as Answer), ...times(4, () => ['C', 0] as Answer)],
      null,
    ],
    ['not where one was right', times(8, (i) => [i === 7 ? 'B' : 'C', i === 7 ? 4 : 0]), null],
    ['not where the grader gave no points', times(8, () => ['C', null]), null],
    ['not where a person decided every answer', times(6, () => ['C', 0, 0]), null],
    ['not where a person gave points', times(6, (i) => (i === 0 ? ['C', 0, 4] : ['C', 0])), null],
    ['not where all are right', times(28, () => ['B', 4]), null],
    ['not where one was misread', times(28, (i) => [i === 9 ? 'E' : 'B', 4]), null],
    [
      'where all are right with other letters',
      times(6, (i) => ['ABC'[i % 3] ?? '', 4]),
      'all 6 answers got full points, though they differ',
    ],
  ])('%s', (_, given, what) => {
    expect(doubt(results('q1', 'choice', given))).toBe(what && says(what))
  })

  it.each<[string, QuestionKind, string[], string[], boolean]>([
    ['numbers far apart', 'number', ['12', '40', '40', '7', '15'], [], true],
    ['roundings', 'number', ['0.33', '0.333', '1/3', '0.3333', '33 %'], [], false],
    ['accepted answers', 'choice', ['B', 'B', 'C', 'B', 'C'], ['C'], false],
    ['the same in other words', 'text', ['a cat', 'a dog', 'one cow', 'horses', 'mice'], [], false],
  ])('for full points: %s', (_, kind, texts, alternatives, isDoubted) => {
    const given = texts.map((text): Answer => [text, 4])
    expect(doubt(results('q1', kind, given, { alternatives })) !== null).toBe(isDoubted)
  })

  it('where nearly all the best papers have the same other answer, and the weakest the key’s', () => {
    const given = times(28, (i): Answer => (i === 3 || i > 20 ? ['B', 4] : ['C', 0]))
    expect(doubt(results('q1', 'choice', given), rest(28))).toBe(
      says('13 of the 14 best papers have “C”, the key has “B”'),
    )
    // A misconception of the weak.
    expect(doubt(results('q1', 'choice', given.toReversed()), rest(28))).toBeNull()
    // Hard for all, and easier for the best.
    const hard = times(60, (i): Answer => (i < 30 && i % 6 === 0 ? ['B', 4] : ['C', i === 40 ? 4 : 0]))
    expect(doubt(results('q1', 'choice', hard), rest(60))).toBeNull()
    // Significant in a large class, but too little to matter.
    const large = times(1200, (i): Answer => (i % 20 < (i < 600 ? 10 : 13) ? ['B', 4] : ['C', 0]))
    expect(doubt(results('q1', 'choice', large), rest(1200))).toBeNull()
  })

  it('where the points fall as the other questions’ rise', () => {
    const given = times(30, (i): Answer => [`text ${i}`, i / 10])
    expect(doubt(results('q1', 'text', given), rest(30))).toBe(
      says('the better a paper did on the other questions, the fewer points it got here'),
    )
    // One paper failed altogether, but for this.
    const one = times(12, (i): Answer => [`text ${i}`, i === 11 ? 4 : 0])
    const others = times(12, (i): Answer => [`words ${i}`, i === 11 ? 0 : 4 - i / 100])
    expect(doubt(results('q1', 'text', one), results('q2', 'text', others))).toBeNull()
  })

  it('by chance in at most one of a thousand questions', () => {
    const random = seededRandom(7)
    const others = rest(28)
    let doubts = 0
    for (let i = 0; i < 1000; i++) {
      const right = 0.2 + 0.6 * random()
      const given = times(28, (): Answer => (random() < right ? ['B', 4] : ['ACD'[Math.floor(3 * random())] ?? '', 0]))
      if (doubt(results('q1', 'choice', given), others)) doubts += 1
    }
    expect(doubts).toBeLessThanOrEqual(1)
  })
})
