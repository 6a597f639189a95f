import type { Rubric } from '@assay/shared/rubrics.ts'
import { afterAll, describe, expect, it } from 'vitest'
import type { Anchor, ClassAnswers, SuggestedGrade } from '../grader.ts'
import { unsettledReasons } from '../scoring/teacher-scores.ts'
import { createOfflineGrader } from './offline-grader.ts'

const grader = createOfflineGrader()
afterAll(() => grader.close())

const ANSWERS = [
  'The moon pulls the water of the ocean.',
  'The moon pulls on the oceans.',
  'Because of the wind.',
  'Water is drawn up by the moon while the earth turns around.',
  'The moon is strong and the sea moves.',
  'because of the WIND',
  'The sun heats the sea.',
  '',
]
const rubric = (kind: Rubric['questions'][number]['kind'] = 'text', expected = KEY): Rubric => ({
  questions: ['q1', 'q2'].map((id, i) => ({
    id,
    number: `${i + 1}`,
    prompt: 'Why are there tides?',
    kind,
    criteria: [{ id, text: 'Why are there tides?', points: 10, expected, alternatives: [] }],
    regions: [],
  })),
  problems: [],
})
const KEY = 'The moon pulls on the water of the oceans and the earth turns beneath it.'
const everyone = (key = 'tides'): ClassAnswers => ({
  key,
  submissions: ANSWERS.map((text, i) => ({
    id: i + 1,
    extracted: {
      answers: ['q1', 'q2'].map((question_id) => ({ question_id, text, found: true, evidence: [], reading: 1 })),
      warnings: [],
      name_on_paper: null,
    },
  })),
})

async function scores(anchors: Anchor[], by = rubric()) {
  const { submissions } = everyone()
  const grades = await Promise.all(submissions.map(({ id }) => grader.grade(by, id, everyone(), { anchors })))
  return grades.map(({ criteria }) => criteria.map(({ score }) => score))
}

const decide = (submission_id: number, score: number, criterion_id = 'q1'): Anchor => ({
  submission_id,
  criterion_id,
  score,
})

describe('the teacher’s decisions', () => {
  it('leave the suggestion for their own paper the grader’s own, and settle it', async () => {
    const before = await grader.grade(rubric(), 1, everyone())
    const after = await grader.grade(rubric(), 1, everyone(), { anchors: [decide(1, 3.3), decide(1, 10, 'q2')] })
    const own = ({ criteria }: SuggestedGrade) =>
      criteria.map(({ score, level, confidence, evidence }) => ({ score, level, confidence, evidence }))
    expect(own(after)).toEqual(own(before))
    // A decision settles its question’s doubt until it is taken back.
    expect(after.reasons).toEqual(before.reasons)
    const open = unsettledReasons(after.reasons, after.criteria, { q1: 3.3 })
    expect(new Set(open.map(({ question_id }) => question_id))).toEqual(new Set(['q2']))
    expect(before.criteria[1]?.feedback).toBe(`The expected answer has “${KEY.slice(0, -1)}”.`)
    expect(after.criteria[1]?.feedback).toMatch(/^Your answer matches the expected answer on “The moon pulls/)
    expect(await scores([decide(8, 2)])).toEqual(await scores([]))
  })

  it('of the same words on another paper are taken over, also where this one was decided on too', async () => {
    const own = await grader.grade(rubric(), 6, everyone(), { anchors: [decide(6, 2), decide(3, 6)] })
    expect(own.criteria[0]?.score).toBe(6)
  })

  it('are given to the same words on other papers, on that criterion alone', async () => {
    const [before, after] = [await scores([]), await scores([decide(3, 6)])]
    expect(before[5]?.[0]).toBeLessThan(3)
    expect(after[5]?.[0]).toBe(6)
    expect(after[5]?.[1]).toBeLessThan(3)
    const alike = await grader.grade(rubric(), 6, everyone(), { anchors: [decide(3, 6)] })
    expect(alike.criteria[0]?.confidence).toBeGreaterThan(0.9)
  })

  it('make a mild teacher’s class score higher, and nothing stays nothing', async () => {
    const mild = [decide(2, 10), decide(5, 9), decide(4, 10)]
    const [before, after] = [await scores([]), await scores(mild)]
    expect(after[0]?.[0]).toBeGreaterThanOrEqual(before[0]?.[0] ?? 10)
    expect(after[6]?.[0]).toBeGreaterThan((before[6]?.[0] ?? 10) + 0.5)
    expect(after.map(([, next]) => next)).toEqual(before.map(([, next]) => next))
    expect(after[7]).toEqual([0, 0])
  })

  it('count the same in whatever order they come, and are forgotten when taken back', async () => {
    const anchors = [decide(2, 10), decide(5, 9), decide(4, 1, 'q2')]
    expect(await scores(anchors)).toEqual(await scores([...anchors].reverse()))
    const before = await scores([])
    expect(await scores(anchors)).not.toEqual(before)
    expect(await scores([])).toEqual(before)
  })

  it('bear papers that are gone and points above the most', async () => {
    await expect(scores([decide(99, 5), decide(2, 14), decide(3, 0, 'gone')])).resolves.toHaveLength(8)
  })

  it('say nothing of the scale where answers are right or wrong', async () => {
    const exact = rubric('true_false', 'True')
    const [before, after] = [await scores([], exact), await scores([decide(1, 10), decide(2, 10)], exact)]
    expect(after.slice(2)).toEqual(before.slice(2))
  })
})

describe('what the grader cannot judge', () => {
  it.each(['drawing', 'essay'] as const)(
    'gives a %s no score and no feedback, says so and sends it to a person',
    async (kind) => {
      const grade = await grader.grade(rubric(kind), 1, everyone())
      expect(grade.criteria[0]).toMatchObject({
        score: null,
        unscored_reason: 'cannot_judge',
        level: null,
        confidence: 0,
        feedback: '',
      })
      expect(grade.overall_score).toBeNull()
      expect(grade.summary).toBe('')
      expect(grade.needs_review).toBe(true)
      expect(grade.reasons.map(({ code, question_id }) => [code, question_id])).toEqual([
        ['cannot_judge', 'q1'],
        ['cannot_judge', 'q2'],
      ])
    },
  )

  it('takes the teacher’s word for it', async () => {
    const anchors = [decide(1, 7), decide(1, 8, 'q2')]
    const grade = await grader.grade(rubric('drawing'), 1, everyone(), { anchors })
    expect(grade.overall_score).toBeNull()
    expect(grade.criteria[0]).toMatchObject({ score: null, confidence: 0, feedback: '' })
    expect(grade.summary).toContain('strong')
    expect(unsettledReasons(grade.reasons, grade.criteria, { q1: 7, q2: 8 })).toEqual([])
    const labelled = [...anchors, decide(3, 7)]
    const other = await grader.grade(rubric('drawing'), 6, everyone(), { anchors: labelled })
    expect(other.reasons.filter(({ code }) => code === 'cannot_judge')).toHaveLength(2)
  })

  it('gives an essay nobody wrote no points, and says so; in a scan, and of a drawing, it does not know', async () => {
    const empty = await grader.grade(rubric('essay'), 8, everyone())
    expect(empty.criteria[0]).toMatchObject({ score: 0, feedback: expect.stringMatching(/^Nothing is written here\./) })
    expect(empty.criteria[0]).not.toHaveProperty('unscored_reason')
    expect(empty.overall_score).toBe(0)
    const scans = everyone()
    for (const { extracted } of scans.submissions) for (const answer of extracted.answers) answer.reading = 0.95
    for (const unsure of [
      await grader.grade(rubric('drawing'), 8, everyone()),
      await grader.grade(rubric('essay'), 8, scans),
    ])
      expect(unsure.criteria[0]).toMatchObject({ score: null, unscored_reason: 'cannot_judge' })
  })
})
