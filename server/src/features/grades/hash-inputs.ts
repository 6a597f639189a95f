import { createHash } from 'node:crypto'
import { AssignmentModel } from '../assignments/assignment.model.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import type { SubmissionDoc } from '../submissions/submission.model.ts'

/** What a grade was made from, by SHA-256 in hexadecimal: the PDF, the rubric's questions, the words read as answers. */
export interface InputHashes {
  paper: string
  rubric: string
  answers: string
}

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** A class shares its rubric, which is larger than a paper's answers: hashed once for each version. */
const rubrics = new Map<string, Promise<string>>()
const KEPT = 20

async function hashRubric(assignmentId: number, version: number): Promise<string> {
  const key = `${assignmentId}/${version}`
  const known = rubrics.get(key)
  if (known) return known
  const hashed = AssignmentModel.findById(assignmentId, { rubric: 1 })
    .lean()
    .then((assignment) => sha256(assignment?.rubric?.questions ?? null))
  rubrics.set(key, hashed)
  hashed.catch(() => rubrics.delete(key))
  const oldest = rubrics.keys().next().value
  if (rubrics.size > KEPT && oldest !== undefined) rubrics.delete(oldest)
  return hashed
}

export async function hashInputs(
  { _id, assignment_id, file }: Pick<SubmissionDoc, '_id' | 'assignment_id' | 'file'>,
  rubricVersion: number,
): Promise<InputHashes> {
  const [answers, rubric] = await Promise.all([
    AnswersModel.findById(_id, { 'laid.answers.question_id': 1, 'laid.answers.text': 1 }).lean(),
    hashRubric(assignment_id, rubricVersion),
  ])
  const words = answers?.laid.answers.map(({ question_id, text }) => [question_id, text]) ?? []
  return { paper: file.hash, rubric, answers: sha256(words) }
}
