import type { ClassAnswers, ExtractedSubmission } from '../../../grader/grader.ts'
import { PromiseCache } from '../../../lib/promise-cache.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type RunHead, RunModel } from '../../../records/grading/run.model.ts'
import { findTestUserIds } from '../../courses/enrollment-queries.ts'
import { extractionVersion } from '../../rubrics/rubric.service.ts'
import { submissionsByStudent } from '../../submissions/submission-owners.ts'
import { findAllAnswers, findAnswers, submissionsExtractedBy } from '../../transcriptions/answers.service.ts'

/** By id: submissions extracted by the rubric's current questions, without an LMS's test students. */
export async function findClassMembers({
  _id: assignment_id,
  course_id,
  ...versions
}: Pick<AssignmentDoc, '_id' | 'course_id' | 'rubric_version' | 'extraction_version'>): Promise<number[]> {
  const [members, tests] = await Promise.all([
    submissionsExtractedBy(assignment_id, extractionVersion(versions)),
    course_id === null ? new Set<number>() : findTestUserIds(course_id),
  ])
  const theirs = tests.size === 0 ? [] : [...(await submissionsByStudent(assignment_id, [...tests])).values()].flat()
  return members.filter((id) => !theirs.includes(id))
}

export function classKey(run: Pick<RunHead, '_id' | 'assignment_id'>, members: number[]): string {
  const who = hashOf(members.join(',')).slice(0, 16)
  return `${run.assignment_id}/${run._id}/${who}`
}

/** Runs graded at the same time whose classes stay in memory. A big class is a few MB. */
export const CACHED_RUNS = 16

/** Can be loaded again from the database at any time. */
const classesByKey = new PromiseCache<string, ClassAnswers>({ max: CACHED_RUNS })

/** The same for all papers of a run. Only the paper's own answers have positions: a class's would fill the memory. */
export async function classForSubmission(run: RunHead, submissionId: number): Promise<ClassAnswers> {
  const [everyone, own] = await Promise.all([cachedRunClass(run), findAnswers(submissionId)])
  if (!own) throw new Error(`submission ${submissionId} has not been read`)
  const mine = { id: submissionId, extracted: own.extracted }
  // A test student is in no class, so it gets one with the class.
  if (!everyone.submissions.some(({ id }) => id === submissionId))
    return { key: `${everyone.key}+${submissionId}`, submissions: [...everyone.submissions, mine] }
  const submissions = everyone.submissions.map((one) => (one.id === submissionId ? mine : one))
  return { key: everyone.key, submissions }
}

export function ownAnswers(everyone: ClassAnswers, submissionId: number): ExtractedSubmission {
  const own = everyone.submissions.find(({ id }) => id === submissionId)
  if (!own) throw new RangeError(`submission ${submissionId} is not among the class`)
  return own.extracted
}

/** Without positions on the page. */
export function cachedRunClass({ _id, class_key }: RunHead): Promise<ClassAnswers> {
  if (!class_key) throw new Error(`run ${_id} has no class yet`)
  return classesByKey.get(class_key, () => loadRunClass(_id, class_key))
}

const BATCH = 200

async function loadRunClass(runId: number, key: string): Promise<ClassAnswers> {
  const ids = (await RunModel.findById(runId, { class_submission_ids: 1 }).lean())?.class_submission_ids ?? []
  const submissions: ClassAnswers['submissions'] = []
  for (let i = 0; i < ids.length; i += BATCH) {
    const answers = await findAllAnswers(ids.slice(i, i + BATCH))
    for (const { _id, extracted } of answers) {
      const words = extracted.answers.map((answer) => ({ ...answer, evidence: [] }))
      submissions.push({ id: _id, extracted: { answers: words, warnings: [], name_on_paper: extracted.name_on_paper } })
    }
  }
  submissions.sort((a, b) => a.id - b.id)
  return { key, submissions }
}
