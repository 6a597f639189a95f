import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Paper } from '@assay/shared/papers.ts'
import { isOpenProblem } from '@assay/shared/rules/rubric-problems.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { biologyQuiz } from '../../../../tests/papers/demo-biology.ts'
import type { DemoPaper } from '../../../../tests/papers/demo-course.ts'
import { drawDemoPaper } from '../../../../tests/papers/demo-course.ts'
import { drawBlank, drawKey } from '../../../../tests/papers/draw-papers.ts'
import { createCachedPaperReader } from '../../testing/cached-paper-reader.ts'
import type { SuggestedGrade } from '../grader.ts'
import { createOfflineGrader } from './offline-grader.ts'

const reader = createCachedPaperReader()
const grader = createOfflineGrader()
let folder = ''

/** Typed, form, rotated and one scanned PDF. */
const papers = [
  ...biologyQuiz.papers.filter(({ style }) => style !== 'scanned'),
  ...biologyQuiz.papers.filter(({ style }) => style === 'scanned').slice(0, 1),
]
const extracted = new Map<DemoPaper, Awaited<ReturnType<typeof grader.extractAnswers>>>()
const grades = new Map<DemoPaper, SuggestedGrade>()
let rubric: Awaited<ReturnType<typeof grader.generateRubric>>

async function read(bytes: Buffer): Promise<Paper> {
  const file = join(folder, 'paper.pdf')
  await writeFile(file, bytes)
  return reader.read(file)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grader-'))
  const blank = await read(await drawBlank(biologyQuiz))
  rubric = await grader.generateRubric(blank, await read(await drawKey(biologyQuiz)))
  for (const one of papers) {
    const { bytes } = await drawDemoPaper(biologyQuiz, one)
    extracted.set(one, await grader.extractAnswers(rubric, blank, await read(bytes)))
  }
  const submissions = [...extracted.values()].map((one, i) => ({ id: i + 1, extracted: one }))
  for (const [i, one] of papers.entries()) {
    grades.set(one, await grader.grade(rubric, i + 1, { key: 'demo', submissions }))
  }
})
afterAll(async () => {
  await Promise.all([reader.close(), grader.close(), rm(folder, { recursive: true })])
})

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

describe('drawn papers, read and graded', () => {
  it('makes the rubric the papers were drawn from', () => {
    expect(rubric.problems.filter(isOpenProblem)).toEqual([])
    const made = rubric.questions.map(({ number, criteria }) => [number, criteria[0]?.points, criteria.length])
    expect(made).toEqual(biologyQuiz.questions.map(({ number, points }) => [number, points, 1]))
    expect(rubric.questions.map(({ kind }) => kind)).toEqual(['text', 'text', 'choice', 'true_false', 'text', 'number'])
    for (const [i, { answer, choices = [] }] of biologyQuiz.questions.entries()) {
      const letter = 'ABCDE'[choices.indexOf(answer)]
      expect(rubric.questions[i]?.criteria[0]?.expected).toContain(letter ?? answer)
    }
  })

  it('extracts what students wrote by the questions', () => {
    for (const one of papers.filter(({ style }) => style !== 'scanned')) {
      expect(extracted.get(one)?.answers.map(({ text }) => plain(text))).toEqual(one.answers.map(plain))
      expect(extracted.get(one)?.answers.every(({ found }) => found)).toBe(true)
    }
  })

  it('ties each answer that was written to a place on a page', () => {
    for (const grade of grades.values()) {
      for (const { evidence, score } of grade.criteria) {
        if (score !== null && score > 0)
          expect(evidence[0]).toMatchObject({ page: expect.any(Number), box: { width: expect.any(Number) } })
      }
    }
  })

  it('grades exact answers exactly and the rest sensibly', () => {
    const of = (username: string) => grades.get(papers.find((one) => one.username === username) ?? ({} as DemoPaper))
    expect(of('mjohansson')?.overall_score).toBeGreaterThan(80)
    expect(of('tbaker')?.overall_score).toBeLessThan(30)
    // OCR of a single letter is tested with the reader.
    for (const one of papers.filter(({ style }) => style !== 'scanned')) {
      const [choice, truth] = [grades.get(one)?.criteria[2], grades.get(one)?.criteria[3]]
      expect(choice?.score).toBe(/^B/.test(one.answers[2] ?? '') ? 5 : 0)
      expect(truth?.score).toBe(/^f/i.test(one.answers[3] ?? '') ? 5 : 0)
    }
  })

  it('flags the empty paper and the one with hidden words to the grader', () => {
    const empty = papers.find(({ answers }) => answers.every((text) => text === ''))
    const tricked = papers.find(({ extras }) => extras?.hiddenInstruction)
    const codes = (one: DemoPaper | undefined) => (one ? grades.get(one)?.reasons.map(({ code }) => code) : undefined)
    expect(codes(empty)).toContain('nothing_written')
    expect(codes(tricked)).toEqual(expect.arrayContaining(['hidden_text', 'instructions_to_grader']))
  })
})
