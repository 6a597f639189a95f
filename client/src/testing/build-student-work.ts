import type { RecentGrade, StudentAssignmentDetails, StudentCourse } from '@assay/shared/students.ts'
import { unsetStudentDates } from './unset-dates.ts'

const at = '2026-01-12T14:02:00Z'

export function buildStudentCourse(part: Partial<StudentCourse> = {}): StudentCourse {
  return {
    id: 7,
    name: 'Physics',
    course_code: 'PHY-1',
    description: null,
    assignment_count: 3,
    graded_assignment_count: 1,
    average: { score: 82.5, grades: 1 },
    enrolled_at: at,
    ...part,
  }
}

export function buildRecentGrade(part: Partial<RecentGrade> = {}): RecentGrade {
  return {
    assignment_id: 1,
    assignment_title: 'Quiz 1',
    course_id: 7,
    course_name: 'Physics',
    overall_score: 91,
    points: { given: 36.4, of: 40 },
    grade_feedback: 'Well done.',
    graded_at: at,
    ...part,
  }
}

/** Published and not handed in yet. */
export function buildStudentAssignment(part: Partial<StudentAssignmentDetails> = {}): StudentAssignmentDetails {
  return {
    id: 5,
    title: 'Forces quiz',
    created_at: at,
    ...unsetStudentDates,
    submission_id: null,
    submission_date: null,
    has_submission: false,
    is_graded: false,
    overall_score: null,
    points: null,
    unscored_points: 0,
    grade_feedback: null,
    feedback_by: null,
    reviewed_by_teacher: false,
    released_at: null,
    course: { id: 7, name: 'Physics', course_code: 'PHY-1' },
    paper: null,
    turned_pages: [],
    earlier_attempts: [],
    regrades: [],
    can_ask_regrade: false,
    points_amended: [],
    criterion_grades: [],
    ...part,
  }
}

export function buildSubmittedAssignment(part: Partial<StudentAssignmentDetails> = {}): StudentAssignmentDetails {
  return buildStudentAssignment({
    submission_id: 31,
    submission_date: at,
    has_submission: true,
    paper: { file_name: 'forces.pdf', handed_in_by: 'student' },
    ...part,
  })
}

export function buildReleasedAssignment(part: Partial<StudentAssignmentDetails> = {}): StudentAssignmentDetails {
  return buildSubmittedAssignment({
    is_graded: true,
    overall_score: 80,
    points: { given: 16, of: 20 },
    grade_feedback: 'A good paper.',
    feedback_by: 'ai',
    released_at: at,
    can_hand_in: false,
    can_ask_regrade: true,
    points_amended: [],
    criterion_grades: [
      {
        id: 41,
        criterion_text: 'Why does ice float?',
        score: 8,
        max_score: 10,
        score_by: 'ai',
        feedback_by: 'ai',
        feedback: 'Say why the molecules are apart.',
        evidence: [{ page: 1, box: { x: 60, y: 200, width: 300, height: 11 }, quote: 'it is less dense' }],
      },
      {
        id: 42,
        criterion_text: 'Name the bonds.',
        score: 8,
        max_score: 10,
        score_by: 'ai',
        feedback_by: 'ai',
        feedback: 'Right.',
        evidence: [],
      },
    ],
    ...part,
  })
}
