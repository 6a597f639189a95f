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

/** The last few classes, worked out once; they can be had again from the database at any time. */
const recent = new Map<string, Promise<ClassAnswers>>()
const KEPT = 3

/** The answers a run compares with, the same for all its papers however long it takes. */
export function classOfRun(run: RunDoc): Promise<ClassAnswers> {
  const { class_key, class_submission_ids } = run
  if (!class_key || !class_submission_ids) throw new Error(`run ${run._id} has no class yet`)
  const known = recent.get(class_key)
  if (known) return known
  const loading = load(class_key, class_submission_ids)
  recent.set(class_key, loading)
  loading.catch(() => recent.delete(class_key))
  const oldest = recent.keys().next().value
  if (recent.size > KEPT && oldest !== undefined) recent.delete(oldest)
  return loading
}

async function load(key: string, ids: number[]): Promise<ClassAnswers> {
  const answers = await AnswersModel.find({ _id: { $in: ids } }).lean()
  answers.sort((a, b) => a._id - b._id)
  return { key, submissions: answers.map(({ _id, laid }) => ({ id: _id, laid })) }
}
