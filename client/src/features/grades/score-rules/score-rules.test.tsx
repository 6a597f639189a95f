import { getAssignment, listExtensions } from '@assay/shared/assignments.ts'
import { listCourses } from '@assay/shared/courses.ts'
import {
  type AssignmentScoreRules,
  getScoreRules,
  previewScoreRules,
  setScoreRules,
  waiveLatePenalty,
} from '@assay/shared/score-rules.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildScoreRules, buildScoreRulesPreview } from '../../../testing/build-score-rules.ts'
import { buildReleasedAssignment } from '../../../testing/build-student-work.ts'
import { buildSubmission } from '../../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs, student } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

const TEN_A_DAY = { percent_per_day: 10, max_percent: 50, grace_minutes: 30 }
const LATE = {
  raw_score: 72,
  score: 62,
  raw_points: { given: 14.4, of: 20 },
  points: { given: 12.4, of: 20 },
  steps: [{ kind: 'late' as const, days: 1, from: 14.4, to: 12.4 }],
}

describe('the score rules in an assignment’s settings', () => {
  beforeEach(() => {
    signInAs()
    mockEndpoint(listCourses, () => ok(listCourses, [], { 'X-Total-Count': '0' }))
    mockEndpoint(listExtensions, () => ok(listExtensions, []))
  })

  async function open(rules: AssignmentScoreRules, status: 'draft' | 'published' = 'draft') {
    const now = { rules }
    mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ id: 5, status, lms_names: ['Moodle'] })))
    mockEndpoint(getScoreRules, () => ok(getScoreRules, now.rules))
    renderPage('/assignments/5/settings')
    await screen.findByRole('button', { name: 'Adjust Scores' })
    return { user: userEvent.setup(), now }
  }

  it('are previewed before they are saved, and save what the preview has shown', async () => {
    const { user, now } = await open(buildScoreRules({ version: 2 }), 'published')
    const previews = mockEndpoint(previewScoreRules, () =>
      ok(
        previewScoreRules,
        buildScoreRulesPreview({ adjustment: { kind: 'scale', factor: 1.25 }, released: 28, released_changed: 27 }),
      ),
    )
    const saves = mockEndpoint(setScoreRules, () => {
      now.rules = buildScoreRules({ version: 3, adjustment: { kind: 'scale', factor: 1.25 } })
      return ok(setScoreRules, now.rules)
    })
    await user.click(screen.getByRole('button', { name: 'Adjust Scores' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Adjust scores' }))
    expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull()
    await user.click(dialog.getByRole('switch', { name: /^Take points for late work/ }))
    await user.clear(dialog.getByLabelText('Taken per day late'))
    await user.type(dialog.getByLabelText('Taken per day late'), '5')
    await user.click(dialog.getByRole('radio', { name: 'Raise the best paper to 100 %' }))
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    const figures = await dialog.findByRole('region', { name: 'Preview' })
    await waitFor(() => expect(document.activeElement).toBe(figures))
    expect(dialog.getByText('× 1.25 for every paper', { exact: false })).toBeTruthy()
    expect(dialog.getByText(/27 of 28 released scores change.*sent to Moodle/)).toBeTruthy()
    expect(within(dialog.getByRole('table')).getAllByRole('row')).toHaveLength(11)

    await user.type(dialog.getByLabelText('Grace period'), '5')
    expect(dialog.queryByRole('heading', { name: 'Preview' })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    await user.click(await dialog.findByRole('button', { name: 'Save' }))
    await screen.findByText('× 1.25 for every paper')
    const late_penalty = { percent_per_day: 5, max_percent: 50, grace_minutes: 5 }
    expect(await Promise.all(previews.map((heard) => heard.json()))).toMatchObject([
      { adjustment: { kind: 'scale_to_best' } },
      { adjustment: { kind: 'scale_to_best' }, late_penalty },
    ])
    expect(await Promise.all(saves.map((heard) => heard.json()))).toEqual([
      { late_penalty, adjustment: { kind: 'scale', factor: 1.25 }, version: 2 },
    ])
  })

  it('say at each field what to enter, and offer no penalty where late work is not marked late', async () => {
    const { user } = await open(buildScoreRules({ late_rule: 'accept' }))
    const previews = mockEndpoint(previewScoreRules, () => ok(previewScoreRules, buildScoreRulesPreview()))
    await user.click(screen.getByRole('button', { name: 'Adjust Scores' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Adjust scores' }))
    expect(dialog.getByRole<HTMLInputElement>('switch').disabled).toBe(true)
    expect(dialog.getByText(/First choose “Mark late”/)).toBeTruthy()
    await user.click(dialog.getByRole('radio', { name: 'Add percentage points' }))
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText('Enter the percentage points to add')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Points to add')))
    await user.type(dialog.getByLabelText('Points to add'), '0')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText('Enter a number other than 0')).toBeTruthy()
    expect(previews).toEqual([])
  })

  it('keep what was entered when somebody else has changed them', async () => {
    const { user } = await open(buildScoreRules())
    mockEndpoint(previewScoreRules, buildScoreRulesPreview({ adjustment: { kind: 'shift', points_percent: 5 } }))
    mockEndpoint(setScoreRules, () => errorReply('conflict', { detail: 'Somebody else has changed these settings.' }))
    await user.click(screen.getByRole('button', { name: 'Adjust Scores' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Adjust scores' }))
    await user.click(dialog.getByRole('radio', { name: 'Add percentage points' }))
    await user.type(dialog.getByLabelText('Points to add'), '5')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    await user.click(await dialog.findByRole('button', { name: 'Save' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('Somebody else has changed')
    expect(dialog.getByLabelText<HTMLInputElement>('Points to add').value).toBe('5')
  })

  it('tell what holds and who set it, show how far released scores are, and take the last change back', async () => {
    const { user, now } = await open(
      buildScoreRules({
        version: 4,
        late_penalty: TEN_A_DAY,
        changed: { by_name: 'Martin Keller', at: '2026-02-03T09:00:00Z' },
        previous: { late_penalty: null, adjustment: { kind: 'shift', points_percent: 5 } },
        releasing: { done: 120, total: 300 },
      }),
      'published',
    )
    expect(
      screen.getByText('−10 percentage points for each day late, at most −50, after 30 minutes’ grace'),
    ).toBeTruthy()
    expect(screen.getByText(/Changed by Martin Keller/)).toBeTruthy()
    expect(screen.getByText('Updating released scores: 120 of 300')).toBeTruthy()
    const saves = mockEndpoint(setScoreRules, () => {
      now.rules = buildScoreRules({ version: 5, adjustment: { kind: 'shift', points_percent: 5 } })
      return ok(setScoreRules, now.rules)
    })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Undo the last change?' }))
    expect(dialog.getByText(/Late work: No penalty. All scores: \+5 percentage points for every paper/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Undo Change' }))
    await screen.findByText('+5 percentage points for every paper')
    expect(await Promise.all(saves.map((heard) => heard.json()))).toEqual([
      { late_penalty: null, adjustment: { kind: 'shift', points_percent: 5 }, version: 4 },
    ])
  })
})

it('shows the score that counts on the review of a paper, and waives its late penalty', async () => {
  signInAs()
  const paper = { ...buildSubmission(), late: true, adjusted: LATE }
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ id: paper.assignment_id })))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
  const now: { waived: boolean } = { waived: false }
  mockEndpoint(getSubmission, () => {
    const { adjusted, ...raw } = paper
    return ok(getSubmission, now.waived ? { ...raw, late_waived: true } : { ...raw, adjusted })
  })
  const sent: boolean[] = []
  mockEndpoint(waiveLatePenalty, async (heard) => {
    now.waived = ((await heard.json()) as { waived: boolean }).waived
    sent.push(now.waived)
    return ok(waiveLatePenalty, { late_waived: now.waived, adjusted: now.waived ? null : LATE })
  })
  const { user } = renderPage(`/assignments/${paper.assignment_id}/submissions/${paper.id}`)
  const part = within(await screen.findByRole('region', { name: 'Score that counts' }))
  expect(part.getByText('Late by 1 day: −2 points')).toBeTruthy()
  expect(part.getByText('As graded: 14.4 of 20 points (72.0 %)')).toBeTruthy()
  await user.click(part.getByRole('button', { name: 'Waive penalty' }))
  await part.findByText('Late penalty waived')
  expect(part.queryByText('Late by 1 day: −2 points')).toBeNull()
  await user.click(part.getByRole('button', { name: 'Apply penalty' }))
  await part.findByText('Late by 1 day: −2 points')
  expect(sent).toEqual([true, false])
})

it('shows a student each step from the score as graded to the one that counts', async () => {
  signInAs(student)
  mockEndpoint(
    getStudentAssignment,
    buildReleasedAssignment({ overall_score: 62, points: LATE.points, adjusted: LATE }),
  )
  renderPage('/student/assignments/5')
  const steps = within(await screen.findByRole('list', { name: 'How the score came about' }))
  expect(steps.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'As graded: 14.4 of 20 points (72.0\u00a0%)',
    'Late by 1 day: −2 points',
  ])
  expect(screen.getAllByText('62.0 %').length).toBeGreaterThan(0)
})
