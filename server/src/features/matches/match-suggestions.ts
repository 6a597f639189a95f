import type { MatchSuggestion, UnmatchedPaper } from '@assay/shared/matches.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { nameAsRead, namedStudent, type ShowsNames } from '../anonymous-grading/present-student.ts'
import { type CourseStudents, loadCourseStudents } from '../submissions/matching/course-students.ts'
import type { Candidate } from '../submissions/matching/match-student.ts'
import { presentRows } from '../submissions/submission.present.ts'
import { listUnmatchedSubmissions, submissionsByStudent } from '../submissions/submission-owners.ts'
import { type OwnerOnPaper, ownersOnPapers } from '../transcriptions/answers.service.ts'
import { paperEvidence } from './match-submissions.ts'

/** More would not help; the whole roster can be searched too. */
const MAX_SUGGESTIONS = 4

/** A page of the papers without a student, with the students they may belong to. */
export async function listUnmatched(
  assignment: ShowsNames<AssignmentDoc>,
  page: { skip: number; limit: number },
  services: Pick<Services, 'names'>,
): Promise<{ papers: UnmatchedPaper[]; total: number }> {
  const [{ submissions, total }, students] = await Promise.all([
    listUnmatchedSubmissions(assignment._id, page),
    assignment.course_id === null ? null : loadCourseStudents(assignment.course_id),
  ])
  const [rows, owners] = await Promise.all([
    presentRows(assignment, submissions, services),
    ownersOnPapers(submissions.map(({ _id }) => _id)),
  ])
  const found = rows.map((submission) => {
    const owner = owners.get(submission.id)
    const candidates = students ? candidatesFor(students, submission.file_name, owner) : []
    return { submission, name_on_paper: owner?.name ? nameAsRead(assignment, owner.name) : null, candidates }
  })
  const ids = found.flatMap(({ candidates }) => candidates.map(({ student }) => student._id))
  const papers = await submissionsByStudent(assignment._id, ids)
  return {
    total,
    papers: found.map(({ candidates, ...paper }) => ({
      ...paper,
      suggestions: candidates.map((one) => presentSuggestion(assignment, one, papers)),
    })),
  }
}

type Suggested = Pick<Candidate, 'student' | 'reason'>

/** What speaks for less than this is chance. */
const LEAST_SUGGESTED = 2

/** Each student once, with the strongest reason; the strongest candidates first. */
function candidatesFor(students: CourseStudents, fileName: string, owner: OwnerOnPaper | undefined): Suggested[] {
  const strong = paperEvidence(students, fileName, owner).students.filter(({ score }) => score >= LEAST_SUGGESTED)
  const weak = students.matcher.byNamePart(`${fileName.replace(/\.pdf$/i, '')} ${owner?.name ?? ''}`)
  const byStudent = new Map<number, Suggested>()
  for (const one of [...strong, ...weak]) {
    if (!byStudent.has(one.student._id)) byStudent.set(one.student._id, one)
  }
  return [...byStudent.values()].slice(0, MAX_SUGGESTIONS)
}

function presentSuggestion(
  assignment: ShowsNames,
  { student, reason }: Suggested,
  papers: Map<number, number[]>,
): MatchSuggestion {
  return { student: namedStudent(assignment, student), reason, other_paper_id: papers.get(student._id)?.[0] ?? null }
}
