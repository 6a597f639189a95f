import { decideAnswers, getQuestion, undoQuestionChange } from '@assay/shared/questions.ts'
import { expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { QuestionChangeModel } from '../../records/grading/question-change.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { useKilledProcess } from '../../testing/killed-process.ts'

// Three batches of answers: a decision on all of them is many writes.
const PAPERS = 510
const killed = useKilledProcess(PAPERS, { answerOf: (i) => (i % 2 ? '144' : '124') })
const paramsOf = () => ({ assignmentId: killed.assignmentId, questionId: 'q3' })

async function load() {
  const reply = await killed.api.as(killed.teacher).send(getQuestion, { params: paramsOf() })
  expect(reply.status).toBe(200)
  return reply.body
}

const decisionsOf = ({ answers }: Awaited<ReturnType<typeof load>>) => answers.map(({ decided }) => decided)

/** Decides on all answers in a process that is killed at a write. */
async function decideAndDie(points: number, at: string): Promise<void> {
  await killed.start()
  const { died } = await killed.dieAt(at, 'question_changes')
  const { answers } = await load()
  const seen = answers.map(({ submission_id, decided }) => ({ submission_id, decided }))
  const call = { params: paramsOf(), body: { answers: seen, points: { q3: points } } }
  await expect(killed.api.as(killed.teacher).send(decideAnswers, call)).rejects.toThrow()
  expect(await died).toBe('SIGKILL')
}

/** What is in the store of decisions of so many points. */
function storedOf(points: number) {
  return killed.inDatabase(async () => {
    const grades = await SubmissionModel.find({ assignment_id: killed.assignmentId }, { grade: 1 }).lean()
    const told = await AuditModel.find({ action: 'grade.overridden', 'after.points.q3': points }).lean()
    return {
      decided: grades.filter(({ grade }) => grade?.decisions?.q3 === points).length,
      audited: told.length,
      papersAudited: new Set(told.map(({ subject }) => subject.submission_id)).size,
      applying: await QuestionChangeModel.countDocuments({ state: 'applying' }),
    }
  })
}

it('is not made at all by a process that is killed before it is stored', async () => {
  await decideAndDie(1, 'before insertOne question_changes 1')
  await killed.start()
  expect(decisionsOf(await load())).toEqual(Array(PAPERS).fill(null))
  await killed.stop()
  expect(await storedOf(1)).toMatchObject({ decided: 0, audited: 0, applying: 0 })
})

it.each([
  ['as soon as it is stored', 'after insertOne question_changes 1'],
  ['with some of the answers decided, and nobody told', 'after bulkWrite submissions 1'],
  ['with some of the answers decided and audited', 'before bulkWrite submissions 3'],
  ['with all of them decided, but not noted as applied', 'before updateOne question_changes 1'],
])('is made once and in whole by the next process when one is killed %s, and can be undone', async (_, at) => {
  await decideAndDie(2, at)
  await killed.start()
  const question = await load()
  expect(decisionsOf(question)).toEqual(Array(PAPERS).fill({ q3: 2 }))
  const undo = { ...paramsOf(), changeId: question.undo?.id ?? 0 }
  const undone = await killed.api.as(killed.teacher).send(undoQuestionChange, { params: undo })
  expect(undone.body).toMatchObject({ conflicts: [], unavailable: [] })
  expect(decisionsOf(await load())).toEqual(Array(PAPERS).fill(null))
  await killed.stop()

  // Told of once, however often it was begun.
  expect(await storedOf(2)).toEqual({ decided: 0, audited: PAPERS, papersAudited: PAPERS, applying: 0 })
  await killed.inDatabase(() => AuditModel.deleteMany({ action: 'grade.overridden' }))
})
