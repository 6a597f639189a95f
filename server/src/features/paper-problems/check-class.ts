import { createHash } from 'node:crypto'
import type { ExtractedSubmission } from '../../grader/grader.ts'
import { createYielder } from '../../lib/yielder.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { StoredProblem, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { type CourseStudents, loadCourseStudents } from '../submissions/matching/course-students.ts'
import { checkPaper, withDecisions } from '../submissions/problems/check-paper.ts'
import { fileOwners, findSubmissionsById } from '../submissions/submission-problems.ts'
import { findAnswerWords, ownerHintsOf } from '../transcriptions/answers.service.ts'

const BATCH = 200

/** Checks papers that were read, against each other and the roster; those with nothing wrong have an empty list. */
export async function checkClass(
  assignment: Pick<AssignmentDoc, '_id' | 'course_id'>,
  submissionIds: number[],
): Promise<{ submission: SubmissionDoc; problems: StoredProblem[] }[]> {
  const students = assignment.course_id === null ? null : await loadCourseStudents(assignment.course_id)
  const turn = createYielder()
  const sameAs = await findSameFiles(assignment._id)
  const byContent = new Map<string, { _id: number; student_id: number | null }>()
  const checked: { submission: SubmissionDoc; problems: StoredProblem[] }[] = []
  for (let i = 0; i < submissionIds.length; i += BATCH) {
    const ids = submissionIds.slice(i, i + BATCH)
    const [submissions, answers] = await Promise.all([findSubmissionsById(ids), findAnswerWords(ids)])
    const extractedOf = new Map(answers.map(({ _id, extracted }) => [_id, extracted]))
    for (const submission of submissions) {
      await turn()
      const extracted = extractedOf.get(submission._id)
      if (!extracted) continue
      const content = contentOf(extracted)
      const twin = content === null ? undefined : byContent.get(content)
      if (twin && isOthers(twin, submission)) {
        sameAs.set(submission._id, sameAs.get(submission._id) ?? twin._id)
        sameAs.set(twin._id, sameAs.get(twin._id) ?? submission._id)
      } else if (content !== null) byContent.set(content, submission)
      // Once a teacher has said whose it is, that is no question any more.
      const isSettled = submission.student_set_by === 'teacher' && submission.student_id !== null
      const places = isSettled ? [] : (students?.readPaper(ownerHintsOf(extracted)).places ?? [])
      const found = checkPaper({
        extracted,
        places,
        handedInFor: handedInFor(submission, students),
        sameAs: null,
      })
      checked.push({ submission, problems: found })
    }
  }
  return checked.map(({ submission, problems }) => {
    const other = sameAs.get(submission._id)
    const same: StoredProblem[] =
      other === undefined ? [] : [{ code: 'same_paper', pages: [], other_submission_id: other }]
    return { submission, problems: withDecisions([...problems, ...same], submission.problems) }
  })
}

/** A teacher knows what stands on a paper whose student they chose. */
function handedInFor({ student_id, student_set_by, file }: SubmissionDoc, students: CourseStudents | null) {
  if (student_set_by != null) return null
  return student_id ?? students?.matcher.byFileName(file.name).student?._id ?? null
}

type Owned = Pick<SubmissionDoc, '_id' | 'student_id'>

/** Two papers of one student are none of two, and of one that is nobody’s yet matching decides. */
const isOthers = (a: Owned, b: Owned) => a.student_id !== null && b.student_id !== null && a.student_id !== b.student_id

/** For each submission whose very file another one has too, the other one. */
async function findSameFiles(assignmentId: number): Promise<Map<number, number>> {
  const same = new Map<number, number>()
  for (const owners of Map.groupBy(await fileOwners(assignmentId), ({ file }) => file.hash).values()) {
    for (const one of owners) {
      const other = owners.find((two) => two._id !== one._id && isOthers(one, two))
      if (other) same.set(one._id, other._id)
    }
  }
  return same
}

/** In less text two may well say the same. */
const LEAST_LETTERS = 80

/** Name and answers letter for letter, as of a file saved twice; null where there is too little to tell by. */
function contentOf({ name_on_paper, answers }: Pick<ExtractedSubmission, 'answers' | 'name_on_paper'>): string | null {
  const text = answers.map((answer) => answer.text.trim()).join('\n')
  if (!name_on_paper || text.replace(/\s/g, '').length < LEAST_LETTERS) return null
  return createHash('sha256').update(`${name_on_paper.toLowerCase()}\n${text}`).digest('base64')
}
