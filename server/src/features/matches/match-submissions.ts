import { AppError } from '../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { createMatcher, type Matcher } from '../submissions/matching/match-student.ts'
import { loadMatchingRoster, type RosterStudent } from '../submissions/matching/matching-roster.ts'
import { submissionBatches } from '../submissions/submission-batches.ts'
import { submissionsByStudent } from '../submissions/submission-owners.ts'
import { namesOnPapers } from '../transcriptions/answers.service.ts'
import { assignToStudent } from './assign-submission.ts'

const BATCH = 500

type AssignmentRef = Pick<AssignmentDoc, '_id' | 'course_id'>

/**
 * Matches the papers without a student again: the roster may have grown, or the names on them been read. A student who has a
 * paper gets no second one, and if two papers fit one student, neither is assigned.
 */
export async function rematchSubmissions(assignment: AssignmentRef, services: Services): Promise<number> {
  if (assignment.course_id === null) return 0
  const matcher = createMatcher(await loadMatchingRoster(assignment.course_id))
  const fitting = new Map<RosterStudent, SubmissionDoc[]>()
  for await (const batch of submissionBatches(assignment._id, BATCH, 'unmatched')) {
    const names = await namesOnPapers(batch.map(({ _id }) => _id))
    for (const submission of batch) {
      const student = findMatchingStudent(matcher, submission, names.get(submission._id))
      if (student) fitting.set(student, [...(fitting.get(student) ?? []), submission])
    }
  }
  const taken = await submissionsByStudent(
    assignment._id,
    [...fitting.keys()].map(({ _id }) => _id),
  )
  let matched = 0
  for (const [student, [submission, second]] of fitting) {
    if (!submission || second || taken.has(student._id)) continue
    if (await tryAssign(submission, student, services)) matched++
  }
  return matched
}

/** By the file's name, or else by the name on the paper. */
function findMatchingStudent(
  matcher: Matcher,
  { file }: SubmissionDoc,
  name: string | undefined,
): RosterStudent | null {
  const byFile = matcher.byFileName(file.name)
  if (byFile.candidates.length > 0 || name === undefined) return byFile.student
  return matcher.byName(name).student
}

/** Null also when the student has the same file already: a person decides then. */
async function tryAssign(submission: SubmissionDoc, student: RosterStudent, services: Services) {
  try {
    return await assignToStudent(submission, student, 'match', services)
  } catch (error) {
    if (error instanceof AppError && error.code === 'duplicate') return null
    throw error
  }
}

/** Matches a paper by the name just read on it, unless it has a student already. */
export async function assignByNameOnPaper(
  submission: SubmissionDoc,
  name: string | null,
  services: Services,
): Promise<void> {
  const { assignment_id, course_id } = submission
  if (submission.student_id !== null || course_id === null || !name) return
  const student = findMatchingStudent(createMatcher(await loadMatchingRoster(course_id)), submission, name)
  if (!student || (await submissionsByStudent(assignment_id, [student._id])).size > 0) return
  const given = await tryAssign(submission, student, services)
  if (!given) return
  // Two papers with one name, read at the same moment: neither is assigned, a person decides.
  const papers = (await submissionsByStudent(assignment_id, [student._id])).get(student._id) ?? []
  if (papers.length > 1) await assignToStudent(given, null, 'match', services)
}
