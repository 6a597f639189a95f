import { getCourseAnalytics, getGradeDistribution, listStudentPerformance } from '@assay/shared/analytics.ts'
import { getCsrfToken, getDemo, getMe } from '@assay/shared/auth.ts'
import { getCourse } from '@assay/shared/courses.ts'
import { getStudentProfile, updateStudentProfile } from '@assay/shared/profile.ts'
import { getStudentCourse, getStudentDashboard, listStudentAssignments } from '@assay/shared/students.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { emptyErrorReply, mockApi, mockEndpoint, ok, student, teacher } from '../../testing/mock-api.ts'
import { renderApp } from '../../testing/render.tsx'

mockApi()

beforeEach(() => {
  tokenStore.set('token-1')
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
  mockEndpoint(getDemo, () => ok(getDemo, { accounts: [] }))
  mockEndpoint(getMe, () => ok(getMe, student))
})

it.each([
  ['/student/dashboard', 'Failed to load dashboard data.'],
  ['/student/courses/7', 'Failed to load course data.'],
  ['/student/profile', 'Failed to load profile data.'],
])('says what failed where the server says nothing: %s', async (path, words) => {
  for (const call of [getStudentDashboard, getStudentCourse, listStudentAssignments, getStudentProfile])
    mockEndpoint(call, emptyErrorReply)
  renderApp(path)
  await screen.findByText(words)
})

it('says that the profile was not saved, and keeps what was typed', async () => {
  const preferences = {
    emailNotifications: true,
    gradeNotifications: true,
    courseUpdates: true,
    assignmentReminders: true,
  }
  mockEndpoint(getStudentProfile, () =>
    ok(getStudentProfile, { ...student, notifications: preferences, has_password: true }),
  )
  mockEndpoint(updateStudentProfile, emptyErrorReply)
  renderApp('/student/profile')
  const username = await screen.findByLabelText<HTMLInputElement>(/^Username/)
  await userEvent.type(username, '2')
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  await screen.findByText('Failed to update profile. Please try again.')
  expect(username.value).toBe('ada2')
})

it('says that analytics could not be loaded, to the console too', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  mockEndpoint(getMe, () => ok(getMe, teacher))
  for (const call of [getCourseAnalytics, getGradeDistribution, listStudentPerformance, getCourse])
    mockEndpoint(call, emptyErrorReply)
  renderApp('/courses/7/analytics')
  await screen.findByText('Failed to load analytics data. Please try again.')
  expect(consoleError).toHaveBeenCalled()
  consoleError.mockRestore()
})
