import {
  type AccuracyCheck,
  applyBlindMarks,
  exportAccuracyCheck,
  flagReviewList,
  getAccuracyCheck,
  getBlindAnswer,
  getReviewList,
  markBlindAnswer,
  startAccuracyCheck,
} from '@assay/shared/accuracy-checks.ts'
import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { getQuestion, undoQuestionChange } from '@assay/shared/questions.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { AccuracyCheckModel } from '../../records/grading/accuracy-check.model.ts'
import {
  buildEmptyAssignment,
  buildGraded,
  correctAnswers,
  decideGrade,
  gradeAssignment,
  weakAnswers,
} from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api, server } = useTestApi()
const PAPERS = 8

async function buildClass() {
  const answerSets = Array.from({ length: PAPERS }, (_, i) => (i % 2 ? correctAnswers : weakAnswers))
  const { instructor, teacher, params } = await buildGraded(api, answerSets)
  return {
    instructor,
    teacher,
    params,
    papers: async () => {
      const { body } = await teacher.send(listSubmissions, { params })
      const rows = await Promise.all(
        body.map(
          async ({ id }) => (await teacher.send(getSubmission, { params: { ...params, submissionId: id } })).body,
        ),
      )
      return rows.map(({ id, grade }) => ({
        id,
        flagged: grade?.needs_review ?? false,
        reasons: grade?.review_reasons.map(({ code }) => code) ?? [],
      }))
    },
    approve: (submissionId: number) => decideGrade(teacher, { ...params, submissionId }),
    start: (answers: number) => teacher.send(startAccuracyCheck, { params, body: { answers } }),
    read: async () => (await teacher.send(getAccuracyCheck, { params })).body,
    blind: async (position: number) => (await teacher.send(getBlindAnswer, { params: { ...params, position } })).body,
    mark: (check: AccuracyCheck, position: number, points: Record<string, number> | null) =>
      teacher.send(markBlindAnswer, { params: { ...params, position }, body: { check_id: check.id, points } }),
  }
}
type Course = Awaited<ReturnType<typeof buildClass>>

const fullMarks = (criteria: { id: string; points: number }[]) =>
  Object.fromEntries(criteria.map(({ id, points }) => [id, points]))

async function markAll(
  { blind, mark }: Course,
  check: AccuracyCheck,
  points: (criteria: { id: string; points: number }[], text: string) => Record<string, number> | null,
): Promise<AccuracyCheck> {
  let latest = check
  for (const { position } of check.answers) {
    const { question, text } = await blind(position)
    const reply = await mark(check, position, points(question.criteria, text))
    expect(reply.status).toBe(200)
    latest = reply.body
  }
  return latest
}

let course: Course
beforeAll(async () => {
  course = await buildClass()
})

describe('a check of the grader', () => {
  it('shows answers without anything that the grader or others think of them', async () => {
    const { body: check } = await course.start(12)
    expect(check.answers).toHaveLength(12)
    for (const { position } of check.answers) {
      const answer = await course.blind(position)
      expect(Object.keys(answer).sort()).toEqual(
        ['pictures', 'points', 'position', 'question', 'skipped', 'state', 'submission_id', 'text'].sort(),
      )
      expect(JSON.stringify(answer)).not.toMatch(/suggest|confidence|feedback|flagged|Student \d/)
    }
    expect((await course.read()).check?.result).toBeNull()
  })

  it('goes on where it was left, and tells how the grader agrees once all are marked', async () => {
    const { body: check } = await course.start(12)
    const first = await course.blind(1)
    const points = fullMarks(first.question.criteria)
    await course.mark(check, 1, points)
    expect((await course.blind(1)).points).toEqual(points)
    expect((await course.read()).check?.answers.map(({ state }) => state)).toEqual([
      'marked',
      ...Array(11).fill('open'),
    ])
    const { result, finished_at } = await markAll(course, check, fullMarks)
    expect(finished_at).not.toBeNull()
    expect(result).toMatchObject({ answers: 3 * PAPERS, marked: 12, left_out: 0 })
    expect(result?.pairs).toHaveLength(12)
    expect(result?.all.bias?.high).toBeLessThan(0)
    expect(result?.all.mean_error?.low).toBeGreaterThan(0.05)
    expect((await course.read()).check?.result).toEqual(result)
  })

  it('tells the figures again, beside the earlier ones, once suggestions have changed', async () => {
    const own = await buildClass()
    const { body: check } = await own.start(24)
    const { result } = await markAll(own, check, fullMarks)
    expect(result).toMatchObject({ earlier: null, decided: 0 })
    await gradeAssignment(api, own.instructor, own.params.assignmentId, { force: true })
    expect((await own.read()).check?.result).toEqual(result)

    const { body } = await own.teacher.send(getRubric, { params: own.params })
    const questions = (body.rubric?.questions ?? []).map((question) => ({
      ...question,
      criteria: question.criteria.map((one) => (question.id === 'q3' ? { ...one, expected: 'something else' } : one)),
    }))
    const rubric = { ...body.rubric, questions } as NonNullable<typeof body.rubric>
    const saved = await own.teacher.send(saveRubric, { params: own.params, body: { rubric, version: body.version } })
    expect(saved.status).toBe(200)
    await gradeAssignment(api, own.instructor, own.params.assignmentId, { outdated: true })
    const after = (await own.read()).check?.result
    expect(after?.earlier).toEqual({ all: result?.all, changed: expect.any(Number) })
    expect(after?.earlier?.changed).toBe(
      after?.pairs.filter(({ suggested }, i) => suggested !== result?.pairs[i]?.suggested).length,
    )
    expect(after?.all.mean_error?.value).toBeGreaterThan(result?.all.mean_error?.value ?? 1)
  })

  it('is exported with every mark by paper', async () => {
    const { body: check } = await course.start(8)
    await markAll(course, check, (criteria) => fullMarks(criteria))
    const { body } = await course.teacher.send(exportAccuracyCheck, { params: course.params })
    expect(body.check).toEqual((await course.read()).check)
    expect(body.marks).toHaveLength(8)
    const names = new Set(Array.from({ length: PAPERS }, (_, i) => `paper-${i}`))
    const [mark] = body.marks
    const of = { ...course.params, submissionId: mark?.submission_id ?? 0 }
    const { body: history } = await course.teacher.send(getGradeHistory, { params: of })
    expect(history.blind_marks).toContainEqual({
      check_id: check.id,
      started_at: check.started_at,
      question_id: mark?.question_id,
      points: mark?.points,
    })
    for (const { student, points, submission_id } of body.marks) {
      expect(names.has(String(student).replace('.pdf', ''))).toBe(true)
      expect(points).not.toBeNull()
      expect(submission_id).toBeGreaterThan(0)
    }
  })

  it('leaves out what was skipped, and has no result where all was', async () => {
    const { body: check } = await course.start(8)
    const done = await markAll(course, check, () => null)
    expect(done.answers.every(({ state }) => state === 'skipped')).toBe(true)
    expect(done).toMatchObject({ result: null })
    expect(done.finished_at).not.toBeNull()
  })

  it('refuses points a criterion cannot earn, a mark without all criteria, and a check that was replaced', async () => {
    const { body: check } = await course.start(8)
    const { question } = await course.blind(1)
    const [criterion] = question.criteria
    const id = criterion?.id ?? ''
    expect((await course.mark(check, 1, { [id]: 1000 })).body.message).toContain('At most')
    expect((await course.mark(check, 1, {})).body.message).toContain('Enter points for every criterion')
    expect((await course.mark(check, 99, { [id]: 1 })).status).toBe(404)
    await course.start(8)
    const late = await course.mark(check, 1, { [id]: 1 })
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('A new check was started')])
  })

  it('draws only answers that nobody has decided, and tells of these alone', async () => {
    const own = await buildClass()
    const { body: first } = await own.start(8)
    await markAll(own, first, fullMarks)
    await own.teacher.send(applyBlindMarks, { params: own.params, body: { check_id: first.id } })
    expect(await own.read()).toMatchObject({ available: 3 * PAPERS - 8, decided: 8 })
    const { body: second } = await own.start(100)
    expect(second.answers).toHaveLength(3 * PAPERS - 8)
    const { result } = await markAll(own, second, fullMarks)
    expect(result).toMatchObject({ answers: 3 * PAPERS - 8, marked: 3 * PAPERS - 8 })
    await own.teacher.send(applyBlindMarks, { params: own.params, body: { check_id: second.id } })
    const none = await own.start(8)
    expect([none.status, none.body.message]).toEqual([409, expect.stringContaining('no suggestion left to check')])
  })

  it('needs papers with suggestions', async () => {
    const { teacher, params } = await buildEmptyAssignment(api)
    const reply = await teacher.send(startAccuracyCheck, { params, body: { answers: 20 } })
    expect([reply.status, reply.body.message]).toEqual([409, expect.stringContaining('Grade the papers first')])
    expect((await teacher.send(getAccuracyCheck, { params })).body).toEqual({ check: null, available: 0, decided: 0 })
  })
})

describe('the marks of a check', () => {
  it('of an earlier version, with its review budget, still show', async () => {
    const own = await buildClass()
    const { body: check } = await own.start(24)
    const { result } = await markAll(own, check, fullMarks)
    await AccuracyCheckModel.updateOne(
      { _id: check.id },
      { $set: { budget: { limit: 20, risk: 5 }, 'first_result.all.kappa': { value: 0.5, low: 0.2, high: 0.7 } } },
    )
    expect((await own.read()).check?.result).toEqual(result)
    const { body: list } = await own.teacher.send(getReviewList, { params: own.params })
    expect(list).toMatchObject({ limit: 20 })
  })

  it('become decisions that can be undone, but for what people have decided', async () => {
    const own = await buildClass()
    const { body: check } = await own.start(24)
    expect(check.answers).toHaveLength(24)
    await markAll(own, check, fullMarks)
    const body = { check_id: check.id }
    const applied = await own.teacher.send(applyBlindMarks, { params: own.params, body })
    expect(applied.body).toEqual({ decided: 24, left_alone: 0 })
    expect((await own.read()).check?.result?.decided).toBe(24)
    const params = { ...own.params, questionId: 'q3' }
    const { body: question } = await own.teacher.send(getQuestion, { params })
    expect(question.answers.map(({ decided }) => decided)).toEqual(Array(PAPERS).fill({ q3: 5 }))
    expect((await own.teacher.send(applyBlindMarks, { params: own.params, body })).body).toEqual({
      decided: 0,
      left_alone: 24,
    })
    await own.teacher.send(undoQuestionChange, { params: { ...params, changeId: question.undo?.id ?? 0 } })
    const undone = await own.teacher.send(getQuestion, { params })
    expect(undone.body.answers.every(({ decided }) => decided === null)).toBe(true)
  })

  it('name the papers whose totals are likely far off', async () => {
    const own = await buildClass()
    const list = (query: { limit?: number } = {}) => own.teacher.send(getReviewList, { params: own.params, query })
    const { body: check } = await own.start(24)
    expect((await list()).body.message).toContain('Mark the answers of the check first')
    await markAll(own, check, (criteria) => Object.fromEntries(criteria.map(({ id }) => [id, 0])))
    const all = (await list({ limit: 10 })).body
    expect(all.papers.length).toBeGreaterThanOrEqual(PAPERS / 2)
    expect(all.papers.length + all.others).toBe(PAPERS)
    const fewer = (await list({ limit: 50 })).body
    expect(all.papers.slice(0, fewer.papers.length)).toEqual(fewer.papers)
    expect((await list({ limit: 1 })).status).toBe(422)
  })

  it('flag the papers to look at, until the flags are taken back or the papers are approved', async () => {
    const own = await buildClass()
    const { body: check } = await own.start(24)
    await markAll(own, check, (criteria) => Object.fromEntries(criteria.map(({ id }) => [id, 0])))
    const body = { check_id: check.id, limit: 15 }
    const papers = () => own.papers()
    const before = await papers()
    const heard: unknown[] = []
    const { events } = server.running.services
    for (const name of ['submission_changed', 'submissions_changed'] as const)
      events.onLocal(name, ({ assignmentId, payload }) => {
        if (assignmentId === own.params.assignmentId) heard.push({ name, payload })
      })
    const flagged = await own.teacher.send(flagReviewList, { params: own.params, body })
    expect(heard).toEqual([{ name: 'submissions_changed', payload: { assignment_id: own.params.assignmentId } }])
    const list = async () => (await own.teacher.send(getReviewList, { params: own.params })).body
    const current = await list()
    const ids = current.papers.map(({ submission_id }) => submission_id)
    expect(ids.length).toBeGreaterThan(0)
    expect(flagged.body).toEqual({ papers: ids.length })
    expect(current).toMatchObject({ limit: 15, flagged: ids.length, flags_to_change: 0 })
    const withReason = (rows: Awaited<ReturnType<typeof papers>>) =>
      rows.filter(({ reasons }) => reasons.includes('review_budget')).map(({ id }) => id)
    const after = await papers()
    expect(withReason(after).sort()).toEqual([...ids].sort())
    expect(after.filter(({ id, flagged }) => ids.includes(id) && !flagged)).toEqual([])

    // A new run keeps the teacher's flags, and the check tells what they should be now.
    await gradeAssignment(api, own.instructor, own.params.assignmentId, { force: true })
    expect(withReason(await papers()).sort()).toEqual([...ids].sort())
    expect(await list()).toMatchObject({ limit: 15, flagged: ids.length })

    const [approved = 0] = ids
    await own.approve(approved)
    const taken = await own.teacher.send(flagReviewList, { params: own.params, body: { ...body, limit: null } })
    expect(taken.body).toEqual({ papers: ids.length - 1 })
    expect(await list()).toMatchObject({ limit: 10, flagged: 0 })
    const rest = (rows: typeof before) => rows.filter(({ id }) => id !== approved)
    expect(rest(await papers())).toEqual(rest(before))
  })

  it('settle the flag of a paper whose points people have all given', async () => {
    const own = await buildClass()
    const { body: check } = await own.start(24)
    await markAll(own, check, (criteria) => Object.fromEntries(criteria.map(({ id }) => [id, 0])))
    const body = { check_id: check.id, limit: 5 }
    const flagged = await own.teacher.send(flagReviewList, { params: own.params, body })
    expect(flagged.body.papers).toBeGreaterThan(0)
    await own.teacher.send(applyBlindMarks, { params: own.params, body: { check_id: check.id } })
    const { body: after } = await own.teacher.send(getReviewList, { params: own.params })
    expect(after).toMatchObject({ flagged: 0, papers: [], flags_to_change: 0 })
  })

  it('are left out where their question has changed since', async () => {
    const own = await buildClass()
    const { body: check } = await own.start(24)
    await markAll(own, check, fullMarks)
    const { body } = await own.teacher.send(getRubric, { params: own.params })
    const questions = (body.rubric?.questions ?? []).map((question) =>
      question.id === 'q3'
        ? { ...question, criteria: question.criteria.map((criterion) => ({ ...criterion, id: 'other' })) }
        : question,
    )
    const rubric = { ...body.rubric, questions } as NonNullable<typeof body.rubric>
    const saved = await own.teacher.send(saveRubric, { params: own.params, body: { rubric, version: body.version } })
    expect(saved.status).toBe(200)
    const { check: after } = await own.read()
    expect(after?.result).toMatchObject({ marked: 2 * PAPERS, left_out: PAPERS })
  })
})
