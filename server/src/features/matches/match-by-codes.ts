import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { loadMatchingRoster, type RosterStudent } from '../submissions/matching/matching-roster.ts'
import { findSubmissions } from '../submissions/submission-batches.ts'
import { submissionsByStudent } from '../submissions/submission-owners.ts'
import { printedForStudents } from '../transcriptions/answers.service.ts'
import { tryAssign } from './assign-submission.ts'

/** Only a person changes what a person said or a student has seen. */
export const isSettled = ({ handed_in_by, student_set_by, grade }: SubmissionDoc): boolean =>
  handed_in_by === 'student' || student_set_by != null || grade?.released === true

/** A graded paper keeps its student, with a note that its code was printed for another. */
const mayChange = (submission: SubmissionDoc) =>
  !isSettled(submission) && (submission.student_id === null || submission.grade === null)

/** One that is settled as another's does not count for whom its copy was printed: a student may hand in a forged code. */
const claims = (paper: SubmissionDoc, printedFor: number) =>
  !isSettled(paper) || paper.student_id === null || paper.student_id === printedFor

/**
 * Nobody gets a paper where two have one student's codes, or the student has one without a code. Decided for all papers
 * together once read: otherwise the first of two would be assigned.
 */
export async function matchByCodes(
  assignment: Pick<AssignmentDoc, '_id' | 'course_id'>,
  services: Services,
): Promise<void> {
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
    // First away from wrong students, so that none has two meanwhile.
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
