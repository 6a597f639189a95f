import { type Grade, type GradeOverride, overrideGrade } from '@assay/shared/grades.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { tokenStore } from '../../../lib/session/browser-store.ts'
import { buildCriterion, buildGrade, buildSubmission } from '../../../testing/build-submission.ts'
import { errorReply, mockBodies, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { sendEvent } from '../../../testing/realtime.ts'
import { fillIn, findReview, renderPage } from '../../../testing/render.tsx'

/** As the server has it: each decision changes it, and a colleague may. */
let stored: Grade
const here = '/assignments/5/submissions/31'

const withPoints = (grade: Grade, points: Record<string, number | null>): Grade => ({
  ...grade,
  revision: grade.revision + 1,
  criterion_grades_collection: grade.criterion_grades_collection.map(({ teacher_score: was, ...criterion }) => {
    const score = criterion.criterion_id in points ? points[criterion.criterion_id] : was
    return typeof score === 'number' ? { ...criterion, teacher_score: score } : criterion
  }),
})

function decide({ criteria, reviewed, revision }: GradeOverride): Response {
  if (revision !== stored.revision) return errorReply('conflict', { detail: 'Someone else has changed this grade.' })
  const points = (criteria ?? []).flatMap(({ criterion_id, score }) =>
    score === undefined ? [] : [[criterion_id, score]],
  )
  stored = { ...withPoints(stored, Object.fromEntries(points)), ...(reviewed === false ? {} : { needs_review: false }) }
  return ok(overrideGrade, stored)
}

const hear = (reply: (body: GradeOverride, count: number) => Response = decide) => mockBodies(overrideGrade, reply)

async function open() {
  const app = renderPage(here)
  await findReview()
  const user = userEvent.setup()
  await user.keyboard('1')
  return { app, user }
}

const field = (task: string) => screen.getByRole('textbox', { name: new RegExp(`^Your points for “${task}`) })

beforeEach(() => {
  stored = buildGrade()
  signInAs()
  mockEndpoint(getSubmission, ({ url }) =>
    ok(getSubmission, buildSubmission({ id: Number(url.pathname.split('/').at(-1)), grade: stored })),
  )
})

it('saves points as the field is left, without a button, and leaves the paper suggested until it is approved', async () => {
  const sent = hear()
  const { user } = await open()
  await fillIn(field('Why does ice'), '4,5')
  await user.tab()
  await screen.findByText('Saved')
  expect(sent).toEqual([
    {
      overall_score: null,
      human_review_notes: null,
      reviewed: false,
      criteria: [{ criterion_id: 'q1', score: 4.5 }],
      revision: 1,
    },
  ])
  expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull()
  expect(screen.getAllByText('Flagged for Review').length).toBeGreaterThan(0)
  await user.click(screen.getByRole('button', { name: 'Approve' }))
  await screen.findByText('Grade approved.')
  expect(sent[1]).toEqual({ overall_score: null, human_review_notes: null, needs_review: false, revision: 2 })
})

it('saves with Enter, and stores nothing where nothing was changed', async () => {
  const sent = hear()
  const { user } = await open()
  await user.type(field('Why does ice'), '4{Enter}')
  await screen.findByText('Saved')
  await user.click(screen.getByRole('button', { name: 'Edit feedback for “Why does ice float on water?”' }))
  await user.tab()
  await user.type(field('Why does ice'), '.0{Enter}')
  await waitFor(() => expect(field('Why does ice')).toHaveProperty('value', '4'))
  expect(sent).toHaveLength(1)
})

it('undoes one change after the other, by button and key', async () => {
  const sent = hear()
  const { user } = await open()
  await user.type(field('Why does ice'), '4{Enter}')
  await screen.findByText('Saved')
  await user.clear(field('Why does ice'))
  await user.type(field('Why does ice'), '2{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText('Undone')
  expect(field('Why does ice')).toHaveProperty('value', '4')
  await user.keyboard('z')
  await waitFor(() => expect(field('Why does ice')).toHaveProperty('value', ''))
  await waitFor(() => expect(sent.map(({ criteria }) => criteria?.[0]?.score)).toEqual([4, 2, 4, null]))
})

it('says beside the field why it was not saved, keeps what was typed, and saves it again', async () => {
  const sent = hear((body, count) =>
    count === 1 ? errorReply('service_unavailable', { detail: 'The database is having a rest.' }) : decide(body),
  )
  const { user } = await open()
  await user.type(field('Why does ice'), '4{Enter}')
  const alert = await screen.findByRole('alert')
  expect(alert.closest('li')?.textContent).toContain('Why does ice float')
  expect(field('Why does ice')).toHaveProperty('value', '4')
  await user.click(within(alert).getByRole('button', { name: 'Save again' }))
  await screen.findByText('Saved')
  expect(sent).toHaveLength(2)
})

it('does not replace points that somebody else gave meanwhile, until one asks for it', async () => {
  const sent = hear()
  const { user } = await open()
  await user.type(field('Why does ice'), '4')
  stored = withPoints(stored, { q1: 2 })
  sendEvent('submission_changed', buildSubmission({ grade: stored }))
  await waitFor(() =>
    expect(screen.getByText('Your points are saved. Approve when the rest is right, too.')).toBeTruthy(),
  )
  await user.keyboard('{Enter}')
  await screen.findByText(/Someone else has changed this meanwhile/)
  await user.tab()
  expect(sent).toEqual([])
  expect(field('Why does ice')).toHaveProperty('value', '4')
  await user.click(screen.getByRole('button', { name: 'Save again' }))
  await screen.findByText('Saved')
  expect(sent).toMatchObject([{ revision: 2, criteria: [{ score: 4 }] }])
})

it('shows the grade as it is now after a conflict, with what was typed', async () => {
  const sent = hear()
  const { user } = await open()
  stored = withPoints(stored, { q2: 2 })
  await user.type(field('Why does ice'), '4{Enter}')
  await screen.findByText('Someone else has changed this grade.')
  expect(field('Why does ice')).toHaveProperty('value', '4')
  await user.keyboard('{Enter}')
  await screen.findByText('Saved')
  expect(sent).toMatchObject([{ revision: 1 }, { revision: 2 }])
})

it('stores what is typed before it approves and opens the next paper', async () => {
  const sent = hear()
  const { app, user } = await open()
  await user.type(field('Why does ice'), '4')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(app.address()).toBe('/assignments/5/submissions/32'))
  expect(sent).toMatchObject([
    { reviewed: false, criteria: [{ criterion_id: 'q1', score: 4 }], revision: 1 },
    { needs_review: false, revision: 2 },
  ])
})

it('throws nothing where one has moved on before the points are saved', async () => {
  const failures: unknown[] = []
  const hearFailure = (reason: unknown) => failures.push(reason)
  process.on('unhandledRejection', hearFailure)
  let answer = () => {}
  const answered = new Promise<void>((done) => {
    answer = done
  })
  mockBodies(overrideGrade, async (body) => {
    await answered
    return decide(body)
  })
  const { app, user } = await open()
  await user.type(field('Why does ice'), '4{Enter}')
  await act(() => app.router.navigate('/assignments/5/submissions/32'))
  await findReview()
  answer()
  await waitFor(() => expect(stored.revision).toBe(2))
  // The reply is read some turns after it was given.
  for (let turns = 0; turns < 20; turns++) await act(() => new Promise((done) => setImmediate(done)))
  process.off('unhandledRejection', hearFailure)
  expect(failures).toEqual([])
})

it('approves nothing while points are wrong, and goes to them', async () => {
  const sent = hear()
  const { app, user } = await open()
  await user.type(field('Why does ice'), '9')
  await user.tab()
  expect(screen.getByText('At most 5')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Approve and next/ }))
  await waitFor(() => expect(document.activeElement).toBe(field('Why does ice')))
  expect([sent, app.address()]).toEqual([[], here])
  await user.keyboard('{Escape}')
  expect(screen.queryByText('At most 5')).toBeNull()
})

it('has what could not be saved before a session ended, and says that it is not saved', async () => {
  hear(() => errorReply('service_unavailable', { detail: 'The database is having a rest.' }))
  const { app, user } = await open()
  await user.type(field('Why does ice'), '4{Enter}')
  await screen.findByText('The database is having a rest.')
  act(() => tokenStore.set(null))
  await waitFor(() => expect(app.address()).toContain('/auth/login'))
  tokenStore.set('token-2')
  await act(() => app.router.navigate(here))
  await screen.findByText('This has not been saved yet.')
  expect(field('Why does ice')).toHaveProperty('value', '4')
  hear()
  await user.click(screen.getByRole('button', { name: 'Save again' }))
  await screen.findByText('Saved')
})

const criterion = buildCriterion({ criterion_text: 'Names the gas', max_score: 5, score: 3, llm_feedback: 'Close.' })
const grade = buildGrade({ criterion_grades_collection: [criterion] })
const own = buildGrade({ criterion_grades_collection: [{ ...criterion, teacher_feedback: 'It is oxygen.' }] })

async function choose(stored = grade) {
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission({ grade: stored })))
  renderPage('/assignments/5/submissions/31')
  await userEvent.click(await screen.findByRole('button', { name: /Names the gas/, pressed: false }))
}

it('takes words where the chosen criterion stands, and keeps them when they cannot be saved', async () => {
  const sent = mockEndpoint(overrideGrade, (_, count) =>
    count === 1 ? errorReply('conflict', { detail: 'Not just now.' }) : ok(overrideGrade, own),
  )
  await choose()
  await userEvent.click(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  const words = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your feedback for “Names the gas”' })
  expect(words.value).toBe('Close.')
  await fillIn(words, ' It is oxygen.')
  await userEvent.tab()
  await screen.findByText('Not just now.')
  expect(words.value).toBe('Close. It is oxygen.')
  await userEvent.click(screen.getByRole('button', { name: 'Save again' }))
  await screen.findByText('Saved')
  expect(await sent[1]?.json()).toMatchObject({
    overall_score: null,
    reviewed: false,
    criteria: [{ criterion_id: criterion.criterion_id, feedback: 'Close. It is oxygen.' }],
  })
})

it('keeps the AI’s words where they are looked at and left as they are', async () => {
  const sent = mockEndpoint(overrideGrade, () => ok(overrideGrade, grade))
  await choose()
  await userEvent.click(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  await userEvent.tab()
  await screen.findByRole('button', { name: 'Edit feedback for “Names the gas”' })
  await userEvent.click(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  await userEvent.keyboard(' No.{Escape}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  expect(sent).toEqual([])
})

it('shows the teacher’s own words instead of the AI’s, and withdraws them', async () => {
  const sent = mockEndpoint(overrideGrade, () => ok(overrideGrade, { ...grade, revision: 2 }))
  await choose(own)
  expect(screen.getByText('It is oxygen.')).toBeTruthy()
  expect(screen.queryByText('Close.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  await userEvent.clear(screen.getByRole('textbox', { name: 'Your feedback for “Names the gas”' }))
  await userEvent.tab()
  await screen.findByText('Saved')
  expect(await sent[0]?.json()).toMatchObject({ criteria: [{ criterion_id: criterion.criterion_id, feedback: null }] })
})
