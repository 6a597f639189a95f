import { type Assignment, getAssignment, publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import {
  checkLmsScores,
  getLmsScores,
  type LmsScore,
  type LmsScores,
  type LmsScoresOfLink,
  listLmsScores,
  sendLmsScores,
} from '@assay/shared/lti/lti-scores.ts'
import { countSubmissions, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildSubmissionCounts, buildSubmissionRow } from '../../../testing/build-submission.ts'
import { emptyErrorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { sendEvent } from '../../../testing/realtime.ts'
import { renderPage } from '../../../testing/render.tsx'

const at = '2026-01-12T14:02:00Z'
const assignment = buildAssignment({
  status: 'published',
  course_id: 7,
  course_name: 'Biology 8b',
  counts: { submissions: 2, graded: 2, flagged: 0, failed: 0, reviewed: 0, unreleased: 0, regrades: 0 },
  published_at: at,
  lms_names: ['Canvas'],
})

const row = (id: number) =>
  buildSubmissionRow({
    id,
    student_identifier: `student-${id}`,
    student: { id: 100 + id, username: `student-${id}`, full_name: `Student ${id}` },
    released: true,
  })

const noCounts = { waiting: 0, sending: 0, sent: 0, refused: 0, off: 0, in_gradebook: 0, different: 0, missing: 0 }

const link = (more: Partial<LmsScoresOfLink> = {}): LmsScoresOfLink => ({
  link_id: 1,
  platform: { name: 'Canvas', lms: 'canvas' },
  course_title: 'Biology',
  link_title: 'Quiz 1',
  opened_at: '2026-01-05T09:00:00Z',
  gone_since: null,
  line_item: 'known',
  counts: { ...noCounts, sent: 1, refused: 1 },
  checking: false,
  checked_at: null,
  problem: null,
  gradebook_url: null,
  next_try_at: null,
  ...more,
})

const score = (id: number, more: Partial<LmsScore> = {}): LmsScore => ({
  link_id: 1,
  platform_name: 'Canvas',
  product_name: 'Canvas',
  course_title: 'Biology',
  submission_id: id,
  student_id: 100 + id,
  state: 'sent',
  reason: null,
  next_try_at: null,
  recorded: { points: 16.5, maximum: 20, at },
  result: null,
  cleared: false,
  ...more,
})

const refused = score(2, {
  state: 'refused',
  reason: 'Canvas says: “User not found in course or is not a student”.',
  recorded: null,
})

let shown: Assignment
let summary: LmsScores
let scores: LmsScore[]

beforeEach(() => {
  signInAs()
  shown = assignment
  summary = { linked: true, published: true, links: [link()], unknown_students: 0, on_release: 0 }
  scores = [score(1), refused]
  mockEndpoint(getAssignment, () => ok(getAssignment, shown))
  mockEndpoint(countSubmissions, () => ok(countSubmissions, buildSubmissionCounts({ all: 2, graded: 2 })))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, [row(1), row(2)], { 'X-Total-Count': '2' }))
})

async function open() {
  const asked = mockEndpoint(getLmsScores, () => ok(getLmsScores, summary))
  const rows = mockEndpoint(listLmsScores, () => ok(listLmsScores, scores, { 'X-Total-Count': '2' }))
  renderPage('/assignments/5/submissions')
  await screen.findByText('Submissions (2)')
  return { asked, rows, user: userEvent.setup() }
}

const rowOf = (id: number) => {
  const found = screen.getByText(`Student ${id}`).closest('tr')
  if (!found) throw new Error(`student ${id} has no row`)
  return within(found)
}

it('asks nothing of an LMS where none opens the assignment', async () => {
  const { lms_names: _, ...alone } = assignment
  shown = alone
  const { asked, rows } = await open()
  expect(asked).toEqual([])
  expect(rows).toEqual([])
  expect(screen.queryByText(/Canvas/)).toBeNull()
})

it('says in a line how many scores the LMS has, and at each student what became of theirs', async () => {
  const { rows } = await open()
  const line = await screen.findByRole('region', { name: 'Scores in Canvas' })
  expect(line.textContent).toContain('Canvas: 1 of 2 scores sent · 1 refused')
  expect(rows[0]?.url.searchParams.get('submission_ids')).toBe('1,2')
  await screen.findByText('Sent: 16.5 of 20')
  rowOf(2).getByText('Refused')
  rowOf(2).getByText(/Canvas says: “User not found/)
})

it('has the gradebook read, and offers both for what is already there', async () => {
  summary.links = [link({ counts: { ...noCounts, sent: 2, in_gradebook: 2 } })]
  // Its maximum was 20 when it was sent.
  scores = [score(1, { result: { state: 'same', points: 82.5, maximum: 100, read_at: at } }), score(2)]
  const read = mockEndpoint(checkLmsScores, () => ok(checkLmsScores, { queued: 2, scores: summary }))
  const { user } = await open()
  await screen.findByText(/2 of 2 scores in the gradebook/)
  rowOf(1).getByText('In gradebook: 82.5 of 100')
  rowOf(2).getByText('Sent: 16.5 of 20')
  rowOf(1).getByRole('button', { name: 'Send again: the score of Student 1' })
  screen.getByRole('button', { name: 'Send again' })
  await user.click(screen.getByRole('button', { name: 'Read the gradebook' }))
  await screen.findByText('Reading the gradebook.')
  expect(read).toHaveLength(1)
})

it('tells activities of one course apart: by title, else by the day they were first opened', async () => {
  const counts = { ...noCounts, sent: 1, in_gradebook: 1 }
  summary.links = [
    link({ counts }),
    link({ link_id: 2, counts, link_title: 'Quiz 1 (copy)' }),
    link({ link_id: 3, counts, link_title: 'Quiz 1 (copy)', opened_at: '2026-01-06T09:00:00Z' }),
  ]
  scores = [score(1), score(1, { link_id: 2 })]
  await open()
  const line = await screen.findByRole('region', { name: 'Scores in Canvas' })
  expect(line.textContent).toContain('Canvas, “Quiz 1”: 1 of 1')
  expect(line.textContent).toMatch(/Canvas, “Quiz 1 \(copy\)”, first opened .*5.*: 1 of 1/)
  expect(line.textContent).toMatch(/Canvas, “Quiz 1 \(copy\)”, first opened .*6.*: 1 of 1/)
  await waitFor(() => rowOf(1).getByText('Sent: 16.5 of 20 (“Quiz 1”)'))
})

it('says that sending again failed', async () => {
  mockEndpoint(sendLmsScores, emptyErrorReply)
  const { user } = await open()
  await user.click(await screen.findByRole('button', { name: 'Send again' }))
  await screen.findByText('The scores could not be sent again. Please try again.')
})

it('follows while scores are on their way', async () => {
  summary.links = [link({ counts: { ...noCounts, waiting: 1, sending: 1 } })]
  scores = [score(1, { state: 'sending', recorded: null }), score(2, { state: 'waiting', recorded: null })]
  await open()
  await screen.findByText(/0 of 2 scores sent · 2 on the way/)
  expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull()
  await screen.findByText('Being sent')
  summary = { ...summary, links: [link({ counts: { ...noCounts, sent: 2 } })] }
  scores = [score(1), score(2)]
  sendEvent('lms_scores_changed', { assignment_id: 5 })
  await screen.findByText(/2 of 2 scores sent/)
  expect(await screen.findAllByText('Sent: 16.5 of 20')).toHaveLength(2)
})

it('says why scores wait and whom the LMS does not know, and names each section', async () => {
  summary = {
    linked: true,
    published: true,
    links: [
      link({
        counts: { ...noCounts, waiting: 2 },
        problem: 'Locked or refused in Canvas (500).',
        gradebook_url: 'https://canvas.example/courses/7/gradebook',
        next_try_at: at,
      }),
      link({ link_id: 2, course_title: 'Biology, evening' }),
    ],
    unknown_students: 2,
    on_release: 0,
  }
  scores = [score(1, { result: { state: 'different', points: 18, maximum: 100, read_at: at } })]
  await open()
  const line = await screen.findByRole('region', { name: 'Scores in Canvas' })
  expect(line.textContent).toMatch(/Canvas, Biology: 0 of 2 scores sent · 2 on the way/)
  expect(line.textContent).toMatch(/Locked or refused in Canvas \(500\)\. Next try at/)
  const gradebook = within(line).getByRole('link', { name: 'Open the gradebook in Canvas' })
  expect(gradebook.getAttribute('href')).toBe('https://canvas.example/courses/7/gradebook')
  await waitFor(() => rowOf(1).getByText(/^Canvas shows 18 of 100, changed there/))
  expect(line.textContent).toMatch(/Canvas, Biology, evening: 1 of 2/)
  expect(line.textContent).toMatch(/2 students with a released grade are not listed in Canvas yet/)
})

it('names the LMS before grades are released', async () => {
  shown = { ...assignment, status: 'draft', published_at: null }
  summary = { linked: true, published: false, links: [link({ counts: noCounts })], unknown_students: 0, on_release: 28 }
  scores = []
  const published = mockEndpoint(publishAssignment, () => ok(publishAssignment, assignment))
  const { user } = await open()
  await screen.findByText(/scores are sent when grades are published/)
  await user.click(screen.getByRole('button', { name: 'Publish' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('28 scores will be sent to Canvas, with the feedback.')
  await user.click(dialog.getByRole('button', { name: 'Publish' }))
  await waitFor(() => expect(published).toHaveLength(1))
})

it('never says after Publish that there is nothing to send', async () => {
  shown = { ...assignment, status: 'draft', published_at: null }
  summary = {
    ...{ linked: true, published: false, unknown_students: 0, on_release: 2 },
    links: [link({ counts: noCounts })],
  }
  scores = []
  mockEndpoint(publishAssignment, () => {
    shown = assignment
    return ok(publishAssignment, assignment)
  })
  const { user } = await open()
  const line = await screen.findByRole('region', { name: 'Scores in Canvas' })
  const said: (string | null)[] = [line.textContent]
  const watching = new MutationObserver(() => said.push(line.textContent))
  watching.observe(line, { childList: true, characterData: true, subtree: true })
  // The published assignment is on screen before the counts are.
  const later = Promise.withResolvers<void>()
  const asked = mockEndpoint(getLmsScores, async () => {
    await later.promise
    return ok(getLmsScores, summary)
  })
  await user.click(screen.getByRole('button', { name: 'Publish' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish' }))
  await screen.findByRole('button', { name: 'Unpublish' })
  await waitFor(() => expect(asked.length).toBeGreaterThan(0))
  summary = { ...summary, published: true, on_release: 0, links: [link({ counts: { ...noCounts, waiting: 2 } })] }
  later.resolve()
  await waitFor(() => expect(line.textContent).toContain('Canvas: 0 of 2 scores sent · 2 on the way'))
  watching.disconnect()
  expect(said.join()).not.toContain('no released grades')
})

it('does not say of a score the LMS has dropped that it was left there', async () => {
  shown = { ...assignment, status: 'draft', published_at: null }
  const counts = { ...noCounts, sent: 4, in_gradebook: 2, different: 1, missing: 1 }
  summary = { ...summary, published: false, links: [link({ counts })] }
  await open()
  await screen.findByText(/3 scores left there when this was unpublished · 1 differs · 1 not there any more/)
})

it('leaves scores in the LMS when hiding grades, unless asked to clear them', async () => {
  const hidden = mockEndpoint(unpublishAssignment, () => ok(unpublishAssignment, assignment))
  const { user } = await open()
  await screen.findByText('Refused')
  const ask = async () => {
    await user.click(screen.getByRole('button', { name: 'Unpublish' }))
    return within(await screen.findByRole('dialog'))
  }
  let dialog = await ask()
  dialog.getByText(/1 score was sent there\. Unless cleared, it stays in the gradebook\./)
  await user.click(dialog.getByRole('button', { name: 'Unpublish' }))
  await waitFor(() => expect(hidden).toHaveLength(1))
  expect(await hidden[0]?.json()).toEqual({ clear_lms_scores: false })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  dialog = await ask()
  const clear = dialog.getByRole('checkbox', { name: 'Also clear these scores in Canvas' })
  expect(clear).toHaveProperty('checked', false)
  await user.click(clear)
  await user.click(dialog.getByRole('button', { name: 'Unpublish' }))
  await waitFor(() => expect(hidden).toHaveLength(2))
  expect(await hidden[1]?.json()).toEqual({ clear_lms_scores: true })
})
