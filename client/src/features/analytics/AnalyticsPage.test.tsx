import {
  type CourseAnalytics,
  getCourseAnalytics,
  getGradeDistribution,
  listQuestionStatistics,
  listStudentPerformance,
  type StudentPerformance,
} from '@assay/shared/analytics.ts'
import { getCourse } from '@assay/shared/courses.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildCourseAssignment, buildCourseDetail } from '../../testing/build-course.ts'
import { emptyErrorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'

const at = '2026-01-12T14:02:00Z'

const course = buildCourseDetail({
  name: 'Physics',
  student_count: 3,
  assignment_count: 2,
  assignments: [
    buildCourseAssignment({ id: 5, title: 'Energy quiz', status: 'published' }),
    buildCourseAssignment({ id: 4, title: 'Forces quiz', status: 'published' }),
    buildCourseAssignment({ id: 3, title: 'A draft' }),
  ],
})

const overall: CourseAnalytics = {
  last_updated: at,
  course_average_grade: 78.1,
  overall_completion_rate: 66.7,
  total_graded_items: 5,
  total_enrolled_students: 3,
  total_assignments: 2,
  performance_trend: 'fair',
}

const counts = [0, 0, 0, 0, 1, 0, 0, 1, 1, 2]
const distribution = (numbers: number[]) => ({
  total_grades: numbers.reduce((sum, count) => sum + count, 0),
  grade_ranges: numbers.map((count, tenth) => ({
    range: `${tenth * 10}-${tenth === 9 ? 100 : tenth * 10 + 9}`,
    count,
    percentage: count * 20,
  })),
})

const ada: StudentPerformance = {
  student_id: 2,
  student_name: 'Ada Mutombo',
  completion_rate: 100,
  average_grade: 85.3,
  performance_trend: 'improving',
  completed_assignments: 2,
  total_assignments: 2,
  last_activity: at,
  is_struggling: false,
  concerns: [],
}
const ben: StudentPerformance = {
  ...ada,
  student_id: 3,
  student_name: 'Ben Okoro',
  completion_rate: 60,
  average_grade: 60,
  performance_trend: 'declining',
  is_struggling: true,
  concerns: ['low_average', 'falling'],
}
const cy: StudentPerformance = {
  ...ada,
  student_id: 4,
  student_name: 'Cy Tran',
  completion_rate: 0,
  average_grade: null,
  performance_trend: null,
  completed_assignments: 0,
  last_activity: null,
}

beforeEach(() => {
  signInAs()
  mockEndpoint(getCourse, () => ok(getCourse, course))
  mockEndpoint(listQuestionStatistics, () => ok(listQuestionStatistics, []))
})

function open({
  figures = overall,
  numbers = counts,
  students = [ada, ben, cy],
}: {
  figures?: CourseAnalytics
  numbers?: number[]
  students?: StudentPerformance[]
} = {}) {
  mockEndpoint(getCourseAnalytics, () => ok(getCourseAnalytics, figures))
  mockEndpoint(getGradeDistribution, () => ok(getGradeDistribution, distribution(numbers)))
  mockEndpoint(listStudentPerformance, () =>
    ok(listStudentPerformance, students, { 'X-Total-Count': String(students.length) }),
  )
  return renderPage('/courses/7/analytics')
}

async function loaded() {
  await screen.findByRole('heading', { name: 'Student Performance' })
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading students' })).toBeNull())
}
const nameOf = (row: HTMLElement) => within(row).getByRole('rowheader').textContent
const rows = () =>
  within(screen.getByRole('table', { name: '' }))
    .getAllByRole('row')
    .slice(1)
    .map(nameOf)

function definition(term: string): string[] {
  return screen.getAllByText(term, { selector: 'dt' }).map((one) => one.nextElementSibling?.textContent ?? '')
}

describe('a course’s analytics', () => {
  it('shows the figures, and the chart as a table for who cannot see it', async () => {
    open()
    await loaded()
    expect(definition('Course Average')).toEqual(['78.1\u00a0%C+'])
    expect(definition('Completion Rate')).toEqual(['66.7\u00a0%'])
    expect(screen.getByText('3 students, 2 published assignments')).toBeTruthy()
    expect(definition('Total Submissions Graded')).toEqual(['5'])
    expect(definition('Performance Trend')).toEqual(['Fair'])
    expect(screen.getByText(/^Last updated/)).toBeTruthy()
    expect(screen.getByText('Total grades: 5')).toBeTruthy()
    const chart = within(screen.getByRole('table', { name: 'Number of grades in each range' }))
    expect(chart.getByRole('row', { name: '90-100 2 grades (40%)' })).toBeTruthy()
    expect(chart.getByRole('row', { name: '40-49 1 grade (20%)' })).toBeTruthy()
    expect(chart.getAllByRole('row')).toHaveLength(11)
    expect(screen.getByRole('link', { name: 'Back to Course' }).getAttribute('href')).toBe('/courses/7')
  })

  it('shows the figures while a large course’s students are loading', async () => {
    open()
    let send = () => {}
    const sent = new Promise<void>((done) => {
      send = done
    })
    mockEndpoint(listStudentPerformance, async () => {
      await sent
      return ok(listStudentPerformance, [ada], { 'X-Total-Count': '1' })
    })
    await screen.findByRole('status', { name: 'Loading students' })
    expect(screen.getByText('Total grades: 5')).toBeTruthy()
    send()
    await loaded()
    expect(rows()).toHaveLength(1)
  })

  it('sorts by completion, turns round, puts what is missing last and says so', async () => {
    open({ students: [cy, ben, { ...ada, student_name: 'ada Mutombo' }] })
    await loaded()
    expect(rows().map((name) => name?.slice(0, 3))).toEqual(['ada', 'Ben', 'Cy '])
    const status = screen.getByRole('status')
    expect(status.textContent).toBe('Table sorted by completion rate in descending order')
    await userEvent.click(screen.getByRole('button', { name: 'Completion Rate' }))
    expect(status.textContent).toBe('Table sorted by completion rate in ascending order')
    expect(rows().map((name) => name?.slice(0, 3))).toEqual(['Cy ', 'Ben', 'ada'])
    await userEvent.click(screen.getByRole('button', { name: 'Average Grade' }))
    await userEvent.click(screen.getByRole('button', { name: 'Average Grade' }))
    expect(rows().map((name) => name?.slice(0, 3))).toEqual(['Ben', 'ada', 'Cy '])
    const sorted = screen.getByRole('columnheader', { name: 'Average Grade' })
    expect(sorted.getAttribute('aria-sort')).toBe('ascending')
    expect(screen.getByRole('columnheader', { name: 'Trend' }).getAttribute('aria-sort')).toBe('none')
    expect(within(screen.getByRole('columnheader', { name: 'Assignments' })).queryByRole('button')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Trend' }))
    expect(rows().map((name) => name?.slice(0, 3))).toEqual(['ada', 'Ben', 'Cy '])
    await userEvent.click(screen.getByRole('button', { name: 'Student Name' }))
    expect(rows().map((name) => name?.slice(0, 3))).toEqual(['Cy ', 'Ben', 'ada'])
  })

  it('says who struggles and why, in words and by the row', async () => {
    open()
    await loaded()
    const row = screen.getByRole('row', { name: /Ben Okoro/ })
    expect(within(row).getByRole('rowheader').textContent).toBe('Ben OkoroStruggling: average below 65, grades falling')
    expect(row.hasAttribute('data-struggling')).toBe(true)
    expect(screen.getByRole('row', { name: /Ada Mutombo/ }).hasAttribute('data-struggling')).toBe(false)
    expect(screen.getByText('1 student may need help')).toBeTruthy()
  })

  it('shows N/A and Never where there is nothing, and a bar by 60 where something is missing', async () => {
    open()
    await loaded()
    const row = screen.getByRole('row', { name: /Cy Tran/ })
    const cells = within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent)
    expect(cells).toEqual(['0.0\u00a0%', '0 / 2', 'N/A', 'N/A', 'Never'])
    const tones = screen
      .getAllByRole('progressbar', { name: 'Completion rate' })
      .map((bar) => bar.parentElement?.getAttribute('data-tone'))
    expect(tones).toEqual(['middle', 'low'])
  })

  it('shows what has no figures yet in its place', async () => {
    const nothing = {
      ...overall,
      course_average_grade: null,
      overall_completion_rate: 0,
      total_graded_items: 0,
      performance_trend: null,
    }
    let app = open({ figures: nothing, numbers: Array(10).fill(0) })
    await screen.findByText('No graded assignments yet.')
    expect(definition('Course Average')).toEqual(['N/A'])
    app.unmount()
    app = open({ students: [] })
    await screen.findByText('No student performance data available yet.')
    app.unmount()
    open({ figures: { ...nothing, total_assignments: 0 }, numbers: Array(10).fill(0) })
    await screen.findByRole('heading', { name: 'No Analytics Data Available' })
    expect(
      screen.getByText(
        'Analytics data will appear here once students start submitting assignments and grades are published.',
      ),
    ).toBeTruthy()
  })

  it('fails as a whole at the first failure of any call, and loads again when asked to', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    open()
    const heard = mockEndpoint(getGradeDistribution, (_, count) =>
      count === 1 ? emptyErrorReply() : ok(getGradeDistribution, distribution(counts)),
    )
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByRole('heading', { name: 'Failed to Load Analytics' })).toBeTruthy()
    expect(alert.getByText('Failed to load analytics data. Please try again.')).toBeTruthy()
    expect(alert.getByRole('link', { name: 'Back to Course' }).getAttribute('href')).toBe('/courses/7')
    expect(heard).toHaveLength(1)
    expect(logged).toHaveBeenCalledWith('Failed to load analytics data', expect.anything())
    await userEvent.click(alert.getByRole('button', { name: 'Try Again' }))
    await loaded()
    expect(heard).toHaveLength(2)
    logged.mockRestore()
  })

  it('says Course ID is required where the address has none', async () => {
    renderPage('/courses/none/analytics')
    expect((await screen.findByRole('alert')).textContent).toContain('Course ID is required')
  })

  it('shows one assignment’s questions at a time, with its common mistakes and a paper to look at', async () => {
    const heard = mockEndpoint(listQuestionStatistics, ({ url }) => {
      const id = Number(url.searchParams.get('assignment_id'))
      return ok(listQuestionStatistics, [
        {
          assignment_id: id,
          title: 'Quiz',
          papers: 12,
          tenths: [0, 0, 0, 0, 0, 0, 6, 6, 0, 0],
          questions: [
            {
              question_id: 'q1',
              number: '1',
              prompt: `Why, in ${id}?`,
              papers: 12,
              tenths: [1, 0, 0, 0, 11, 0, 0, 0, 0, 0],
              average_share: 45.5,
              discrimination: 0.42,
              mistakes: [
                {
                  criterion_text: 'Density',
                  feedback: 'What is missing is density.',
                  count: 7,
                  points_lost: 2.5,
                  example_submission_id: 31,
                },
              ],
            },
          ],
        },
      ])
    })
    open()
    await screen.findByText('Why, in 5?')
    const histogram = 'Shares of the points of Question 1: 1 paper from 0 to 10 %, 11 papers from 40 to 50 %'
    expect(screen.getByRole('img', { name: histogram })).toBeTruthy()
    expect(screen.getByText('Hard')).toBeTruthy()
    expect(screen.getByText('Strong students got this right, weak ones did not (0.42)')).toBeTruthy()
    expect(screen.getByText('7 papers, −2.5 points each')).toBeTruthy()
    expect(screen.getByRole('link', { name: /See an example/ }).getAttribute('href')).toBe(
      '/assignments/5/submissions/31',
    )
    const select = screen.getByRole('combobox', { name: 'Assignment' })
    expect(within(select).queryByRole('option', { name: 'A draft' })).toBeNull()
    await userEvent.selectOptions(select, 'Forces quiz')
    await screen.findByText('Why, in 4?')
    await waitFor(() => expect(heard).toHaveLength(2))
  })
})
