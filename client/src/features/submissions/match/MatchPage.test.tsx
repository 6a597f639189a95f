import { getAssignment } from '@assay/shared/assignments.ts'
import { type CourseStudent, listCourseStudents } from '@assay/shared/courses.ts'
import { acceptMatches, listMatches, matchSubmissions } from '@assay/shared/matches.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment, buildCourseStudent } from '../../../testing/build-course.ts'
import { buildSubmission } from '../../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

beforeEach(() => {
  signInAs()
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment()))
})

it('offers one who joined by the code and waits on the roster as well once, and nobody who only waits', async () => {
  const waiting = (id: number, email: string): CourseStudent =>
    buildCourseStudent({ id, username: email, full_name: null, email, state: 'waiting' })
  const ada = { id: 2, username: 'ada', full_name: 'Ada Mutombo', email: 'ada@school.example' }
  mockEndpoint(listCourseStudents, () =>
    ok(listCourseStudents, [
      waiting(2, 'ada@school.example'),
      waiting(3, 'ben@school.example'),
      buildCourseStudent(ada),
    ]),
  )
  const submission = buildSubmission({ student: null, file_name: 'scan.pdf', grade: null })
  mockEndpoint(listMatches, () =>
    ok(listMatches, [{ submission, name_on_paper: null, suggestions: [] }], { 'X-Total-Count': '1' }),
  )

  renderPage('/assignments/5/submissions/match')
  await userEvent.click(await screen.findByLabelText('Student of scan.pdf', { selector: 'input' }))
  const offered = await screen.findAllByRole('option', { hidden: true })
  expect(offered.map((option) => option.textContent)).toEqual(['Ada Mutombo (ada)'])
})

it('lists what matching again found, each with its reason', async () => {
  const submission = buildSubmission({ student: null, file_name: 'scan.pdf', grade: null })
  const unmatched = [{ submission, name_on_paper: null, suggestions: [] }]
  mockEndpoint(listCourseStudents, () => ok(listCourseStudents, []))
  mockEndpoint(listMatches, () => ok(listMatches, unmatched, { 'X-Total-Count': '1' }))
  const found = buildSubmission({ file_name: 'page 2.pdf', matched_by: 'number_on_paper' })
  mockEndpoint(matchSubmissions, () => ok(matchSubmissions, { matched: 1, left: 1, papers: [found] }))

  renderPage('/assignments/5/submissions/match')
  await userEvent.click(await screen.findByRole('button', { name: 'Look for matches again' }))
  const list = within(await screen.findByRole('region', { name: 'Just matched' }))
  const item = (await list.findByText('Ada Mutombo (ada)')).closest('li')
  expect(item?.textContent).toContain('page 2.pdfMatched by the student number on the paper')
})

it('accepts all that have one suggestion in one request, and hands the focus on', async () => {
  const student = { id: 2, username: 'ada', full_name: 'Ada Mutombo' }
  const suggestions = [{ student, reason: 'name_on_paper' as const, other_paper_id: null }]
  const papers = [11, 12].map((id) => buildSubmission({ id, student: null, grade: null }))
  let unmatched = papers.map((submission) => ({ submission, name_on_paper: null, suggestions }))
  mockEndpoint(listCourseStudents, () => ok(listCourseStudents, []))
  mockEndpoint(listMatches, () => ok(listMatches, unmatched, { 'X-Total-Count': String(unmatched.length) }))
  const sent = mockEndpoint(acceptMatches, () => {
    unmatched = []
    return ok(acceptMatches, { matched: 2, left: 0, papers })
  })

  renderPage('/assignments/5/submissions/match')
  await userEvent.click(await screen.findByRole('button', { name: 'Accept all 2 suggestions' }))
  await screen.findByText('2 suggestions accepted.')
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H2'))
  expect(sent).toHaveLength(1)
  const accepted = [11, 12].map((submission_id) => ({ submission_id, student_id: 2 }))
  expect(await sent[0]?.json()).toEqual({ accepted })
})

it('says under its only heading that the assignment could not be loaded', async () => {
  mockEndpoint(getAssignment, () => errorReply('service_unavailable'))
  renderPage('/assignments/5/submissions/match')
  await screen.findByRole('heading', { name: 'Error Loading Submissions', level: 1 })
})
