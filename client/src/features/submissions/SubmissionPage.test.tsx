import { getAssignment } from '@assay/shared/assignments.ts'
import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { type CriterionGrade, type Grade, overrideGrade } from '@assay/shared/grades.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { getSubmission, listSubmissions, type Submission } from '@assay/shared/submissions.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { buildAssignment } from '../../testing/build-course.ts'
import { buildGradeHistory } from '../../testing/build-grade-history.ts'
import { buildCriterion, buildGrade, buildSubmission } from '../../testing/build-submission.ts'
import { emptyErrorReply, errorReply, mockBodies, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { sendEvent } from '../../testing/realtime.ts'
import { fillIn, findReview, renderPage } from '../../testing/render.tsx'

const assignment = buildAssignment({
  course_id: null,
  course_name: null,
  counts: { submissions: 3, graded: 3, flagged: 1, failed: 0, reviewed: 0, unreleased: 3, regrades: 0 },
})

/** The class: every submission is the same but for its id. */
function serve(...papers: Submission[]) {
  return mockEndpoint(getSubmission, ({ url }) => {
    const id = Number(url.pathname.split('/').at(-1))
    const paper = papers.find((one) => one.id === id)
    return paper ? ok(getSubmission, paper) : errorReply('resource_not_found')
  })
}

const hearOverrides = (reply: () => Response = () => ok(overrideGrade, buildGrade({ needs_review: false }))) =>
  mockBodies(overrideGrade, reply)

const here = '/assignments/5/submissions/31'
const neighbours = [buildSubmission({ id: 30 }), buildSubmission({ id: 32, previous_id: 31, next_id: null })]

async function open(paper = buildSubmission()) {
  serve(paper, ...neighbours)
  const app = renderPage(here)
  await screen.findByRole('heading', { name: 'Ada Mutombo' })
  await findReview()
  return app
}

const openGrade = (part: Partial<Grade>) => open(buildSubmission({ grade: buildGrade(part) }))

/** Criteria 41, 42, … of questions q0, q1, … */
const numbered = (numbers: string[], part: Partial<CriterionGrade> = {}) =>
  numbers.map((number, i) => {
    const id = `q${i}`
    const label = { number, title: `Part ${number}` }
    return buildCriterion({ id: 41 + i, criterion_id: id, question_id: id, label, ...part })
  })

async function edit() {
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Edit Grade' }))
  return { user, score: screen.getByLabelText('Manual override score') }
}

beforeEach(() => {
  signInAs()
  mockEndpoint(getAssignment, () => ok(getAssignment, assignment))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
})

describe('looking at a grade', () => {
  it('says what the AI suggests, how sure it is, and why a person should look', async () => {
    await open()
    expect(screen.getByText('Good')).toBeTruthy()
    expect(screen.getAllByText('Flagged for Review').length).toBeGreaterThan(0)
    expect(screen.getByText('suggested · 1 of 2 questions to check')).toBeTruthy()
    expect(screen.getByText(/unsure of the points for question 2/)).toBeTruthy()
    // In the card, and at the edge of the sheet it is on a phone.
    expect(screen.getAllByText('8.25 of 10 points')).toHaveLength(2)
    expect(screen.queryByText(/^Matched by/)).toBeNull()
    expect(screen.getByText('A good paper.')).toBeTruthy()
    expect(screen.queryByText('Override')).toBeNull()
  })

  it('shows the override as the score, with its badge, and the AI’s beside it', async () => {
    const score = { manual_score_override: 88.5, final_score_after_review: 88.5 }
    await openGrade({ ...score, needs_review: false, reviewed_at: '2026-01-13T09:00:00Z' })
    expect(screen.getByText('Override')).toBeTruthy()
    expect(screen.getByText('AI score 82.5 % B- · 1 of 2 questions to check')).toBeTruthy()
    expect(screen.getAllByText('Reviewed').length).toBeGreaterThan(0)
  })

  it('calls a grade nobody has looked at suggested, and says how the paper was matched and whose upload its time is', async () => {
    const grade = buildGrade({ needs_review: false, review_reasons: [] })
    await open(buildSubmission({ grade, matched_by: 'number_on_paper' }))
    expect(screen.getAllByText('Suggested').length).toBeGreaterThan(0)
    expect(screen.queryByText(/^(Approved|Reviewed)/)).toBeNull()
    expect(screen.getByText('Matched by the student number on the paper')).toBeTruthy()
    expect(screen.getByText(/· uploaded$/)).toBeTruthy()
  })

  it('calls a grade that is to be completed by hand so, flagged or not', async () => {
    await openGrade({ needs_review: false, unscored_points: 3, review_reasons: [] })
    expect(screen.getAllByText('Grade by hand').length).toBeGreaterThan(0)
    expect(screen.queryByText(/^(Suggested|Flagged for Review)$/)).toBeNull()
  })

  it('calls no question sure that a flag names, and opens each on the page', async () => {
    const criteria = numbered(['2 a', '2 b', '3'], { confidence: 0.95, max_score: 10 })
    const message = 'The grader is unsure of the points for questions 2 a and 3.'
    const reasons = [{ code: 'low_confidence', message, question_ids: ['q0', 'q2'] }]
    await openGrade({ criterion_grades_collection: criteria, review_reasons: reasons })
    expect(screen.getByText('suggested · 2 of 3 questions to check')).toBeTruthy()
    expect(screen.getAllByText('may be off by about 0.5')).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: 'Show question 3' }))
    expect(screen.getByTestId('paper').dataset.look).toBe('criterion 43')
  })

  it('tells at once of many answers that were not read, and opens each on the page', async () => {
    const numbers = ['1', '2 a', '2 b', '3']
    const said = (i: number, message: string) => ({ code: 'poor_reading', message, question_id: `q${i}` })
    const unread = (number: string, i: number) =>
      said(i, `The answer to question ${number} was not read. Grade it by hand.`)
    const reasons = [
      ...[0, 1, 2].map((i) => unread(numbers[i] ?? '', i)),
      said(3, 'The answer to question 3 was hard to read (61 %).'),
    ]
    await openGrade({ criterion_grades_collection: numbered(numbers), review_reasons: reasons })
    const flags = within(screen.getByRole('region', { name: 'Why this paper is flagged' }))
    expect(flags.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '3 answers were not read. Grade them by hand. Show question12 a2 b',
      expect.stringMatching(/^The answer to question 3 was hard to read \(61 %\)\./),
    ])
    await userEvent.click(flags.getByRole('button', { name: 'Show question 2 b' }))
    expect(screen.getByTestId('paper').dataset.look).toBe('criterion 43')
  })

  it('brings a criterion’s evidence into view, and a mark on the paper chooses its criterion', async () => {
    await open()
    const user = userEvent.setup()
    await user.keyboard('2')
    expect(screen.getByTestId('paper').dataset.look).toBe('criterion 42')
    expect(screen.getByText(/“covalent”/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Evidence for 1: Why does ice float on water?' }))
    expect(screen.getByText(/“it is less dense because of hydrogen bonds”/)).toBeTruthy()
    expect(screen.queryByText(/“covalent”/)).toBeNull()
  })

  it('says of a chosen criterion why it got so many points, and when no model was asked', async () => {
    const [first, second] = buildGrade().criterion_grades_collection
    const criteria = [
      buildCriterion({ ...first, reasoning: 'It names density only.', judged_by: 'model' }),
      buildCriterion({ ...second, judged_by: 'rules' }),
    ]
    await openGrade({ criterion_grades_collection: criteria })
    const user = userEvent.setup()
    await user.keyboard('1')
    expect(screen.getByText(/^It names density only\. Confidence \d+ %$/)).toBeTruthy()
    await user.keyboard('2')
    expect(screen.getByText(/^Confidence \d+ %, graded by rules$/)).toBeTruthy()
  })

  it('approves without touching the override or the words', async () => {
    const sent = hearOverrides()
    await openGrade({ manual_score_override: 70, manual_feedback: 'See me.' })
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
    await waitFor(() =>
      expect(sent).toEqual([{ overall_score: 70, human_review_notes: 'See me.', needs_review: false, revision: 1 }]),
    )
  })

  it('says who will see it, where the assignment is published', async () => {
    mockEndpoint(getAssignment, () => ok(getAssignment, { ...assignment, status: 'published' }))
    await open()
    await screen.findByText('Published: Ada Mutombo will see this grade when you approve or change it.')
  })
})

describe('how the grade came to be', () => {
  it('is listed oldest first: suggestions, LLM requests and decisions, and which suggestion counts', async () => {
    mockEndpoint(getGradeHistory, () => ok(getGradeHistory, buildGradeHistory()))
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Grade history' }))
    const dialog = await screen.findByRole('dialog', { name: 'Grade history' })
    const events = await within(dialog).findAllByRole('listitem')
    expect(events.map((one) => one.textContent)).toEqual([
      expect.stringMatching(
        /openai\/some-model suggested 82\.5\s% \(the teacher’s score counts\).*Requested points: answered after 1\.2 s/,
      ),
      expect.stringMatching(/Martin Keller set the grade to 61\.0\s% instead of the AI’s 82\.5\s%/),
    ])
    expect(within(dialog).getByText(/1,200 tokens in and 80 out \(\$0\.04\)/)).toBeTruthy()
    expect(within(dialog).getByText('{"criteria":[]}')).toBeTruthy()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    const history = { ...buildGradeHistory(), final_score_after_review: 82.5, events: [] }
    mockEndpoint(getGradeHistory, () => ok(getGradeHistory, history))
    await userEvent.click(screen.getByRole('button', { name: 'Grade history' }))
    await screen.findByText(/suggested 82\.5\s% \(current\)/)
  })
})

describe('what happened to a paper', () => {
  it('is one step away in the bar, and where there is no grade', async () => {
    const history = { ...buildGradeHistory(), final_score_after_review: null, suggestions: [], events: [] }
    const calls = history.calls.map((call) => ({ ...call, outcome: 'failed' as const, run_stopped: true }))
    mockEndpoint(getGradeHistory, () => ok(getGradeHistory, { ...history, calls }))
    await open(buildSubmission({ grade: null, status: 'uploaded' }))
    await userEvent.click(screen.getByRole('button', { name: 'Paper history' }))
    const dialog = await screen.findByRole('dialog', { name: 'Grade history' })
    await within(dialog).findByText('The run was stopped before this paper was graded')
    expect(within(dialog).getByText(/It has no grade yet/)).toBeTruthy()
  })
})

describe('giving points for a criterion', () => {
  const fieldFor = (name: string) => screen.getByRole('textbox', { name: new RegExp(`^Your points for “${name}`) })

  it('sends those that changed, and says before what they come to', async () => {
    const sent = hearOverrides()
    await open()
    const { user } = await edit()
    await fillIn(fieldFor('Why does ice float'), '4,5')
    // 4.5 of the teacher's and 3 of the AI's, of 10.
    expect(screen.getByText('0 to 100. Leave empty to use the total of your points below: 75.0 %.')).toBeTruthy()
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(sent).toMatchObject([
        { overall_score: null, reviewed: false, criteria: [{ criterion_id: 'q1', score: 4.5 }] },
      ]),
    )
    expect(screen.getByLabelText('Manual override score')).toBeTruthy()
  })

  it('says at the field, while it is typed, what no criterion can earn, and keeps it', async () => {
    await open()
    const { user, score } = await edit()
    const field = fieldFor('Name the bonds')
    await user.type(field, '-')
    expect(screen.queryByText('Enter a number')).toBeNull()
    await user.type(field, '5')
    expect(screen.getByText('At least 0')).toBeTruthy()
    await user.clear(field)
    await user.type(field, '99')
    expect(screen.getByText('At most 5')).toBeTruthy()
    expect(field).toMatchObject({ value: '99' })
    await fillIn(score, '101')
    expect(screen.getByText('Enter a score between 0 and 100')).toBeTruthy()
    await user.clear(field)
    await user.type(field, '4')
    expect(screen.queryByText('At most 5')).toBeNull()
  })

  it('shows whose points count, and takes them back when the field is emptied', async () => {
    const sent = hearOverrides()
    const given = { ...buildGrade().criterion_grades_collection[0], teacher_score: 5 }
    const criteria = buildGrade().criterion_grades_collection.with(0, buildCriterion(given))
    const own = { manual_score_override: 80, override_from_points: true, final_score_after_review: 80 }
    await openGrade({ criterion_grades_collection: criteria, ...own })
    expect(screen.getByText('Your points')).toBeTruthy()
    expect(screen.getByText('AI 3')).toBeTruthy()
    expect(screen.getAllByText(/^AI \d/)).toHaveLength(1)
    const { user, score } = await edit()
    expect(score).toHaveProperty('value', '')
    await user.clear(fieldFor('Why does ice float'))
    await user.tab()
    await waitFor(() => expect(sent).toMatchObject([{ criteria: [{ criterion_id: 'q1', score: null }] }]))
  })
})

describe('editing a grade', () => {
  it('sends a score with a comma as a number, and takes the flag off', async () => {
    const sent = hearOverrides()
    await open()
    const { user, score } = await edit()
    await fillIn(score, '88,5')
    await fillIn(screen.getByLabelText('Manual feedback'), ' Well argued. ')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await screen.findByText('Manual overrides for grade updated successfully.')
    expect(sent).toEqual([
      { overall_score: 88.5, human_review_notes: 'Well argued.', needs_review: false, revision: 1 },
    ])
    expect(screen.queryByLabelText('Manual override score')).toBeNull()
  })

  it('takes an override back when the field is emptied', async () => {
    const sent = hearOverrides()
    await openGrade({ manual_score_override: 70, manual_feedback: 'See me.' })
    const { user, score } = await edit()
    await user.clear(score)
    await user.clear(screen.getByLabelText('Manual feedback'))
    await user.click(screen.getByLabelText('Keep flagged for review'))
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await waitFor(() =>
      expect(sent).toEqual([{ overall_score: null, human_review_notes: null, needs_review: true, revision: 1 }]),
    )
  })

  it('refuses what is no score at its field, and sends nothing', async () => {
    const sent = hearOverrides()
    await open()
    const { user, score } = await edit()
    for (const text of ['101', '-1', 'eighty', '8O']) {
      await fillIn(score, text)
      await user.click(screen.getByRole('button', { name: 'Save Changes' }))
      await screen.findByText('Enter a score between 0 and 100')
      expect(document.activeElement).toBe(score)
      await user.clear(score)
    }
    expect(sent).toEqual([])
  })

  it('saves with Enter in the score, and gives the focus back to Edit Grade', async () => {
    const sent = hearOverrides()
    await open()
    const { user, score } = await edit()
    await user.type(score, '90{Enter}')
    await screen.findByRole('button', { name: 'Edit Grade' })
    expect(sent).toMatchObject([{ overall_score: 90 }])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Grade' }))
  })

  it('gives the focus back to Edit Grade when editing is cancelled, asked or not', async () => {
    await open()
    const { user } = await edit()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Grade' }))
    const again = await edit()
    await again.user.type(again.score, '7')
    await again.user.click(screen.getByRole('button', { name: 'Cancel' }))
    await again.user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Grade' })))
  })

  it('hands the focus on when Approve goes', async () => {
    hearOverrides(() => {
      const grade = buildGrade({ needs_review: false, reviewed_at: '2026-01-12T14:02:00Z' })
      serve(buildSubmission({ grade }), ...neighbours)
      return ok(overrideGrade, grade)
    })
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
    const next = await screen.findByRole('button', { name: /^Next paper/ })
    expect(document.activeElement).toBe(next)
  })

  it('keeps what was typed when saving fails, and says so beside the button', async () => {
    hearOverrides(() => errorReply('service_unavailable', { detail: 'The database is having a rest.' }))
    await open()
    const { user, score } = await edit()
    await user.type(score, '90')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('The database is having a rest.')).toBeTruthy()
    expect(screen.getByLabelText('Manual override score')).toHaveProperty('value', '90')
  })

  it('shows what somebody else decided meanwhile, keeps what was typed, and saves it once it has been seen', async () => {
    let refused = false
    const sent = hearOverrides(() => {
      if (refused) return ok(overrideGrade, buildGrade({ revision: 3, needs_review: false }))
      refused = true
      serve(
        buildSubmission({ grade: buildGrade({ revision: 2, manual_feedback: 'A colleague’s words.' }) }),
        ...neighbours,
      )
      return errorReply('conflict', { detail: 'This grade was changed meanwhile.' })
    })
    await open()
    const { user, score } = await edit()
    await user.type(score, '71')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await screen.findByText(/changed meanwhile/)
    expect(screen.getByLabelText('Manual override score')).toHaveProperty('value', '71')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await waitFor(() => expect(sent).toMatchObject([{ revision: 1 }, { revision: 2, overall_score: 71 }]))
  })

  it('saves with Ctrl+Enter and opens the next paper without asking', async () => {
    const sent = hearOverrides()
    const app = await open()
    const { user, score } = await edit()
    await user.type(score, '90')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(app.address()).toBe('/assignments/5/submissions/32'))
    expect(sent).toHaveLength(1)
    expect(screen.queryByText('Discard your changes?')).toBeNull()
  })
})

describe('unsaved words', () => {
  it('are asked about before another paper opens, and stay if wanted', async () => {
    const app = await open()
    const { user } = await edit()
    await fillIn(screen.getByLabelText('Manual feedback'), 'Half a thought')
    await user.click(screen.getByRole('button', { name: 'Next student' }))
    await screen.findByText('Discard your changes?')
    await user.click(screen.getByRole('button', { name: 'Keep editing' }))
    expect(app.address()).toBe(here)
    expect(screen.getByLabelText('Manual feedback')).toHaveProperty('value', 'Half a thought')

    await user.click(screen.getByRole('button', { name: 'Next student' }))
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(app.address()).toBe('/assignments/5/submissions/32'))
  })

  it('are asked about by Escape; with none, Escape just leaves the form', async () => {
    await open()
    const { user, score } = await edit()
    await user.type(score, '9')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await screen.findByRole('button', { name: 'Edit Grade' })
    await edit()
    await user.keyboard('{Escape}')
    await screen.findByRole('button', { name: 'Edit Grade' })
    expect(screen.queryByText('Discard your changes?')).toBeNull()
  })

  it('outlive a session that ends while someone types', async () => {
    const app = await open()
    const { user } = await edit()
    await fillIn(screen.getByLabelText('Manual feedback'), 'Half a thought')
    act(() => tokenStore.set(null))
    await waitFor(() => expect(app.address()).toContain('/auth/login'))
    tokenStore.set('token-2')
    await act(() => app.router.navigate(here))
    expect(await screen.findByLabelText('Manual feedback')).toHaveProperty('value', 'Half a thought')
    await screen.findByText(/Restored your unsaved changes/)
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
  })
})

describe('keys', () => {
  it('walk through the class', async () => {
    const app = await open()
    await userEvent.keyboard('j')
    await waitFor(() => expect(app.address()).toBe('/assignments/5/submissions/32'))
  })

  it('do nothing while someone types', async () => {
    const app = await open()
    const { user } = await edit()
    await user.type(screen.getByLabelText('Manual feedback'), 'jk e?2')
    expect(app.address()).toBe(here)
    expect(screen.getByLabelText('Manual feedback')).toHaveProperty('value', 'jk e?2')
    expect(screen.queryByText('Keyboard shortcuts')).toBeNull()
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
  })

  it('of one letter can be turned off, and stay off', async () => {
    const app = await open()
    const user = userEvent.setup()
    await user.keyboard('?')
    await user.click(await screen.findByLabelText('Single-key shortcuts'))
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await user.keyboard('je')
    expect(app.address()).toBe(here)
    expect(screen.getByRole('button', { name: 'Edit Grade' })).toBeTruthy()
    expect(localStorage.getItem('assay.single-keys')).toBe('off')
  })
})

describe('without a grade', () => {
  it('says so, and shows the grade as soon as it is there', async () => {
    await open(buildSubmission({ grade: null, status: 'uploaded' }))
    expect(screen.getByRole('heading', { name: 'No Grade Available' })).toBeTruthy()
    screen.getByText("This submission hasn't been graded yet. Process the assignment to generate grades.")
    screen.getByText('Submission #31')
    const done = buildSubmission()
    serve(done, ...neighbours)
    sendEvent('submission_changed', done)
    await screen.findByText('suggested · 1 of 2 questions to check')
  })

  it('says why a paper failed, and has it graded again alone', async () => {
    const bodies = mockBodies(processAssignment, () =>
      ok(processAssignment, { message: 'Started', run_id: 1, queued: 1 }),
    )
    const failed = { code: 'encrypted', message: 'This PDF is password-protected.' }
    await open(buildSubmission({ grade: null, status: 'failed', failure: failed }))
    expect(screen.getByText('This PDF is password-protected.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(bodies).toEqual([{ submission_ids: [31] }]))
  })

  it('says Submission Not Found, and Error Loading Submission', async () => {
    serve()
    const app = renderPage(here)
    await screen.findByRole('heading', { name: 'Submission Not Found' })
    app.unmount()
    mockEndpoint(getSubmission, emptyErrorReply)
    renderPage(here)
    await screen.findByText('Error Loading Submission')
    screen.getByText('Failed to fetch submission details.')
  })
})
