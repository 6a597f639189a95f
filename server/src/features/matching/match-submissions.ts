import type { MatchReason } from '@assay/shared/match-reasons.ts'
import { type AuditActor, recordAudit, SYSTEM_ACTOR } from '../../audit/audit.service.ts'
import { isDuplicateKeyError } from '../../lib/database/database.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { createYielder } from '../../lib/yielder.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { isHandInTimeKnown } from '../../records/submissions/hand-in-time.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { assignmentsOfCourse, requireAssignment } from '../assignments/assignment.service.ts'
import { reassignRelease, removeReleaseOwners } from '../grades/release.service.ts'
import {
  type CourseStudents,
  cachedCourseStudents,
  loadCourseStudents,
} from '../submissions/matching/course-students.ts'
import { identifierFromFileName } from '../submissions/matching/match-student.ts'
import { loadMatchingRoster, type RosterStudent } from '../submissions/matching/name-index.ts'
import { matchClass, type PaperEvidence } from '../submissions/matching/paper-evidence.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { recomputeLateness } from '../submissions/submission.service.ts'
import { findSubmissions, submissionBatches } from '../submissions/submission-batches.ts'
import {
  type AssignedBy,
  listUnmatchedSubmissions,
  removeSubmissionOwners,
  setSubmissionOwner,
  setSubmissionsCourse,
  settleOwner,
  submissionsByStudent,
} from '../submissions/submission-owners.ts'
import { type OwnerOnPaper, ownersOnPapers, printedForStudents } from '../transcriptions/answers.service.ts'

const BATCH = 500

type AssignmentRef = Pick<AssignmentDoc, '_id' | 'course_id'>

/** A student with a paper gets no second one. No name overrides a printed copy's owner: `matchByCodes` decides. */
export async function matchSubmissions(assignment: AssignmentRef, services: Services): Promise<SubmissionDoc[]> {
  if (assignment.course_id === null) return []
  const students = await loadCourseStudents(assignment.course_id, assignment._id)
  const { roster } = students
  const ids = new Set(roster.map(({ _id }) => _id))
  const papers = new Map<SubmissionDoc, PaperEvidence>()
  const claimed = new Set<number>()
  const turn = createYielder()
  for await (const batch of submissionBatches(assignment._id, BATCH, 'unmatched')) {
    const owners = await ownersOnPapers(batch.map(({ _id }) => _id))
    for (const submission of batch) {
      await turn()
      const owner = owners.get(submission._id)
      const printedFor = owner?.printedFor ?? null
      if (printedFor !== null && ids.has(printedFor)) claimed.add(printedFor)
      else papers.set(submission, paperEvidence(students, givenFileName(submission), owner))
    }
  }
  const owned = await submissionsByStudent(assignment._id, [...ids])
  const taken = [...owned.keys(), ...claimed]
  const matched: SubmissionDoc[] = []
  for (const [submission, { student, reason }] of matchClass(papers, { rosterSize: roster.length, taken })) {
    const assigned = await tryAssign(submission, student, reason, services)
    if (assigned) matched.push(assigned)
  }
  return matched
}

export async function matchCourse(courseId: number, services: Services): Promise<void> {
  for (const assignment of await assignmentsOfCourse(courseId, { publishedOnly: false })) {
    const { total } = await listUnmatchedSubmissions(assignment._id, { skip: 0, limit: 1 })
    if (total > 0) await matchSubmissions(assignment, services)
  }
}

const givenFileName = ({ file, split_from }: SubmissionDoc) => (split_from === undefined ? file.name : null)

export function paperEvidence(
  { matcher, readPaper }: Pick<CourseStudents, 'matcher' | 'readPaper'>,
  /** Null where we have made the name. */
  fileName: string | null,
  owner: OwnerOnPaper | undefined,
): PaperEvidence {
  return readPaper(owner?.hints ?? [], fileName === null ? [] : matcher.byFileName(fileName).candidates)
}

/** Codes are decided once all papers have been read. */
export async function unmatchIfOthers(submission: SubmissionDoc, owner: OwnerOnPaper, services: Services) {
  const { student_id, course_id } = submission
  if (student_id === null || course_id === null || isSettled(submission)) return
  const { readPaper, roster } = await cachedCourseStudents(course_id, submission.assignment_id)
  if (roster.some(({ _id }) => _id === owner.printedFor)) return
  const { told } = readPaper(owner.hints)
  const isTold = told.some(({ student }) => peopleOf(submission).includes(student._id))
  const [other] = told
  if (other && !isTold) await assignToStudent(submission, null, { match: other.reason }, services)
}

/** Only a person changes what a person said or a student has seen. */
const isSettled = ({ handed_in_by, student_set_by, grade }: SubmissionDoc): boolean =>
  handed_in_by === 'student' || student_set_by != null || grade?.released === true

/** A graded paper keeps its student, with a note that its code was printed for another. */
const mayChange = (submission: SubmissionDoc) =>
  !isSettled(submission) && (submission.student_id === null || submission.grade === null)

/** A paper settled as another's does not count: a student may hand in a forged code. */
const claims = (paper: SubmissionDoc, printedFor: number) =>
  !isSettled(paper) || paper.student_id === null || paper.student_id === printedFor

/**
 * Not where two have one student's codes, or the student has a paper without one. Decided for all papers together:
 * otherwise the first of two would be assigned.
 */
export async function matchByCodes(assignment: Pick<AssignmentDoc, '_id' | 'course_id'>, services: Services) {
  if (assignment.course_id === null) return
  const printed = new Map((await printedForStudents(assignment._id)).map((one) => [one.submissionId, one]))
  if (printed.size === 0) return
  const students = new Map((await loadMatchingRoster(assignment.course_id)).map((one) => [one._id, one]))
  const found = await findSubmissions([...printed.keys()])
  const coded = found.flatMap((paper) => {
    const read = printed.get(paper._id)
    const student = students.get(read?.studentId ?? 0)
    return student && read?.fileHash === paper.file.hash ? [{ paper, student }] : []
  })
  const open = coded.filter(({ paper }) => mayChange(paper))
  const leaving = new Set(open.flatMap(({ paper, student }) => (paper.student_id === student._id ? [] : [paper._id])))
  const owned = await submissionsByStudent(assignment._id, [...students.keys()])
  const wanted: { paper: SubmissionDoc; owner: RosterStudent }[] = []
  for (const { paper, student } of open) {
    const isAnother = ({ _id }: { _id: number }) => _id !== paper._id
    const claimed = coded.some(
      (one) => one.student === student && isAnother(one.paper) && claims(one.paper, student._id),
    )
    const has = owned.get(student._id)?.some((id) => id !== paper._id && !leaving.has(id)) ?? false
    const owner = claimed || has ? null : student
    if (paper.student_id === (owner?._id ?? null)) continue
    // First away from wrong students, so that none has two.
    const free = paper.student_id === null ? paper : await tryAssign(paper, null, 'page_code', services)
    if (free && owner) wanted.push({ paper: free, owner })
  }
  for (const { paper, owner } of wanted) {
    const given = await tryAssign(paper, owner, 'page_code', services)
    // A teacher may have given the student another paper at this moment.
    const papers = given ? await submissionsByStudent(assignment._id, [owner._id]) : null
    if (given && (papers?.get(owner._id)?.length ?? 0) > 1) await tryAssign(given, null, 'page_code', services)
  }
}

/** Papers of students outside the new course are unassigned until matched again. Idempotent. */
export async function moveSubmissionsToCourse({ _id }: Pick<AssignmentDoc, '_id'>, courseId: number | null) {
  await setSubmissionsCourse(_id, courseId)
  const roster = await loadMatchingRoster(courseId)
  const studentIds = roster.map((student) => student._id)
  await removeSubmissionOwners(_id, studentIds)
  await removeReleaseOwners(_id, studentIds)
}

interface SubmissionOwner {
  _id: number
  username: string
}

/** Null if changed meanwhile. Matches never change what a teacher assigned. @throws {AppError} `duplicate` */
export async function assignToStudent(
  submission: SubmissionDoc,
  owner: SubmissionOwner | null,
  by: { teacher: AuditActor } | { match: MatchReason },
  services: Services,
): Promise<SubmissionDoc | null> {
  const identifier = owner?.username ?? identifierFromFileName(submission.file.name)
  try {
    const next = { student_id: owner?._id ?? null, student_identifier: identifier }
    const assignedBy: AssignedBy = 'teacher' in by ? 'teacher' : by
    const changed = await setSubmissionOwner(submission, next, assignedBy, services.clock.now())
    if (!changed) return null
    await auditOwner(submission, changed, by, services.clock.now())
    // Another student may have an extension.
    if (isHandInTimeKnown(changed)) await recomputeLateness(await requireAssignment(changed.assignment_id), owner?._id)
    const settled = 'teacher' in by && owner ? await settleOwner(changed, services.clock.now()) : null
    const given = settled ?? changed
    // After the submission: a release in progress checks its owner again at the end.
    await reassignRelease(given)
    await markScoresChanged(given.assignment_id)
    await notifySubmissionChanged(given, services)
    return given
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error
    throw new AppError('duplicate', `This file has already been uploaded as a paper of ${identifier}.`, {
      cause: error,
    })
  }
}

/** Null also when the student has the same file: a person decides then. */
export async function tryAssign(
  submission: SubmissionDoc,
  owner: SubmissionOwner | null,
  by: MatchReason | { teacher: AuditActor },
  services: Services,
): Promise<SubmissionDoc | null> {
  return assignToStudent(submission, owner, typeof by === 'string' ? { match: by } : by, services).catch(
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'duplicate') return null
      throw error
    },
  )
}

function auditOwner(
  { student_id: was }: SubmissionDoc,
  { _id, assignment_id, student_id }: SubmissionDoc,
  by: Parameters<typeof assignToStudent>[2],
  now: Date,
): Promise<void> {
  const about = student_id ?? was
  const subject = { assignment_id, submission_id: _id, ...(about === null ? {} : { student_id: about }) }
  const [actor, why] = 'teacher' in by ? [by.teacher, {}] : [SYSTEM_ACTOR, { reason: by.match }]
  const change = { before: { student_id: was }, after: { student_id, ...why } }
  return recordAudit(actor, 'submission.student_set', subject, now, change)
}
