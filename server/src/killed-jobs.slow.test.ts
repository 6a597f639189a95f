import { createAssignment } from '@assay/shared/assignments.ts'
import { approveGrades, getGradeApprovals, undoGradeApproval } from '@assay/shared/grade-approvals.ts'
import { decideAnswers, getQuestion, undoQuestionChange } from '@assay/shared/questions.ts'
import { generateRubric, getRubric, listRubricVersions } from '@assay/shared/rubric-endpoints.ts'
import { getRun, processAssignment } from '@assay/shared/runs.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { correctAnswer, getTranscription } from '@assay/shared/transcriptions.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawHandwrittenPaper } from '../../tests/papers/handwritten.ts'
import { AuditModel } from './audit/audit.service.ts'
import { GradeDetailsModel } from './records/grading/grade.model.ts'
import { SubmissionModel } from './records/submissions/submission.model.ts'
import {
  correctAnswers,
  drawPaper,
  gradeAssignment,
  handwrittenQuizLines,
  quizFiles,
  smallQuiz,
  type UploadFile,
  weakAnswers,
} from './testing/build-course.ts'
import { useKilledProcess } from './testing/killed-process.ts'
import { useLlmGradedProcess } from './testing/llm-graded-process.ts'
import type { Caller, Person } from './testing/server.ts'

interface LlmJob {
  job: string
  /** In the request that hangs at the kill. */
  stalls: string
  /** In all, with the unusable answer, the hanging request, its repetition, and what follows. */
  counts: { received: number; answered: number; billed: number }
  prepare(
    teacher: Caller,
    person: Person,
  ): Promise<{ start(): Promise<unknown>; isDone(): Promise<boolean>; see(): Promise<void> }>
}

describe('a process that is killed while a job waits for an LLM', () => {
  const nobody = { full_name: '' }
  /** Without idempotency keys what is asked twice is paid twice. */
  const product = useLlmGradedProcess({
    idempotency: false,
    transcript: handwrittenQuizLines(nobody, correctAnswers).join('\n'),
  })

  async function create(teacher: Caller, papers: string[][], key?: Buffer): Promise<number> {
    const quiz = await quizFiles()
    const files = papers.map(
      async (answers, i): Promise<UploadFile> => ({
        name: `${i}.pdf`,
        bytes: await drawPaper({ full_name: `Student ${i}` }, answers),
      }),
    )
    const created = await teacher.send(createAssignment, {
      body: { name: 'Killed' },
      files: {
        blank_pdf: [quiz.blank],
        answer_key_pdf: [key ? { name: 'key.pdf', bytes: key } : quiz.key],
        ...(files.length > 0 ? { student_submission_pdfs: await Promise.all(files) } : {}),
      },
    })
    return created.body.id
  }

  const corrected = 'Ice is less dense than water: its molecules are held further apart in a lattice.'

  const jobs: LlmJob[] = [
    {
      job: 'a rubric',
      stalls: 'Water and heat',
      counts: { received: 3, answered: 2, billed: 2 },
      async prepare(teacher) {
        const params = { assignmentId: await create(teacher, []) }
        const load = async () => (await teacher.send(getRubric, { params })).body
        return {
          start: () => teacher.send(generateRubric, { params, body: { by: 'model' } }),
          isDone: async () => (await load()).generation === null,
          async see() {
            expect(await load()).toMatchObject({ version: 1, made: { made_by: 'model', points: 20 } })
            expect((await teacher.send(listRubricVersions, { params })).body).toHaveLength(1)
          },
        }
      },
    },
    {
      job: 'a run that first reads a handwritten key',
      stalls: 'picture of the page',
      counts: { received: 4, answered: 3, billed: 3 },
      async prepare(teacher) {
        const key = await drawHandwrittenPaper(smallQuiz, nobody, correctAnswers, { wild: 0.75, seed: 3 })
        const assignmentId = await create(teacher, [correctAnswers], key)
        let runId = 0
        const load = async () => (await teacher.send(getRun, { params: { assignmentId, runId } })).body
        return {
          async start() {
            runId = (await teacher.send(processAssignment, { params: { assignmentId } })).body.run_id
          },
          isDone: async () => (await load()).status === 'completed',
          async see() {
            expect(await load()).toMatchObject({ graded: 1, failed: 0 })
            const { rubric, version } = (await teacher.send(getRubric, { params: { assignmentId } })).body
            expect([version, rubric?.questions[0]?.criteria[0]?.expected]).toEqual([1, correctAnswers[0]])
          },
        }
      },
    },
    {
      job: 'a corrected answer that is scored again',
      stalls: corrected,
      counts: { received: 3, answered: 2, billed: 2 },
      async prepare(teacher, person) {
        const assignmentId = await create(teacher, [weakAnswers, correctAnswers])
        await gradeAssignment(product.api, person, assignmentId)
        const { body: rows } = await teacher.send(listSubmissions, { params: { assignmentId } })
        const params = { assignmentId, submissionId: rows.find(({ file_name }) => file_name === '0.pdf')?.id ?? 0 }
        const criteria = async () =>
          (await teacher.send(getSubmission, { params })).body.grade?.criterion_grades_collection.map(
            ({ id: _, ...words }) => words,
          ) ?? []
        const before = await criteria()
        return {
          start: () =>
            teacher.send(correctAnswer, {
              params: { ...params, questionId: 'q1' },
              body: { text: corrected, revision: 0 },
            }),
          async isDone() {
            const { answers } = (await teacher.send(getTranscription, { params })).body
            return answers.find(({ question_id }) => question_id === 'q1')?.scoring === 'settled'
          },
          async see() {
            const [first, ...others] = await criteria()
            expect(first).toMatchObject({ question_id: 'q1', score: 10, judged_by: 'model' })
            expect(others).toEqual(before.slice(1))
          },
        }
      },
    },
  ]

  it.each(jobs)(
    'goes on with $job at the next start, and pays for no answer twice',
    async ({ stalls, counts, prepare }) => {
      const { fake } = product
      const person = await product.register(`teacher-${counts.received}-${stalls.length}`)
      const task = await prepare(product.api.as(person), person)
      fake.reset()
      product.stallRetries(stalls)
      await task.start()
      await expect.poll(() => product.countStalled()).toBe(1)
      expect(await task.isDone()).toBe(false)
      await product.killAndRestart()
      await expect.poll(task.isDone, { interval: 100 }).toBe(true)
      await task.see()
      expect(product.repeatedRequests()).toEqual([])
      expect(fake.records.counts()).toEqual(counts)
    },
  )
})

describe('a process that is killed while a change to many grades is made', () => {
  // Three batches.
  const PAPERS = 510
  const killed = useKilledProcess(PAPERS, { answerOf: () => '144' })
  const teacher = () => killed.api.as(killed.teacher)
  const params = () => ({ assignmentId: killed.assignmentId })
  const question = () => ({ ...params(), questionId: 'q3' })

  beforeAll(() =>
    killed.inDatabase(async () => {
      const sure = { 'grade.needs_review': false, 'grade.unscored_points': 0, 'grade.final_score': 90 }
      await SubmissionModel.updateMany({ assignment_id: killed.assignmentId }, { $set: sure })
      for (const { _id, criteria } of await GradeDetailsModel.find().lean()) {
        const scored = criteria.map((one) => ({ ...one, score: 1, confidence: 0.9 }))
        await GradeDetailsModel.updateOne({ _id }, { $set: { criteria: scored } })
      }
    }),
  )

  const approvals = async () => (await teacher().send(getGradeApprovals, { params: params() })).body
  const answers = async () => (await teacher().send(getQuestion, { params: question() })).body

  const changes = {
    'the approval of all sure grades': {
      collection: 'grade_approvals',
      audited: { action: 'grade.approved' },
      make: () => teacher().send(approveGrades, { params: params(), body: { expected: PAPERS } }),
      countMade: async () => PAPERS - (await approvals()).sure,
      undo: async () => {
        await expect.poll(async () => (await approvals()).latest?.state).toBe('applied')
        const approvalId = (await approvals()).latest?.id ?? 0
        return teacher().send(undoGradeApproval, { params: { ...params(), approvalId } })
      },
    },
    'a decision on all answers': {
      collection: 'question_changes',
      audited: { action: 'grade.overridden', 'after.points.q3': 2 },
      make: async () => {
        const seen = (await answers()).answers.map(({ submission_id, decided }) => ({ submission_id, decided }))
        return teacher().send(decideAnswers, { params: question(), body: { answers: seen, points: { q3: 2 } } })
      },
      countMade: async () => (await answers()).answers.filter(({ decided }) => decided?.q3 === 2).length,
      undo: async () =>
        teacher().send(undoQuestionChange, { params: { ...question(), changeId: (await answers()).undo?.id ?? 0 } }),
    },
  }

  it.each([
    ['the approval of all sure grades', 'as soon as it is stored', 'after insertOne grade_approvals 1'],
    ['the approval of all sure grades', 'with some grades approved, and nobody told', 'after bulkWrite submissions 1'],
    ['the approval of all sure grades', 'with some approved and audited', 'before bulkWrite submissions 3'],
    ['a decision on all answers', 'as soon as it is stored', 'after insertOne question_changes 1'],
    ['a decision on all answers', 'with some answers decided, and nobody told', 'after bulkWrite submissions 1'],
    ['a decision on all answers', 'with some decided and audited', 'before bulkWrite submissions 3'],
    ['a decision on all answers', 'with all decided, but not noted as applied', 'before updateOne question_changes 1'],
  ] as const)('has %s made once and in whole by the next one, %s; it can be undone', async (name, _, at) => {
    const { collection, audited, make, countMade, undo } = changes[name]
    await killed.start()
    const { died } = await killed.dieAt(at, collection)
    // The process may die before or after it replies.
    await make().catch(() => null)
    expect(await died).toBe('SIGKILL')
    await killed.start()
    await expect.poll(countMade).toBe(PAPERS)
    expect((await undo()).status).toBeLessThan(300)
    await expect.poll(countMade).toBe(0)
    await killed.stop()
    await killed.inDatabase(async () => {
      const told = await AuditModel.find(audited).lean()
      expect(told).toHaveLength(PAPERS)
      expect(new Set(told.map(({ subject }) => subject.submission_id)).size).toBe(PAPERS)
      await AuditModel.deleteMany({ action: /^grade\./ })
    })
  })

  it('makes no change that was not stored', async () => {
    await killed.start()
    const { died } = await killed.dieAt('before insertOne question_changes 1', 'question_changes')
    await expect(changes['a decision on all answers'].make()).rejects.toThrow()
    expect(await died).toBe('SIGKILL')
    await killed.start()
    expect(await changes['a decision on all answers'].countMade()).toBe(0)
    await killed.stop()
  })
})
