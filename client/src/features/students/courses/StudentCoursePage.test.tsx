import { getStudentCourse, listStudentAssignments, type StudentAssignment } from '@assay/shared/students.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildStudentCourse } from '../../../testing/build-student-work.ts'
import { emptyErrorReply, errorReply, mockEndpoint, ok, signInAs, student } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'
import { unsetStudentDates } from '../../../testing/unset-dates.ts'

const at = '2026-01-12T14:02:00Z'

const criteria = ['one', 'two', 'three', 'four', 'five', 'six'].map((word, index) => ({
  id: index + 1,
  criterion_text: `Question ${word}`,
  score: 8,
  max_score: 10,
  score_by: 'ai' as const,
  feedback_by: 'ai' as const,
  feedback: `Words on ${word}`,
}))

function assignment(part: Partial<StudentAssignment>): StudentAssignment {
  return {
    id: 1,
    title: 'Forces quiz',
    created_at: at,
    ...unsetStudentDates,
    submission_id: 31,
    submission_date: at,
    has_submission: true,
    is_graded: true,
    overall_score: 80,
    points: { given: 48, of: 60 },
    unscored_points: 0,
    grade_feedback: 'A good paper.',
    feedback_by: 'ai',
    reviewed_by_teacher: false,
    released_at: at,
    criterion_grades: criteria,
    ...part,
  }
}

const noGrade = {
  released_at: null,
  is_graded: false,
  overall_score: null,
  points: null,
  grade_feedback: null,
  criterion_grades: [],
}
const handedIn = assignment({ id: 2, title: 'Energy quiz', ...noGrade })
const missing = assignment({
  id: 3,
  title: 'Waves quiz',
  ...noGrade,
  has_submission: false,
  submission_id: null,
  submission_date: null,
})

beforeEach(() => {
  signInAs(student)
  mockEndpoint(getStudentCourse, () => ok(getStudentCourse, buildStudentCourse()))
})

function open(assignments: StudentAssignment[], path = '/student/courses/7') {
  mockEndpoint(listStudentAssignments, () => ok(listStudentAssignments, assignments))
  return renderPage(path)
}

const article = (name: string) => screen.findByRole('article', { name })

describe('a student’s course', () => {
  it('shows totals, and filters with counts', async () => {
    const app = open([assignment({}), handedIn, missing])
    await article('Forces quiz')
    expect(screen.getByText('33% Complete')).toBeTruthy()
    expect(screen.getByText('Pending').nextElementSibling?.textContent).toBe('2')
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'All Assignments 3',
      'Graded 1',
      'Submitted 1',
      'Not Submitted 1',
    ])
    await userEvent.click(screen.getByRole('tab', { name: /^Submitted/ }))
    await article('Energy quiz')
    expect(screen.queryByText('Forces quiz')).toBeNull()
    expect(app.address()).toBe('/student/courses/7?show=submitted')
  })

  it('shows score, letter, feedback and four criteria, and leads to the rest', async () => {
    open([assignment({})])
    const card = within(await article('Forces quiz'))
    expect(card.getByText('80.0 %')).toBeTruthy()
    expect(card.getByText('B-')).toBeTruthy()
    expect(card.getByText('AI-assisted grade')).toBeTruthy()
    expect(card.getByText('+2 more criteria')).toBeTruthy()
    expect(card.queryByText('Question five')).toBeNull()
    expect(card.queryByText('Words on one')).toBeNull()
    const details = card.getByRole('link', { name: 'View Details of Forces quiz' })
    expect(details.getAttribute('href')).toBe('/student/assignments/1')
    expect(card.queryByText(/set the overall score/)).toBeNull()
  })

  it('says that AI helped, and whom to ask', async () => {
    open([assignment({})])
    expect((await screen.findByRole('note')).textContent).toContain('Request a regrade')
  })

  it('shows whether a grade is the teacher’s or the AI’s, and why the points differ from it', async () => {
    open([assignment({ reviewed_by_teacher: true, points: { given: 57, of: 60 } })])
    const card = within(await article('Forces quiz'))
    expect(card.getByText('reviewed by your instructor')).toBeTruthy()
    expect(card.getByText(/Your instructor set the overall score/)).toBeTruthy()
  })

  it('shows no score while answers are left to grade, and never a 0 for one', async () => {
    const [first, second] = criteria
    if (!first || !second) throw new Error('two criteria')
    const ungraded = { ...first, score: null, feedback: '' }
    open([
      assignment({
        is_graded: false,
        overall_score: null,
        points: null,
        unscored_points: 10,
        criterion_grades: [ungraded, second],
      }),
    ])
    const card = within(await article('Forces quiz'))
    expect(card.getByText('Submitted')).toBeTruthy()
    expect(card.getByText(/Your instructor still has to grade 10 points/)).toBeTruthy()
    expect(card.getByText('Not graded yet / 10')).toBeTruthy()
    expect(card.getByText('8').parentElement?.textContent).toBe('8 / 10')
    expect(card.queryByText(/%/)).toBeNull()
  })

  it('shows points that nobody gave as none, where the teacher set the score', async () => {
    const [first] = criteria
    if (!first) throw new Error('a criterion')
    open([assignment({ overall_score: 70, criterion_grades: [{ ...first, score: null, feedback: '' }] })])
    const card = within(await article('Forces quiz'))
    expect(card.getByText(/Your instructor set the overall score/)).toBeTruthy()
    expect(card.getByText('–').parentElement?.textContent).toBe('– / 10')
    expect(card.queryByText(/Not graded yet/)).toBeNull()
  })

  it('shows nothing of a grade that is not released, and offers only one’s own paper', async () => {
    open([handedIn, missing])
    const waitingOne = within(await article('Energy quiz'))
    expect(waitingOne.getByText('Submitted')).toBeTruthy()
    expect(waitingOne.queryByText(/%/)).toBeNull()
    expect(waitingOne.queryByRole('button', { name: 'View Details' })).toBeNull()
    expect(waitingOne.getByRole('button', { name: 'Download' })).toBeTruthy()
    const missingOne = within(await article('Waves quiz'))
    expect(missingOne.getByText('Not Submitted')).toBeTruthy()
    expect(missingOne.queryByRole('button', { name: 'Download' })).toBeNull()
    expect(screen.queryByRole('note')).toBeNull()
  })

  it('says No Assignments Yet, and No Graded Assignments', async () => {
    open([], '/student/courses/7')
    await screen.findByText('No Assignments Yet')
    await userEvent.click(screen.getByRole('tab', { name: /^Graded/ }))
    await screen.findByText('No Graded Assignments')
  })

  it('says Course Not Found, Invalid course ID and Failed to Load Course', async () => {
    mockEndpoint(getStudentCourse, () => errorReply('resource_not_found'))
    let app = open([])
    await screen.findByRole('heading', { name: 'Course Not Found' })
    app.unmount()
    app = open([], '/student/courses/none')
    await screen.findByRole('heading', { name: 'Invalid course ID' })
    app.unmount()
    mockEndpoint(getStudentCourse, emptyErrorReply)
    open([])
    await screen.findByRole('heading', { name: 'Failed to Load Course', level: 1 })
    expect(screen.getByText('Failed to load course data.')).toBeTruthy()
  })

  it('says beside the button that a download failed', async () => {
    mockEndpoint({ method: 'get', path: '/assignments/:assignmentId/submissions/:submissionId/file' }, () =>
      errorReply('resource_not_found', { detail: 'This paper is no longer stored.' }),
    )
    open([handedIn])
    const card = within(await article('Energy quiz'))
    await userEvent.click(card.getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(card.getByRole('alert').textContent).toContain('no longer stored'))
  })
})
