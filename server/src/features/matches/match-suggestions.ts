import type { MatchSuggestion, UnmatchedPaper } from '@assay/shared/matches.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type Candidate, createMatcher, type Matcher } from '../submissions/matching/match-student.ts'
import { loadMatchingRoster } from '../submissions/matching/matching-roster.ts'
import { presentRows } from '../submissions/submission.present.ts'
import { listUnmatchedSubmissions, submissionsByStudent } from '../submissions/submission-owners.ts'
import { namesOnPapers } from '../transcriptions/answers.service.ts'

/** More would not help; the whole roster can be searched too. */
const MAX_SUGGESTIONS = 4

/** A page of the papers without a student, with the students they may belong to. */
export async function listUnmatched(
  assignment: Pick<AssignmentDoc, '_id' | 'course_id'>,
  page: { skip: number; limit: number },
): Promise<{ papers: UnmatchedPaper[]; total: number }> {
  const [{ submissions, total }, roster] = await Promise.all([
    listUnmatchedSubmissions(assignment._id, page),
    assignment.course_id === null ? [] : loadMatchingRoster(assignment.course_id),
  ])
  const [rows, names] = await Promise.all([presentRows(submissions), namesOnPapers(submissions.map(({ _id }) => _id))])
  const matcher = createMatcher(roster)
  const found = rows.map((submission) => {
    const name_on_paper = names.get(submission.id) ?? null
    return {
      submission,
      name_on_paper,
      candidates: candidatesFor(matcher, submission.file_name, name_on_paper),
    }
  })
  const students = found.flatMap(({ candidates }) => candidates.map(({ student }) => student._id))
  const papers = await submissionsByStudent(assignment._id, students)
  return {
    total,
    papers: found.map(({ candidates, ...paper }) => ({
      ...paper,
      suggestions: candidates.map((one) => presentSuggestion(one, papers)),
    })),
  }
}

/** Each student once, with the strongest reason; the strongest candidates first. */
function candidatesFor(matcher: Matcher, fileName: string, name: string | null): Candidate[] {
  const strong = [...matcher.byFileName(fileName).candidates, ...(name ? matcher.byName(name).candidates : [])]
  const weak = matcher.byNamePart(`${fileName.replace(/\.pdf$/i, '')} ${name ?? ''}`)
  const byStudent = new Map<number, Candidate>()
  for (const one of [...strong, ...weak]) {
    if (!byStudent.has(one.student._id)) byStudent.set(one.student._id, one)
  }
  return [...byStudent.values()].slice(0, MAX_SUGGESTIONS)
}

function presentSuggestion({ student, reason }: Candidate, papers: Map<number, number[]>): MatchSuggestion {
  const { _id: id, username, full_name } = student
  return { student: { id, username, full_name }, reason, other_paper_id: papers.get(id)?.[0] ?? null }
}
