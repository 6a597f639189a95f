import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { getStudentDashboard } from '@assay/shared/students.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildRecentGrade, buildStudentCourse } from '../../../testing/build-student-work.ts'
import { emptyErrorReply, mockEndpoint, ok, signInAs, student } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

type Dashboard = ReplyOf<typeof getStudentDashboard>

const course = (id: number, graded_assignment_count: number) =>
  buildStudentCourse({ id, name: `Course ${id}`, assignment_count: 4, graded_assignment_count, average: null })

const grade = (id: number) =>
  buildRecentGrade({ assignment_id: id, assignment_title: `Quiz ${id}`, graded_at: new Date().toISOString() })

const nothing: Dashboard = {
  courses: [],
  recent_grades: [],
  grade_summary: {
    total_assignments: 0,
    graded_assignments: 0,
    average_score: null,
    total_points_earned: 0,
    total_points_possible: 0,
  },
}

const serve = (dashboard: Partial<Dashboard>) =>
  mockEndpoint(getStudentDashboard, () => ok(getStudentDashboard, { ...nothing, ...dashboard }))

beforeEach(() => signInAs(student))

describe('a student’s dashboard', () => {
  it('welcomes someone without courses', async () => {
    serve({})
    renderPage('/student/dashboard')
    await screen.findByText('Welcome to Your Dashboard')
    expect(screen.getByText('No Courses Yet')).toBeTruthy()
    expect(screen.getByText(/your email address/).textContent).toContain(student.email)
    expect(screen.getByRole('link', { name: 'Join a Course' })).toBeTruthy()
  })

  it('shows four courses and five grades, and leads to the rest', async () => {
    serve({
      courses: [1, 2, 3, 4, 5, 6].map((id) => course(id, id === 1 ? 4 : 0)),
      recent_grades: [1, 2, 3, 4, 5, 6, 7].map(grade),
      grade_summary: { ...nothing.grade_summary, average_score: 91, total_assignments: 24, graded_assignments: 7 },
    })
    renderPage('/student/dashboard')
    await screen.findByText('My Courses (6)')
    expect(screen.getAllByRole('article')).toHaveLength(4)
    expect(screen.getAllByText('Just now')).toHaveLength(5)
    expect(screen.getByText('Excellent work! Keep it up!')).toBeTruthy()
    const leadsTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    expect(leadsTo('View All courses')).toBe('/student/courses')
    expect(leadsTo('View All grades')).toBe('/student/grades')
    expect(leadsTo('View 2 more grades')).toBe('/student/grades')
    expect(leadsTo('Quiz 1')).toBe('/student/assignments/1')
    expect(leadsTo('Join Course')).toBe('/student/join-course')
    const actions = within(screen.getByRole('navigation', { name: 'Quick Actions' })).getAllByRole('link')
    expect(actions.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['All Grades', '/student/grades'],
      ['All Courses', '/student/courses'],
      ['Profile Settings', '/student/profile'],
    ])
  })

  it('links to grades only where there are some', async () => {
    serve({ courses: [course(1, 4), course(2, 0)] })
    renderPage('/student/dashboard')
    const first = within(await screen.findByRole('article', { name: 'Course 1' }))
    expect(first.getByText('100% Complete')).toBeTruthy()
    expect(first.getByRole('link', { name: 'Grades in Course 1' }).getAttribute('href')).toBe(
      '/student/courses/1/grades',
    )
    const second = within(screen.getByRole('article', { name: 'Course 2' }))
    expect(second.queryByRole('link', { name: /Grades/ })).toBeNull()
    expect(screen.getByText('Complete assignments to see your performance')).toBeTruthy()
  })

  it('says Failed to Load Dashboard, and tries again', async () => {
    const heard = mockEndpoint(getStudentDashboard, emptyErrorReply)
    renderPage('/student/dashboard')
    await screen.findByText('Failed to Load Dashboard')
    expect(screen.getByText('Failed to load dashboard data.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'View Courses' }).getAttribute('href')).toBe('/student/courses')
    const before = heard.length
    serve({ courses: [course(1, 0)] })
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByText('My Courses (1)')
    expect(before).toBeGreaterThan(0)
  })
})
