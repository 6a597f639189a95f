import { createHash } from 'node:crypto'
import type { ClassAnswers } from '../../grader/grader.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import type { RunDoc } from './run.model.ts'

/** Everyone whose answers are known under the rubric's version, by id. */
export async function classMembers(assignmentId: number, rubricVersion: number): Promise<number[]> {
  const members = await AnswersModel.find(
    { assignment_id: assignmentId, rubric_version: rubricVersion },
    { _id: 1 },
  )
    .sort({ _id: 1 })
    .lean()
  return members.map((member) => member._id)
}

export function classKey(run: Pick<RunDoc, '_id' | 'assignment_id'>, members: number[]): string {
  const who = createHash('sha256').update(members.join(',')).digest('hex').slice(0, 16)
  return `${run.assignment_id}/${run._id}/${who}`
}

/** The last class or two, worked out once; they can be had again from the database at any time. */
const recent = new Map<string, Promise<ClassAnswers>>()
const KEPT = 2

/**
 * The answers a run compares with, the same for all its papers however long it takes. Only one's own come with their
 * places on the page: a large class's boxes would fill the memory, and nobody looks at them.
 */
export async function classFor(run: RunDoc, submissionId: number): Promise<ClassAnswers> {
  const [everyone, own] = await Promise.all([classOfRun(run), AnswersModel.findById(submissionId).lean()])
  if (!own) throw new Error(`submission ${submissionId} has not been read`)
  const submissions = everyone.submissions.map((one) =>
    one.id === submissionId ? { id: one.id, laid: own.laid } : one,
  )
  return { key: everyone.key, submissions }
}

function classOfRun({ _id, class_key, class_submission_ids }: RunDoc): Promise<ClassAnswers> {
  if (!class_key || !class_submission_ids) throw new Error(`run ${_id} has no class yet`)
  const known = recent.get(class_key)
  if (known) return known
  const loading = load(class_key, class_submission_ids)
  recent.set(class_key, loading)
  loading.catch(() => recent.delete(class_key))
  const oldest = recent.keys().next().value
  if (recent.size > KEPT && oldest !== undefined) recent.delete(oldest)
  return loading
}

const BATCH = 200

async function load(key: string, ids: number[]): Promise<ClassAnswers> {
  const submissions: ClassAnswers['submissions'] = []
  for (let i = 0; i < ids.length; i += BATCH) {
    const answers = await AnswersModel.find({ _id: { $in: ids.slice(i, i + BATCH) } }).lean()
    for (const { _id, laid } of answers) {
      const words = laid.answers.map((answer) => ({ ...answer, evidence: [] }))
      submissions.push({ id: _id, laid: { answers: words, warnings: [], name_on_paper: null } })
    }
  }
  submissions.sort((a, b) => a.id - b.id)
  return { key, submissions }
}
