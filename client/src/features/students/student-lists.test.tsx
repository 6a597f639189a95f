import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import {
  acceptEnrollment,
  declineEnrollment,
  getStudentCourse,
  getStudentDashboard,
  joinCourse,
  listStudentAssignments,
} from '@assay/shared/students.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  buildRecentGrade,
  buildReleasedAssignment,
  buildStudentAssignment,
  buildStudentCourse,
} from '../../testing/build-student-work.ts'
import { errorReply, mockEndpoint, ok, signInAs, student } from '../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../testing/render.tsx'
import { nextGradeOrder, sortGrades } from './grades/GradeTable.tsx'

type Dashboard = ReplyOf<typeof getStudentDashboard>

beforeEach(() => signInAs(student))

function serve({ average_score = null, ...part }: Partial<Dashboard> & { average_score?: number | null }) {
  const nothing = { total_assignments: 0, graded_assignments: part.recent_grades?.length ?? 0, average_score }
  const grade_summary = { ...nothing, total_points_earned: 0, total_points_possible: 0 }
  mockEndpoint(getStudentDashboard, () =>
    ok(getStudentDashboard, { courses: [], recent_grades: [], grade_summary, ...part }),
  )
}

describe('all courses', () => {
  it('shows every one', async () => {
    serve({ courses: [1, 2, 3, 4, 5, 6].map((id) => buildStudentCourse({ id, name: `Course ${id}` })) })
    renderPage('/student/courses')
    await screen.findByRole('heading', { name: 'My Courses' })
    expect(await screen.findAllByRole('article')).toHaveLength(6)
    expect(screen.getByRole('link', { name: 'Join Course' }).getAttribute('href')).toBe('/student/join-course')
  })

  it.each([
    ['Accept', acceptEnrollment, () => ok(acceptEnrollment, buildStudentCourse())],
    ['Decline', declineEnrollment, () => ok(declineEnrollment, { message: 'You were not enrolled.' })],
  ] as const)('asks whether to be enrolled: %s', async (name, endpoint, reply) => {
    serve({ enrollment_requests: [{ course_id: 9, course_name: 'Optics' }] })
    renderPage('/student/courses')
    expect((await screen.findByRole('note')).textContent).toContain('Optics would like to enrol you.')
    mockEndpoint(endpoint, () => {
      serve({})
      return reply()
    })
    await userEvent.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('note')).toBeNull())
  })

  it('says what to do where there is none, and what failed', async () => {
    serve({})
    const app = renderPage('/student/courses')
    expect((await screen.findByRole('link', { name: 'Join a Course' })).getAttribute('href')).toBe(
      '/student/join-course',
    )
    app.unmount()
    mockEndpoint(getStudentDashboard, () => errorReply('unexpected_error'))
    renderPage('/student/courses')
    await screen.findByText('Failed to Load Courses')
    expect(screen.getByText('Failed to load course data.')).toBeTruthy()
  })
})

const grades = [
  buildRecentGrade({ assignment_id: 1, assignment_title: 'Quiz 1', overall_score: 91 }),
  buildRecentGrade({
    assignment_id: 2,
    assignment_title: 'Essay',
    course_id: 8,
    course_name: 'Biology',
    overall_score: 70,
    points: { given: 28, of: 40 },
    graded_at: '2026-01-20T14:02:00Z',
  }),
]

describe('all grades', () => {
  const rows = () =>
    within(screen.getByRole('table'))
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)

  it('stand newest first, with letters and their average, and sort by every column', async () => {
    const courses = [buildStudentCourse(), buildStudentCourse({ id: 8, name: 'Biology' })]
    serve({ recent_grades: grades, courses, average_score: 80.5 })
    renderPage('/student/grades')
    await screen.findByRole('table')
    expect(rows()).toEqual([expect.stringContaining('Essay'), expect.stringContaining('Quiz 1')])
    expect(screen.getByText('80.5 %')).toBeTruthy()
    expect(screen.getByText('C-')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Score' }))
    expect(rows()[0]).toContain('Quiz 1')
    expect(screen.getByRole('columnheader', { name: 'Score' }).getAttribute('aria-sort')).toBe('descending')
    expect(screen.getByText('Table sorted by Score in descending order')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Score' }))
    expect(rows()[0]).toContain('Essay')
  })

  it('can be filtered by course, with the filter in the URL', async () => {
    serve({ recent_grades: grades, courses: [buildStudentCourse(), buildStudentCourse({ id: 8, name: 'Biology' })] })
    const app = renderPage('/student/grades')
    await userEvent.selectOptions(await screen.findByLabelText('Course'), 'Biology')
    expect(rows()).toHaveLength(1)
    expect(app.address()).toBe('/student/grades?course=8')
    expect(screen.getByText('Average in Biology')).toBeTruthy()
  })

  it('say what to expect where there is none, and what failed', async () => {
    serve({ courses: [buildStudentCourse()] })
    const app = renderPage('/student/grades')
    await screen.findByText('No Grades Yet')
    app.unmount()
    mockEndpoint(getStudentDashboard, () => errorReply('service_unavailable'))
    renderPage('/student/grades')
    await screen.findByText('Failed to Load Grades')
  })
})

describe('the grades of a course', () => {
  beforeEach(() => {
    mockEndpoint(getStudentCourse, () => ok(getStudentCourse, buildStudentCourse()))
  })

  it('show their average and lead to the papers', async () => {
    const assignments = [
      buildReleasedAssignment(),
      buildReleasedAssignment({ id: 8 }),
      buildStudentAssignment({ id: 6, title: 'Waves quiz' }),
    ]
    mockEndpoint(listStudentAssignments, () => ok(listStudentAssignments, assignments))
    renderPage('/student/courses/7/grades')
    await screen.findByRole('heading', { name: 'Grades in Physics' })
    const [link] = await screen.findAllByRole('link', { name: 'Forces quiz' })
    expect(link?.getAttribute('href')).toBe('/student/assignments/5')
    expect(screen.queryByText('Waves quiz')).toBeNull()
    const words = screen.getByText('Great performance!', { exact: false }).textContent
    expect(words).toBe('Great performance! · of 1 grade · 1 grade does not count')
  })

  it('say what to expect where there is none, and Course Not Found', async () => {
    mockEndpoint(listStudentAssignments, () => ok(listStudentAssignments, [buildStudentAssignment()]))
    const app = renderPage('/student/courses/7/grades')
    await screen.findByText('No Grades Yet')
    app.unmount()
    mockEndpoint(getStudentCourse, () => errorReply('resource_not_found'))
    renderPage('/student/courses/7/grades')
    await screen.findByRole('heading', { name: 'Course Not Found' })
  })
})

describe('joining a course', () => {
  const type = async (code: string) => {
    await fillIn(await screen.findByLabelText('Course code'), code)
    await userEvent.click(screen.getByRole('button', { name: 'Join Course' }))
  }

  it('takes the code in any shape and opens the course', async () => {
    serve({})
    mockEndpoint(joinCourse, () => ok(joinCourse, buildStudentCourse()))
    mockEndpoint(getStudentCourse, () => ok(getStudentCourse, buildStudentCourse()))
    mockEndpoint(listStudentAssignments, () => ok(listStudentAssignments, []))
    const app = renderPage('/student/join-course')
    await type('k7qm 3xpb')
    await screen.findByRole('heading', { name: 'Physics' })
    expect(app.address()).toBe('/student/courses/7')
  })

  it('says at the field what is wrong, and keeps what was typed', async () => {
    mockEndpoint(joinCourse, () => errorReply('resource_not_found', { detail: 'No course has this code.' }))
    renderPage('/student/join-course')
    await type('k7')
    expect(screen.getByText(/A course code has 8 letters and digits/)).toBeTruthy()
    await type('QM3XPB')
    await screen.findByText('No course has this code.')
    expect(screen.getByDisplayValue('k7QM3XPB')).toBeTruthy()
  })
})

describe('sorting grades', () => {
  it('takes numbers in names as numbers', () => {
    const grades = ['Quiz 10', 'quiz 2', 'Quiz 1'].map((assignment_title) => buildRecentGrade({ assignment_title }))
    const sorted = sortGrades(grades, { column: 'assignment_title', direction: 'ascending' })
    expect(sorted.map((one) => one.assignment_title)).toEqual(['Quiz 1', 'quiz 2', 'Quiz 10'])
  })

  it('turns the column in force round, and begins another at its own end', () => {
    const byDate = { column: 'graded_at', direction: 'descending' } as const
    expect(nextGradeOrder('graded_at', byDate)).toEqual({ column: 'graded_at', direction: 'ascending' })
    expect(nextGradeOrder('overall_score', byDate)).toEqual({ column: 'overall_score', direction: 'descending' })
    expect(nextGradeOrder('course_name', byDate)).toEqual({ column: 'course_name', direction: 'ascending' })
  })
})
