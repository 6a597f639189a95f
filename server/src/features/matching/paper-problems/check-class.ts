import { createHash } from 'node:crypto'
import type { ExtractedSubmission } from '../../../grader/grader.ts'
import { batchesOf } from '../../../lib/batches.ts'
import { createYielder } from '../../../lib/yielder.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { peopleOf } from '../../../records/submissions/people-of-paper.ts'
import type { StoredProblem, SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { AnswersDoc } from '../../../records/submissions/transcription.model.ts'
import { type CourseStudents, loadCourseStudents } from '../../submissions/matching/course-students.ts'
import { findSubmissions } from '../../submissions/submission-batches.ts'
import { paperOwners } from '../../submissions/submission-queries.ts'
import { findAnswerWords, ownerHintsOf } from '../../transcriptions/answers.service.ts'
import { checkPaper, withDecisions } from './check-paper.ts'

const BATCH = 200

export async function checkClass(
  assignment: Pick<AssignmentDoc, '_id' | 'course_id'>,
  submissionIds: number[],
): Promise<{ submission: SubmissionDoc; problems: StoredProblem[] }[]> {
  const students = assignment.course_id === null ? null : await loadCourseStudents(assignment.course_id, assignment._id)
  const turn = createYielder()
  const sameAs = await findSamePapers(assignment._id, turn)
  const checked: { submission: SubmissionDoc; problems: StoredProblem[] }[] = []
  for (const ids of batchesOf(submissionIds, BATCH)) {
    const [submissions, answers] = await Promise.all([findSubmissions(ids), findAnswerWords(ids)])
    const readOf = new Map(answers.map((one) => [one._id, one]))
    for (const submission of submissions) {
      await turn()
      const read = readOf.get(submission._id)
      if (!read) continue
      const { extracted, printed_for } = read
      const isSettled = submission.student_set_by === 'teacher' && submission.student_id !== null
      const places = isSettled ? [] : (students?.readPaper(ownerHintsOf(extracted)).places ?? [])
      const found = checkPaper({
        extracted,
        places,
        handedInFor: handedInFor(submission, students),
        printedForOther: isOthersCopy(submission, printed_for) ? printed_for.pages : [],
        sameAs: sameAs.get(submission._id) ?? null,
      })
      checked.push({ submission, problems: withDecisions(found, submission.problems) })
    }
  }
  return checked
}

/** A teacher who chose the student knows what is on the paper. */
function handedInFor({ student_id, student_set_by, file, split_from }: SubmissionDoc, students: CourseStudents | null) {
  if (student_set_by != null) return null
  const named = split_from === undefined ? students?.matcher.byFileName(file.name).student?._id : undefined
  const student = student_id ?? named ?? null
  return student === null ? null : (students?.standsFor.get(student)?._id ?? student)
}

type PrintedFor = NonNullable<AnswersDoc['printed_for']>

const isOthersCopy = (submission: SubmissionDoc, printedFor: PrintedFor | null | undefined): printedFor is PrintedFor =>
  printedFor != null && submission.student_id !== null && !peopleOf(submission).includes(printedFor.student_id)

type Owned = Pick<SubmissionDoc, '_id' | 'student_id' | 'partner_ids'>

/** Only for two known students: of an unassigned paper matching decides. */
const isOthers = (a: Owned, b: Owned) =>
  a.student_id !== null && b.student_id !== null && !peopleOf(a).some((id) => peopleOf(b).includes(id))

/** Against all papers: the other may be graded already, or held since before a restart. */
async function findSamePapers(assignmentId: number, turn: ReturnType<typeof createYielder>) {
  const owners = await paperOwners(assignmentId)
  const ownerOf = new Map(owners.map((one) => [one._id, one]))
  const byContent = new Map<string, Owned[]>()
  const named = new Set<number>()
  for (const batch of batchesOf(owners, BATCH)) {
    for (const { _id, extracted } of await findAnswerWords(batch.map(({ _id }) => _id))) {
      await turn()
      const [owner, content] = [ownerOf.get(_id), contentOf(extracted)]
      if (extracted.name_on_paper) named.add(_id)
      if (owner && content !== null) byContent.set(content, [...(byContent.get(content) ?? []), owner])
    }
  }
  const same = new Map<number, number>()
  // A name cannot be both students'. Without one it may be the blank, and similarity finds copied answers.
  const ofNamed = owners.filter(({ _id }) => named.has(_id))
  const byFile = Map.groupBy(ofNamed, ({ file }) => file.hash)
  for (const group of [...byFile.values(), ...byContent.values()]) {
    for (const one of group) {
      const other = group.find((two) => isOthers(one, two))
      if (other && !same.has(one._id)) same.set(one._id, other._id)
    }
  }
  return same
}

const LEAST_LETTERS = 80

/** To the letter, as of a file saved twice; null for too little text. */
function contentOf({ name_on_paper, answers }: Pick<ExtractedSubmission, 'answers' | 'name_on_paper'>): string | null {
  const text = answers.map((answer) => answer.text.trim()).join('\n')
  if (!name_on_paper || text.replace(/\s/g, '').length < LEAST_LETTERS) return null
  return createHash('sha256').update(`${name_on_paper.toLowerCase()}\n${text}`).digest('base64')
}
