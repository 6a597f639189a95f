import { AppError } from '../../lib/http/app-error.ts'
import { createYielder } from '../../lib/yielder.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import {
  type CourseStudents,
  cachedCourseStudents,
  loadCourseStudents,
} from '../submissions/matching/course-students.ts'
import type { Evidence } from '../submissions/matching/hint-evidence.ts'
import { matchClass } from '../submissions/matching/match-class.ts'
import type { PaperEvidence } from '../submissions/matching/paper-evidence.ts'
import { submissionBatches } from '../submissions/submission-batches.ts'
import { submissionsByStudent } from '../submissions/submission-owners.ts'
import { type OwnerOnPaper, ownersOnPapers } from '../transcriptions/answers.service.ts'
import { assignToStudent } from './assign-submission.ts'

const BATCH = 500

type AssignmentRef = Pick<AssignmentDoc, '_id' | 'course_id'>

/**
 * Matches the papers without a student, all of them together: papers have been read since, or the roster has grown. A student who has
 * a paper gets no second one, and if two papers tell of one student, neither is assigned.
 */
export async function matchSubmissions(assignment: AssignmentRef, services: Services): Promise<SubmissionDoc[]> {
  if (assignment.course_id === null) return []
  const students = await loadCourseStudents(assignment.course_id)
  const { roster } = students
  const papers = new Map<SubmissionDoc, PaperEvidence>()
  const turn = createYielder()
  for await (const batch of submissionBatches(assignment._id, BATCH, 'unmatched')) {
    const owners = await ownersOnPapers(batch.map(({ _id }) => _id))
    for (const submission of batch) {
      await turn()
      papers.set(submission, paperEvidence(students, givenFileName(submission), owners.get(submission._id)))
    }
  }
  const taken = await submissionsByStudent(
    assignment._id,
    roster.map(({ _id }) => _id),
  )
  const matched: SubmissionDoc[] = []
  for (const [submission, owner] of matchClass(papers, { rosterSize: roster.length, taken: taken.keys() })) {
    const assigned = await tryAssign(submission, owner, services)
    if (assigned) matched.push(assigned)
  }
  return matched
}

const givenFileName = ({ file, split_from }: SubmissionDoc) => (split_from === undefined ? file.name : null)

/** What a paper and its file's name tell together. */
export function paperEvidence(
  { matcher, readPaper }: Pick<CourseStudents, 'matcher' | 'readPaper'>,
  /** Null where it is of our making. */
  fileName: string | null,
  owner: OwnerOnPaper | undefined,
): PaperEvidence {
  return readPaper(owner?.hints ?? [], fileName === null ? [] : matcher.byFileName(fileName).candidates)
}

/** Null also when the student has the same file already: a person decides then. */
async function tryAssign(submission: SubmissionDoc, { student, reason }: Evidence, services: Services) {
  try {
    return await assignToStudent(submission, student, { match: reason }, services)
  } catch (error) {
    if (error instanceof AppError && error.code === 'duplicate') return null
    throw error
  }
}

/** What a person said, and what a student has seen, only a person changes. */
const isSettled = ({ handed_in_by, student_set_by, grade }: SubmissionDoc) =>
  handed_in_by === 'student' || student_set_by != null || grade?.released === true

/** Gives a paper to the student whose printed copy it is, whatever its file is called; to nobody where that student has a paper. */
export async function matchByCode(submission: SubmissionDoc, studentId: number, services: Services): Promise<void> {
  const { student_id, assignment_id, course_id } = submission
  if (student_id === studentId || course_id === null || isSettled(submission)) return
  const { roster } = await cachedCourseStudents(course_id, services)
  const student = roster.find(({ _id }) => _id === studentId)
  if (!student) return
  const taken = await submissionsByStudent(assignment_id, [studentId])
  const owner = taken.size > 0 ? null : student
  if (owner === null && student_id === null) return
  try {
    await assignToStudent(submission, owner, { match: 'page_code' }, services)
  } catch (error) {
    // The same file twice: a person decides.
    if (!(error instanceof AppError) || error.code !== 'duplicate') throw error
  }
}

/** Takes a paper back from the student whose its file's name says it is, when what was just read on it tells of another. */
export async function unmatchIfOthers(
  submission: SubmissionDoc,
  owner: OwnerOnPaper,
  services: Services,
): Promise<void> {
  const { student_id, course_id } = submission
  if (student_id === null || course_id === null || isSettled(submission)) return
  const { readPaper } = await cachedCourseStudents(course_id, services)
  const { told } = readPaper(owner.hints)
  const isTold = told.some(({ student }) => student._id === student_id)
  const [other] = told
  if (other && !isTold) await assignToStudent(submission, null, { match: other.reason }, services)
}
