import { getAssignment } from '@assay/shared/assignments.ts'
import { getCourse } from '@assay/shared/courses.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import {
  type CourseRetention,
  getCourseRetention,
  previewCourseRetention,
  type RetentionPreview,
  setCourseRetention,
} from '@assay/shared/retention.ts'
import { listRuns } from '@assay/shared/runs.ts'
import { countSubmissions, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildAssignment, buildCourseAssignment, buildCourseDetail } from '../../../testing/build-course.ts'
import { buildSubmissionCounts } from '../../../testing/build-submission.ts'
import { emptyErrorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

const deleteAt = '2026-12-12T10:00:00Z'

beforeEach(() => {
  signInAs()
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail()))
})

describe('the rule on the page that edits a course', () => {
  const followsSchool: CourseRetention = { months: null, school_months: 24, effective_months: 24, upcoming: [] }

  async function open(retention: CourseRetention, preview: Partial<RetentionPreview> = {}) {
    let stored = retention
    mockEndpoint(getCourseRetention, () => ok(getCourseRetention, stored))
    const asked = mockEndpoint(previewCourseRetention, {
      ...{
        effective_months: 12,
        assignments: 0,
        papers: 0,
        complete: true,
        delete_at: deleteAt,
        noticed: 0,
        withdrawn: 0,
      },
      ...preview,
    })
    const saved: unknown[] = []
    mockEndpoint(setCourseRetention, async (request) => {
      const { months } = (await request.json()) as { months: number | null }
      saved.push(months)
      stored = { ...retention, months, effective_months: months ?? retention.school_months }
      return ok(setCourseRetention, stored)
    })
    renderPage('/courses/7/edit')
    const panel = within(await screen.findByRole('region', { name: 'Keeping student work' }))
    const rule = await panel.findByLabelText<HTMLSelectElement>(/^Student work of this course/)
    const save = panel.getByRole<HTMLButtonElement>('button', { name: 'Save Rule' })
    return { panel, rule, save, asked, saved, user: userEvent.setup() }
  }

  it('is said in words, the school’s or its own', async () => {
    const { panel, rule, save } = await open(followsSchool)
    expect(panel.getByText('School’s rule: delete student work 2 years after the last activity.')).toBeTruthy()
    expect(rule.selectedOptions[0]?.text).toBe(
      'As the school does: delete student work 2 years after the last activity',
    )
    expect([...rule.options].slice(1).map(({ text }) => text)).toEqual([
      'Never delete it',
      ...['6 months', '1 year', '2 years', '3 years', '5 years', '10 years'].map(
        (time) => `Delete it ${time} after the last activity`,
      ),
    ])
    expect(save.disabled).toBe(true)
  })

  it('keeps one that is none of those offered, and says what is to be deleted already', async () => {
    const upcoming = [{ assignment_id: 5, title: 'Quiz 3', papers: 28, delete_at: deleteAt }]
    const { panel, rule } = await open({ months: 18, school_months: 0, effective_months: 18, upcoming })
    expect(panel.getByText('This course’s rule: delete student work 18 months after the last activity.')).toBeTruthy()
    expect(rule.value).toBe('18')
    expect(panel.getByText(/of 1 assignment will be deleted, from .*12.* on\./)).toBeTruthy()
  })

  it('is changed after a question that says what will be deleted', async () => {
    const { panel, rule, save, asked, saved, user } = await open(followsSchool, { assignments: 3, papers: 84 })
    await user.selectOptions(rule, '12')
    const words =
      /^3 assignments with 84 papers are older than this\. Their student work will be deleted on .*12.*2026 at the earliest\.$/
    await panel.findByText(words)
    expect(asked[0]?.url.searchParams.get('months')).toBe('12')
    await user.click(save)
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(words)).toBeTruthy()
    expect(saved).toHaveLength(0)
    await user.click(dialog.getByRole('button', { name: 'Save Rule' }))
    await screen.findByText('Rule saved.')
    expect(saved).toEqual([12])
    await panel.findByText(/^This course’s rule: delete student work 1 year after/)
  })

  it('speaks of a single assignment as of one', async () => {
    const { panel, rule, user } = await open(followsSchool, { assignments: 1, papers: 1 })
    await user.selectOptions(rule, '12')
    await panel.findByText(/^1 assignment with 1 paper is older than this\. Its student work will be deleted on /)
  })

  it('is changed without a question where nothing is older', async () => {
    const { panel, rule, save, saved, user } = await open(followsSchool, { noticed: 3, withdrawn: 2 })
    await user.selectOptions(rule, '0')
    await panel.findByText(
      'The student work of 3 assignments will be deleted as announced before. The student work of 2 assignments that was to be deleted will be kept.',
    )
    await user.click(save)
    await screen.findByText('Rule saved.')
    expect(saved).toEqual([0])
  })

  it('goes back to the school’s, which the preview is asked for by no number', async () => {
    const { panel, rule, save, asked, saved, user } = await open({ ...followsSchool, months: 12, effective_months: 12 })
    await user.selectOptions(rule, 'school')
    await panel.findByText('Nothing is older than this at the moment.')
    expect(asked[0]?.url.searchParams.has('months')).toBe(false)
    await user.click(save)
    await waitFor(() => expect(saved).toEqual([null]))
  })

  it('is not changed where the preview or the saving fails, and says so', async () => {
    const { panel, rule, save, user } = await open(followsSchool)
    mockEndpoint(setCourseRetention, emptyErrorReply)
    await user.selectOptions(rule, '12')
    await panel.findByText('Nothing is older than this at the moment.')
    await user.click(save)
    await panel.findByText('The rule was not saved.')
    expect(panel.getByText(/^School’s rule/)).toBeTruthy()
    mockEndpoint(previewCourseRetention, emptyErrorReply)
    await user.selectOptions(rule, '36')
    await panel.findByText('What this would delete could not be counted.')
    expect(save.disabled).toBe(true)
  })
})

it('is announced on the page of the course, by day, with ways to the assignments and the rule', async () => {
  const assignments = [
    buildCourseAssignment({ id: 5, title: 'Quiz 3', work_deletion_at: '2026-12-20T10:00:00Z' }),
    buildCourseAssignment({ id: 6, title: 'Essay', work_deletion_at: deleteAt }),
    buildCourseAssignment({ id: 8, title: 'Midterm', work_deletion_at: deleteAt }),
    buildCourseAssignment({ id: 9, title: 'Final' }),
  ]
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ assignments })))
  renderPage('/courses/7')
  const title = await screen.findByText('Student work of 3 assignments will be deleted')
  const notice = within(title.closest<HTMLElement>('[role=note]') as HTMLElement)
  const links = notice.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['Essay', '/assignments/6/submissions'],
    ['Midterm', '/assignments/8/submissions'],
    ['Quiz 3', '/assignments/5/submissions'],
    ['Change the rule', '/courses/7/edit'],
  ])
})

async function open(part: Parameters<typeof buildAssignment>[0]) {
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment(part)))
  mockEndpoint(listRuns, () => ok(listRuns, []))
  mockEndpoint(countSubmissions, () => ok(countSubmissions, buildSubmissionCounts({})))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, [], { 'X-Total-Count': '0' }))
  renderPage('/assignments/5/submissions')
  await screen.findByRole('heading', { name: /Quiz 3/ })
}

it('the submissions screen says when the work will be deleted, and offers the grades and the rule', async () => {
  URL.createObjectURL = vi.fn(() => 'blob:grades')
  URL.revokeObjectURL = vi.fn()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const exported = mockEndpoint(exportGrades, () => HttpResponse.text('student,score\n'))
  await open({ work_deletion_at: deleteAt })
  expect(screen.getByText(/^Student work will be deleted on .*12.*2026$/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Change the rule' }).getAttribute('href')).toBe('/courses/7/edit')
  await userEvent.click(screen.getByRole('button', { name: 'Export grades' }))
  await waitFor(() => expect(exported).toHaveLength(1))
})

it('the submissions screen says that it was deleted, and by which rule', async () => {
  await open({ work_deleted_at: deleteAt })
  expect(screen.getByText(/^Student work was deleted on .*12.*2026 under the course’s retention rule\.$/)).toBeTruthy()
  expect(screen.queryByText(/will be deleted/)).toBeNull()
})

it('the submissions screen names the school’s rule outside a course, where there is none to change', async () => {
  await open({ course_id: null, course_name: null, work_deletion_at: deleteAt })
  expect(screen.getByText(/for as long as the school’s retention rule/)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Change the rule' })).toBeNull()
})
