import { expect, it } from 'vitest'
import type { ExtractedSubmission } from '../../grader/grader.ts'
import { filledNumber } from '../intake/printing/print.service.ts'
import { type SheetOnPaper, withSheetAnswers } from './sheet-answers.ts'

const prompt = (options: string[]) => ['Which is it?', ...options.map((text, i) => `${'ABC'[i]}) ${text}`)].join('\n')
const rubric = {
  questions: ['q1', 'q2'].map((id, i) => ({
    ...{ id, number: String(i + 1), kind: 'choice' as const, prompt: prompt(['wood', 'copper', 'glass']) },
    ...{ criteria: [{ id, text: '', points: 1, expected: 'B', alternatives: [] }], regions: [] },
  })),
  problems: [],
}
const extracted: ExtractedSubmission = {
  answers: rubric.questions.map(({ id }) => ({ question_id: id, text: '', found: false, evidence: [], reading: 1 })),
  warnings: [{ code: 'nothing_written', message: 'Nothing written by the student was found in this paper.' }],
  name_on_paper: null,
}

const box = { x: 60, y: 100, width: 100, height: 20 }
const group = (id: string, chosen: number | null, flag: 'double' | null = null) => ({
  ...{ kind: 'question' as const, id, chosen, flag },
  ...{ separation: 0.9, box },
})
const sheet = (part: Partial<SheetOnPaper> = {}): SheetOnPaper => ({
  ...{ page: 3, copy_id: 'a'.repeat(20), sheet_page: 1, problem: null, turns: 0 },
  groups: [group('q1', 1), group('q2', null, 'double')],
  size: { width: 595, height: 842 },
  asked: ['q1', 'q2'],
  printed: {
    ...{ layout: 1, format: 'a4', digits: 0 },
    questions: ['q1', 'q2'].map((id, i) => ({ id, number: String(i + 1), options: ['wood', 'copper', 'glass'] })),
  },
  ...part,
})

const read = (...sheets: SheetOnPaper[]) => {
  const { answers, warnings } = withSheetAnswers(extracted, sheets, rubric)
  return { texts: answers.map(({ text, unreadable = false }) => (unreadable ? '?' : text)), warnings, answers }
}

it('takes what is plain on a sheet for the answer, and leaves the rest to a person', () => {
  const { texts, warnings } = read(sheet())
  expect(texts).toEqual(['B', '?'])
  expect(warnings).toEqual([expect.objectContaining({ code: 'poor_reading', question_id: 'q2' })])
})

it('takes no answer from a sheet that was scanned twice and read differently', () => {
  const again = sheet({ page: 4, groups: [group('q1', 2), group('q2', 0)] })
  const { texts, answers } = read(sheet(), again)
  expect(texts).toEqual(['?', '?'])
  expect(answers[0]?.evidence.map(({ page }) => page)).toEqual([3, 4])
  expect(answers.map((answer) => answer.sheet?.flag)).toEqual(['differs', 'differs'])
  expect(read(sheet(), sheet({ page: 4 })).texts).toEqual(['B', '?'])
})

it('leaves the questions of a page that could not be read to a person, whatever is on the student’s copy', () => {
  const unread = sheet({ problem: 'bars', groups: [] })
  const { texts, warnings } = read(unread)
  expect(texts).toEqual(['?', '?'])
  expect(warnings.at(-1)?.message).toContain('Page 3 is an answer sheet that was not read')
  const drafts = { ...extracted, answers: extracted.answers.map((one) => ({ ...one, text: 'C', found: true })) }
  const other = sheet({ page: 4, sheet_page: 2, asked: ['q2'], problem: 'marks', groups: [] })
  const textsOf = (...sheets: SheetOnPaper[]) =>
    withSheetAnswers(drafts, sheets, rubric).answers.map(({ text, unreadable }) => (unreadable ? '?' : text))
  expect(textsOf(unread)).toEqual(['?', '?'])
  expect(textsOf(other)).toEqual(['C', '?'])
  expect(textsOf(unread, sheet({ page: 4, groups: [group('q1', 0), group('q2', 2)] }))).toEqual(['A', 'C'])
})

it('takes the words of a question that has two answers', () => {
  const [question] = rubric.questions
  if (!question) throw new Error('a question')
  const criteria = question.criteria.map((one) => ({ ...one, expected: 'False' }))
  const truth = { ...rubric, questions: [{ ...question, kind: 'true_false' as const, prompt: 'Ice sinks.', criteria }] }
  const printed = {
    ...sheet().printed,
    questions: [{ id: 'q1', number: '1', options: ['True', 'False'], truth: 'TF' as const }],
  }
  const textOf = (of: typeof printed) => withSheetAnswers(extracted, [sheet({ printed: of })], truth).answers[0]?.text
  expect(textOf(printed)).toBe('False')
  // When it was a choice among other options.
  expect(
    textOf({ ...sheet().printed, questions: printed.questions.map((one) => ({ ...one, options: ['A', 'B'] })) }),
  ).toBe('')
})

it('places circles on the page upright', () => {
  const [answer] = read(sheet({ turns: 2 })).answers
  expect(answer?.evidence[0]?.box).toEqual({ ...box, x: 595 - 160, y: 842 - 120 })
})

it('reads a student number only where every digit is plain', () => {
  const number = (text: string) =>
    filledNumber(
      [...text].map((one, i) => ({
        ...{ kind: 'digit' as const, id: String(i) },
        chosen: /\d/.test(one) ? Number(one) : null,
        flag: one === '_' ? ('none' as const) : one === '?' ? ('double' as const) : null,
      })),
      2,
    )
  expect(['31415', '3141_', '_1415'].map((text) => number(text)?.text)).toEqual(['31415', '3141', '1415'])
  expect([number('31415'), number('_14__')].map((hint) => [hint?.page, hint?.missing])).toEqual([
    [2, undefined],
    [2, 3],
  ])
  expect(['31?15', '3_415', '_____', ''].map(number)).toEqual([null, null, null, null])
})
