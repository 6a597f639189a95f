import type { CriterionGrade, Grade } from '@assay/shared/grades.ts'
import type { Submission, SubmissionCounts, SubmissionRow } from '@assay/shared/submissions.ts'
import type { Unbranded } from '@assay/shared/users.ts'
import { branded } from './branded.ts'

export const buildSubmissionRow = (part: Partial<Unbranded<SubmissionRow>> & { id: number }): SubmissionRow =>
  branded<SubmissionRow>({
    assignment_id: 5,
    student_identifier: `paper-${part.id}`,
    student: null,
    file_name: `paper-${part.id}.pdf`,
    page_count: 1,
    is_handwritten: false,
    status: 'graded',
    failure: null,
    grade: { id: part.id + 100, revision: 1 },
    overall_score: 80,
    final_score_after_review: 80,
    manual_score_override: null,
    unscored_points: 0,
    points: null,
    needs_review: false,
    review_summary: null,
    reviewed: false,
    released: false,
    regrade: null,
    handed_in_by: 'teacher',
    earlier_attempts: 0,
    late: false,
    created_at: '2026-01-12T14:02:00Z',
    ...part,
  })

export const buildSubmissionCounts = (part: Partial<SubmissionCounts> = {}): SubmissionCounts => ({
  all: 1,
  graded: 0,
  flagged: 0,
  held: 0,
  suggested: 0,
  reviewed: 0,
  by_hand: 0,
  failed: 0,
  failed_files: 0,
  pending: 0,
  unmatched: 0,
  late: 0,
  regrade: 0,
  unreleased: 0,
  unreleased_matched: 0,
  unreleased_reviewed: 0,
  unapproved: 0,
  outdated: 0,
  graded_unmatched: 0,
  retained: 0,
  ...part,
})

export function buildCriterion(part: Partial<CriterionGrade> = {}): CriterionGrade {
  return {
    id: 41,
    criterion_id: 'q1',
    question_id: 'q1',
    criterion_text: 'Why does ice float on water?',
    score: 3,
    max_score: 5,
    llm_performance_level: 'partial',
    llm_feedback: 'Density is right; say why the molecules are apart.',
    confidence: 0.9,
    evidence: [
      { page: 1, box: { x: 60, y: 200, width: 300, height: 11 }, quote: 'it is less dense because' },
      { page: 1, box: { x: 60, y: 220, width: 120, height: 11 }, quote: 'of hydrogen bonds' },
    ],
    ...part,
  }
}

export function buildGrade(part: Partial<Grade> = {}): Grade {
  return {
    id: 9,
    overall_score: 82.5,
    manual_score_override: null,
    override_from_points: false,
    final_score_after_review: 82.5,
    unscored_points: 0,
    points: { given: 8.25, of: 10 },
    manual_feedback: null,
    needs_review: true,
    review_reasons: [
      { code: 'low_confidence', message: 'The grader is unsure of the points for question 2.', question_id: 'q2' },
    ],
    revision: 1,
    llm_summary_feedback: 'A good paper.',
    confidence: 0.8,
    criterion_grades_collection: [
      buildCriterion(),
      buildCriterion({
        id: 42,
        criterion_id: 'q2',
        question_id: 'q2',
        criterion_text: 'Name the bonds in a water molecule.',
        confidence: 0.5,
        evidence: [{ page: 2, box: { x: 60, y: 90, width: 80, height: 11 }, quote: 'covalent' }],
      }),
    ],
    grader: { name: 'offline', version: '1' },
    graded_at: '2026-01-12T14:02:00Z',
    reviewed_at: null,
    released: false,
    ...part,
  }
}

/** Submission 31 of assignment 5, the second of three. */
export function buildSubmission(part: Partial<Unbranded<Submission>> = {}): Submission {
  const grade = part.grade === undefined ? buildGrade() : part.grade
  return branded<Submission>({
    ...buildSubmissionRow({ id: 31 }),
    student_identifier: 'ada',
    student: { id: 2, username: 'ada', full_name: 'Ada Mutombo' },
    file_name: 'ada.pdf',
    page_count: 2,
    overall_score: grade?.overall_score ?? null,
    final_score_after_review: grade?.final_score_after_review ?? null,
    manual_score_override: grade?.manual_score_override ?? null,
    unscored_points: grade?.unscored_points ?? 0,
    points: grade?.points ?? null,
    needs_review: grade?.needs_review ?? false,
    turned_pages: [],
    position: 2,
    total: 3,
    previous_id: 30,
    next_id: 32,
    ...part,
    grade,
  })
}
