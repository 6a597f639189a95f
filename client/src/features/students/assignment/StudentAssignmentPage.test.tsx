import { getPhotoDraft } from '@assay/shared/photo-drafts.ts'
import { requestRegrade } from '@assay/shared/regrades.ts'
import {
  getAttemptFile,
  getStudentAssignment,
  handInPaper,
  type StudentAssignmentDetails,
} from '@assay/shared/students.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatDateTime } from '../../../lib/format.ts'
import { buildRegradeRequest } from '../../../testing/build-regrade.ts'
import {
  buildReleasedAssignment,
  buildStudentAssignment,
  buildSubmittedAssignment,
} from '../../../testing/build-student-work.ts'
import { errorReply, mockBodies, mockEndpoint, ok, signInAs, student } from '../../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../../testing/render.tsx'

beforeEach(() => {
  signInAs(student)
  mockEndpoint(getPhotoDraft, () => ok(getPhotoDraft, { id: null, revision: 0, expires_at: null, pages: [] }))
})

function open(assignment: StudentAssignmentDetails) {
  mockEndpoint(getStudentAssignment, () => ok(getStudentAssignment, assignment))
  return renderPage('/student/assignments/5')
}

const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' })
const chooser = () => screen.findByLabelText('Choose your paper')

describe('handing in', () => {
  it('sends the paper, says when it came in, and shows it', async () => {
    const heard = mockEndpoint(handInPaper, () =>
      ok(handInPaper, buildSubmittedAssignment({ submission_date: '2026-02-03T10:15:00Z' })),
    )
    open(buildStudentAssignment())
    await userEvent.upload(await chooser(), pdf('forces.pdf'))
    await userEvent.click(screen.getByRole('button', { name: 'Hand in' }))
    await screen.findByText(/Handed in on/, { selector: '[role="note"] *' })
    expect(heard).toHaveLength(1)
    expect(screen.getByRole('heading', { name: 'Your paper' })).toBeTruthy()
    expect(screen.getByText('forces.pdf')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Hand in again' })).toBeTruthy()
  })

  it('leaves the chosen file when it is refused, with the reason', async () => {
    mockEndpoint(handInPaper, () =>
      errorReply('files_refused', {
        detail: [{ loc: ['body', 'file'], msg: 'forces.pdf: Only PDF files are allowed', type: 'not_pdf' }],
      }),
    )
    open(buildStudentAssignment())
    await userEvent.upload(await chooser(), pdf('forces.pdf'))
    await userEvent.click(screen.getByRole('button', { name: 'Hand in' }))
    await screen.findByText('forces.pdf: Only PDF files are allowed', { selector: '[role="alert"] li' })
    expect(within(screen.getByRole('list', { name: 'Chosen paper' })).getByText('forces.pdf')).toBeTruthy()
  })

  it('asks for a file before anything is sent', async () => {
    open(buildStudentAssignment())
    await chooser()
    await userEvent.click(screen.getByRole('button', { name: 'Hand in' }))
    await screen.findByText('Please select files to upload')
  })

  it('says before what handing in again does, to one’s own paper and to the teacher’s', async () => {
    let app = open(buildSubmittedAssignment())
    await screen.findByText(/replaces this one/)
    app.unmount()
    app = open(buildSubmittedAssignment({ paper: { file_name: 'scan.pdf', handed_in_by: 'teacher' } }))
    await screen.findByText(/Your instructor uploaded this paper for you/)
    expect(screen.getByText(/^Uploaded by your instructor/)).toBeTruthy()
  })

  it('warns that the paper will be late, and says why nothing can be handed in', async () => {
    const app = open(
      buildStudentAssignment({
        state: 'overdue',
        late_rule: 'mark_late',
        late_penalty: { percent_per_day: 10, max_percent: 50, grace_minutes: 0 },
        due_at: '2026-01-01T00:00:00Z',
      }),
    )
    await screen.findByText(/your paper will be marked late.*−10 percentage points for each day late, at most −50/)
    expect(screen.getByText('Was due')).toBeTruthy()
    app.unmount()
    open(
      buildStudentAssignment({
        state: 'closed',
        can_hand_in: false,
        why_not: 'This assignment closed on 2026-01-20 09:00 UTC.',
      }),
    )
    await screen.findByText(`This assignment closed on ${formatDateTime('2026-01-20T09:00Z')}.`)
    expect(screen.queryByRole('button', { name: 'Hand in' })).toBeNull()
  })

  it('lists the earlier papers, and says beside them that a download failed', async () => {
    mockEndpoint(getAttemptFile, () => errorReply('resource_not_found', { detail: 'This paper is no longer stored.' }))
    const attempt = { number: 1, file_name: 'first.pdf', late: true, handed_in_by: 'student' } as const
    open(buildSubmittedAssignment({ earlier_attempts: [{ ...attempt, handed_in_at: '2026-01-10T09:00:00Z' }] }))
    await userEvent.click(await screen.findByRole('button', { name: 'Download first.pdf' }))
    await screen.findByText('This paper is no longer stored.')
    expect(screen.getByText(/, late/)).toBeTruthy()
  })
})

describe('what came back', () => {
  it('shows score, letter, feedback and whose it is, and the words each part rests on', async () => {
    open(buildReleasedAssignment())
    await screen.findByTestId('paper')
    // The answer key is not theirs to see.
    expect(screen.queryByRole('radio', { name: 'Key' })).toBeNull()
    expect(screen.getAllByText('80.0 %').length).toBeGreaterThan(0)
    expect(screen.getAllByText('B-').length).toBeGreaterThan(0)
    expect(screen.getByText('AI-assisted grade')).toBeTruthy()
    expect(screen.getByText('16 of 20 points')).toBeTruthy()
    expect(screen.getByText('A good paper.')).toBeTruthy()
    expect(screen.getByRole('note').textContent).toContain('your instructor decides')
    await userEvent.click(screen.getByRole('button', { name: /Why does ice float/, pressed: false }))
    expect(screen.getByText('“it is less dense”', { exact: false })).toBeTruthy()
    expect(screen.getByTestId('paper').dataset.look).toBe('criterion 41')
    expect(screen.queryByText(/Confidence/)).toBeNull()
  })

  it('opens the part that is pointed at on the paper', async () => {
    open(buildReleasedAssignment())
    await screen.findByTestId('paper')
    await userEvent.click(screen.getByRole('button', { name: 'Evidence for 1: Why does ice float?' }))
    expect(screen.getByRole('button', { name: /^1Why does ice float/, pressed: true })).toBeTruthy()
  })

  it('says that a part has nothing on the paper, and that the teacher set the score', async () => {
    open(buildReleasedAssignment({ points: { given: 19, of: 20 }, reviewed_by_teacher: true, feedback_by: 'teacher' }))
    await screen.findByText('reviewed by your instructor')
    expect(screen.getByText(/Your instructor set the overall score/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: /Name the bonds/ }))
    expect(screen.getByText('No evidence found on the paper.')).toBeTruthy()
  })

  it('says Assignment Not Found, and Failed to Load Assignment', async () => {
    mockEndpoint(getStudentAssignment, () => errorReply('resource_not_found'))
    const app = renderPage('/student/assignments/5')
    await screen.findByRole('heading', { name: 'Assignment Not Found' })
    app.unmount()
    mockEndpoint(getStudentAssignment, () => errorReply('service_unavailable'))
    renderPage('/student/assignments/5')
    await screen.findByRole('heading', { name: 'Failed to Load Assignment', level: 1 })
  })
})

const request = buildRegradeRequest({
  reason: 'I did name them.',
  criterion: { id: 42, text: 'Name the bonds.' },
  score_when_asked: 80,
})

describe('requesting a regrade', () => {
  it('sends the reason with the part it is about, and then waits for the answer', async () => {
    let assignment = buildReleasedAssignment()
    mockEndpoint(getStudentAssignment, () => ok(getStudentAssignment, assignment))
    const bodies = mockBodies(requestRegrade, () => {
      assignment = buildReleasedAssignment({ regrades: [request], can_ask_regrade: false })
      return ok(requestRegrade, request)
    })
    renderPage('/student/assignments/5')
    await userEvent.click(await screen.findByRole('button', { name: 'Request a regrade' }))
    await userEvent.click(screen.getByRole('button', { name: 'Send request' }))
    expect(screen.getByText('Enter a reason')).toBeTruthy()
    await userEvent.selectOptions(screen.getByLabelText('What is it about?'), '2. Name the bonds.')
    await fillIn(screen.getByLabelText(/^Reason/), 'I did name them.')
    await userEvent.click(screen.getByRole('button', { name: 'Send request' }))
    await screen.findByText('Waiting for an answer')
    expect(bodies).toEqual([{ reason: 'I did name them.', criterion_id: 42 }])
    expect(screen.queryByRole('button', { name: 'Request a regrade' })).toBeNull()
  })

  it('preserves the text when sending fails', async () => {
    mockEndpoint(requestRegrade, () => errorReply('conflict'))
    open(buildReleasedAssignment())
    await userEvent.click(await screen.findByRole('button', { name: 'Request a regrade' }))
    await fillIn(screen.getByLabelText(/^Reason/), 'Look at 2')
    await userEvent.click(screen.getByRole('button', { name: 'Send request' }))
    await screen.findByText(/Someone else changed this in the meantime/)
    expect(screen.getByDisplayValue('Look at 2')).toBeTruthy()
  })

  it('shows the answer and what became of the grade', async () => {
    const answered = { ...request, state: 'answered' as const, answered_at: '2026-01-14T08:00:00Z' }
    open(
      buildReleasedAssignment({
        can_ask_regrade: false,
        regrades: [{ ...answered, answer: 'You did; sorry.', score_when_answered: 90 }],
      }),
    )
    await screen.findByText('You did; sorry.')
    expect(screen.getByText(/The grade changed from 80.0 % to 90.0 %/)).toBeTruthy()
  })
})
