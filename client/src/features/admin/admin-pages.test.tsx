import {
  type AuditEntry,
  changeUserRole,
  createManagedUser,
  getAdminDashboard,
  listAudit,
  listAuditActions,
  listUsers,
  type ManagedUser,
} from '@assay/shared/admin.ts'
import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { getSystemLlm } from '@assay/shared/llm/llm.ts'
import { previewSchoolRetention } from '@assay/shared/retention.ts'
import {
  changeSystemSettings,
  getStorageUsage,
  getSystemSettings,
  type SystemSettings,
  sendTestMail,
} from '@assay/shared/settings.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { admin, emptyErrorReply, errorReply, mockEndpoint, ok, signInAs, teacher } from '../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../testing/render.tsx'
import { actionLabel, changesOf } from './audit/AuditList.tsx'

const at = '2026-01-12T14:02:00Z'
const account = (id: number, username: string): ManagedUser => ({
  ...teacher,
  id,
  username,
  full_name: username === 'mkeller' ? 'Martin Keller' : null,
  account: 'active',
  last_seen_at: null,
  courses_taught: 2,
  deleted: false,
})

const settings: SystemSettings = {
  values: {
    instructor_registration: { value: 'open', source: 'default' },
    support_email: { value: 'help@school.example', source: 'environment' },
    smtp_url: { value: 'smtp://mail.school.example:587', source: 'stored' },
    mail_from: { value: 'Assay <a@school.example>', source: 'default' },
    grading_concurrency: { value: 4, source: 'default' },
    limit_sign_in_account: { value: 10, source: 'default' },
    limit_sign_in_address: { value: 100, source: 'default' },
    limit_registration: { value: 600, source: 'default' },
    limit_reset: { value: 20, source: 'default' },
    limit_invitations: { value: 1000, source: 'default' },
    limit_upload: { value: 600, source: 'default' },
    retention_months: { value: 0, source: 'default' },
  },
  smtp_unreadable: false,
  outbox_folder: '/data/outbox',
}

beforeEach(() => signInAs(admin))

describe('user management', () => {
  it('says what a role change means before it is made, shows it in the row, and leaves one’s own account alone', async () => {
    const rows = [account(3, 'mkeller'), { ...account(9, 'alma'), role: 'admin' as const }]
    mockEndpoint(listUsers, () => ok(listUsers, rows, { 'X-Total-Count': '2' }))
    const changed = mockEndpoint(changeUserRole, { ...account(3, 'mkeller'), role: 'student' })
    const { user } = renderPage('/admin/users')
    expect(await screen.findByText('You')).toBeTruthy()
    expect(screen.getByText('Martin Keller').textContent).toBe('Martin Keller · mkeller · ID 3')
    expect(screen.queryByRole('button', { name: 'Actions for alma' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Actions for Martin Keller' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Change role' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('button', { name: 'Change role' })).toHaveProperty('disabled', true)
    await user.selectOptions(within(dialog).getByLabelText('Role'), 'student')
    expect(dialog.textContent).toContain('They teach 2 courses.')
    expect(dialog.textContent).toContain('They are signed out')
    await user.click(within(dialog).getByRole('button', { name: 'Change role' }))
    expect(await screen.findByText('Martin Keller is now student.')).toBeTruthy()
    expect(changed[0]?.url.pathname).toBe('/api/v1/admin/users/3/role')
  })

  it('keeps what was typed when an account cannot be made, and shows a made password once', async () => {
    mockEndpoint(listUsers, () => ok(listUsers, [account(3, 'mkeller')], { 'X-Total-Count': '1' }))
    const taken = {
      validation_errors: [{ field: 'username', message: 'This username is already taken.', constraint: 'duplicate' }],
    }
    mockEndpoint(createManagedUser, (_, count) =>
      count === 1
        ? errorReply('duplicate', taken)
        : ok(createManagedUser, { user: account(4, 'new-one'), password: 'made-here-once' }),
    )
    const { user } = renderPage('/admin/users')
    await user.click(await screen.findByRole('button', { name: 'Create User' }))
    const dialog = await screen.findByRole('dialog')
    await user.type(within(dialog).getByLabelText(/Username/), 'mkeller')
    await user.type(within(dialog).getByLabelText(/Email Address/), 'new@school.example')
    await user.click(within(dialog).getByRole('button', { name: 'Create User' }))
    expect(await within(dialog).findByText('This username is already taken.')).toBeTruthy()
    expect(within(dialog).getByLabelText(/Email Address/)).toHaveProperty('value', 'new@school.example')
    await user.click(within(dialog).getByRole('button', { name: 'Create User' }))
    expect(await screen.findByText('made-here-once')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText('made-here-once')).toBeNull())
  })
})

describe('system settings', () => {
  beforeEach(() => {
    mockEndpoint(getSystemSettings, () => ok(getSystemSettings, settings))
    mockEndpoint(getSystemLlm, () => errorReply('service_unavailable', { can_retry: false }))
    mockEndpoint(getStorageUsage, () => errorReply('service_unavailable', { can_retry: false }))
  })

  it('shows what the environment says without letting it be typed over, and never a stored mail server', async () => {
    renderPage('/admin/settings')
    const support = await screen.findByLabelText('Support email')
    expect(support).toHaveProperty('value', 'help@school.example')
    expect(support).toHaveProperty('readOnly', true)
    expect(screen.getByText('Set by the server’s environment (SUPPORT_EMAIL).')).toBeTruthy()
    expect(screen.getByLabelText('Mail server')).toHaveProperty('value', '')
    expect(screen.getByRole('button', { name: 'Save Changes' })).toHaveProperty('disabled', true)
  })

  it('sends only what was changed, and keeps it typed when the server refuses', async () => {
    const msg = 'Not as many'
    const sent = mockEndpoint(changeSystemSettings, (_, count) =>
      count === 1
        ? errorReply('validation_failed', { detail: [{ loc: ['body', 'limit_upload'], msg, type: 'too_many' }] })
        : ok(changeSystemSettings, {
            ...settings,
            values: { ...settings.values, limit_upload: { value: 30, source: 'stored' } },
          }),
    )
    const { user } = renderPage('/admin/settings')
    const field = await screen.findByLabelText('Uploads per user per hour')
    const save = async (text: string) => {
      await user.clear(field)
      await user.type(field, text)
      await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    }
    await user.clear(field)
    await user.type(field, '0')
    expect(screen.getByText('You have unsaved changes')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(screen.getByText('At least 1')).toBeTruthy()
    expect(document.activeElement).toBe(field)
    expect(sent).toEqual([])
    await save('90000')
    expect(await screen.findByText(msg)).toBeTruthy()
    expect(field).toHaveProperty('value', '90000')
    await save('30')
    expect(await screen.findByText('Settings saved.')).toBeTruthy()
    expect(await sent[1]?.json()).toEqual({ limit_upload: 30 })
    expect(field).toHaveProperty('value', '30')
    expect(screen.getByRole('button', { name: 'Use default: Uploads per user per hour' })).toBeTruthy()
  })

  const noNotices = { delete_at: '2026-12-12T10:00:00Z', noticed: 0, withdrawn: 0 }
  const older = { effective_months: 24, assignments: 500, papers: 9000, complete: false, ...noNotices }

  it('sets how long the school keeps student work, in months, after a question that says what will be deleted', async () => {
    const values = { ...settings.values, retention_months: { value: 24, source: 'stored' as const } }
    const sent = mockEndpoint(changeSystemSettings, () => ok(changeSystemSettings, { ...settings, values }))
    const asked = mockEndpoint(previewSchoolRetention, () => ok(previewSchoolRetention, older))
    const { user } = renderPage('/admin/settings')
    const rule = await screen.findByLabelText('Student work of courses without a rule of their own')
    expect(rule).toHaveProperty('value', '0')
    await user.selectOptions(rule, 'Delete it 2 years after the last activity')
    const sentence = /^At least 500 assignments with 9,000 papers are older than this\. Their student work will be/
    await screen.findByText(sentence)
    expect(asked[0]?.url.searchParams.get('months')).toBe('24')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    const question = await screen.findByRole('dialog', { name: 'Delete student work by this rule?' })
    expect(within(question).getByText(sentence)).toBeTruthy()
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(sent).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    const again = await screen.findByRole('dialog', { name: 'Delete student work by this rule?' })
    await user.click(within(again).getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('Settings saved.')).toBeTruthy()
    expect(await sent[0]?.json()).toEqual({ retention_months: 24 })
    expect(rule).toHaveProperty('value', '24')
    expect(screen.queryByText(/are older than this/)).toBeNull()
  })

  it('sets a rule that deletes nothing without a question, and asks where that could not be counted', async () => {
    const values = { ...settings.values, retention_months: { value: 24, source: 'stored' as const } }
    const sent = mockEndpoint(changeSystemSettings, () => ok(changeSystemSettings, { ...settings, values }))
    const nothing = { ...older, assignments: 0, papers: 0, complete: true }
    mockEndpoint(previewSchoolRetention, ({ url }) =>
      url.searchParams.get('months') === '24' ? ok(previewSchoolRetention, nothing) : emptyErrorReply(),
    )
    const { user } = renderPage('/admin/settings')
    const rule = await screen.findByLabelText('Student work of courses without a rule of their own')
    await user.selectOptions(rule, 'Delete it 1 year after the last activity')
    expect(await screen.findByText('What this would delete could not be counted.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    const question = await screen.findByRole('dialog', { name: 'Delete student work by this rule?' })
    expect(within(question).getByText('What this would delete could not be counted.')).toBeTruthy()
    expect(within(question).getByRole('button', { name: 'Save Changes' })).toHaveProperty('disabled', false)
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    await user.selectOptions(rule, 'Delete it 2 years after the last activity')
    expect(await screen.findByText('Nothing is older than this at the moment.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('Settings saved.')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(sent).toHaveLength(1)
  })

  it('resets a setting to its default at once, and preserves what is typed elsewhere', async () => {
    const removed = {
      ...settings,
      values: { ...settings.values, smtp_url: { value: null, source: 'default' as const } },
    }
    const sent = mockEndpoint(changeSystemSettings, (_, count) =>
      count === 1 ? errorReply('conflict', { detail: 'Mail is being sent.' }) : ok(changeSystemSettings, removed),
    )
    const { user } = renderPage('/admin/settings')
    const uploads = await screen.findByLabelText('Uploads per user per hour')
    await user.type(screen.getByLabelText('Mail server'), 'smtp://')
    await user.clear(uploads)
    await user.type(uploads, '30')
    const remove = screen.getByRole('button', { name: 'Remove server: Mail server' })
    await user.click(remove)
    expect(await screen.findByText('Mail is being sent.')).toBeTruthy()
    expect(screen.getByLabelText('Mail server')).toHaveProperty('value', 'smtp://')
    await user.click(remove)
    expect(await screen.findByText('Default restored.')).toBeTruthy()
    expect(await sent[1]?.json()).toEqual({ smtp_url: null })
    expect(screen.queryByText('Mail is being sent.')).toBeNull()
    expect(screen.getByLabelText('Mail server')).toHaveProperty('value', '')
    expect(uploads).toHaveProperty('value', '30')
  })

  it('shows whether the test mail was sent', async () => {
    const message = 'The email was not sent: connect ECONNREFUSED'
    mockEndpoint(sendTestMail, () => ok(sendTestMail, { outcome: 'failed', message }))
    renderPage('/admin/settings')
    await userEvent.click(await screen.findByRole('button', { name: 'Send me a test email' }))
    expect(await screen.findByText(message)).toBeTruthy()
  })
})

const entry: AuditEntry = {
  id: 1,
  at,
  action: 'user.role_changed',
  actor: { id: 9, username: 'alma', full_name: null, role: 'admin' },
  subjects: [{ kind: 'user', id: 3, name: 'mkeller' }],
  before: { role: 'student' },
  after: { role: 'instructor' },
}

it('describes the audit log’s entries, and requests what was chosen', async () => {
  const asked = mockEndpoint(listAudit, () => ok(listAudit, [entry], { 'X-Total-Count': '1' }))
  mockEndpoint(listAuditActions, () => ok(listAuditActions, ['user.role_changed']))
  renderPage('/admin/audit')
  const row = await screen.findByRole('listitem')
  expect(row.textContent).toMatch(/User role changed.*account mkeller.*role student → instructor.*alma \(admin\)/)
  await screen.findByRole('option', { name: 'User role changed' })
  await userEvent.selectOptions(screen.getByLabelText('Action'), 'user.role_changed')
  await fillIn(screen.getByLabelText('Person'), 'kel')
  await waitFor(() => {
    const query = asked.at(-1)?.url.searchParams
    expect([query?.get('action'), query?.get('person')]).toEqual(['user.role_changed', 'kel'])
  })
})

it('describes unknown actions, and leaves out what stayed the same', () => {
  expect(actionLabel('course.code_changed')).toBe('Course code changed')
  expect(actionLabel('user.joined_with_lms')).toBe('User joined with LMS')
  expect(actionLabel('lms.switched_off')).toBe('LMS deactivated')
  expect(actionLabel('user.erased')).toBe('Account deleted')
  expect(actionLabel('user.data_exported')).toBe('User’s data downloaded')
  expect(changesOf({ before: {}, after: { lms_course: 'Biology 1', by: 'lms' } })).toEqual([
    { field: 'LMS course', from: 'none', to: 'Biology 1' },
    { field: 'by', from: 'none', to: 'LMS' },
  ])
  expect(changesOf({ before: { a: 1, b: null }, after: { a: 1, b: true } })).toEqual([
    { field: 'b', from: 'none', to: 'yes' },
  ])
  expect(changesOf({ before: null, after: 'text' })).toEqual([])
})

it('sends an administrator to their own dashboard, and a teacher away from it', async () => {
  mockEndpoint(getAdminDashboard, () => errorReply('service_unavailable', { can_retry: false }))
  mockEndpoint(listAudit, () => ok(listAudit, []))
  signInAs(teacher)
  const { address } = renderPage('/admin/dashboard')
  await waitFor(() => expect(address()).toBe('/dashboard'))
})

const figures: ReplyOf<typeof getAdminDashboard> = {
  users: {
    total: 3,
    students: 1,
    instructors: 1,
    admins: 1,
    pending: 1,
    deactivated: 0,
    active_now: 1,
    active_today: 1,
  },
  courses: 0,
  assignments: { total: 0, published: 0 },
  submissions: { total: 0, failed: 0 },
  grades_today: 0,
  work: { runs: 0, queued: 0, running: 0, failed: [] },
  lms: { total: 1, waiting: 0 },
  health: [],
  attention: [],
  version: '1.0.0',
  uptime_seconds: 60,
}
const items: ReplyOf<typeof getAdminDashboard>['attention'] = [
  { kind: 'jobs_waiting', severity: 'bad', title: '2 jobs should have run long ago', advice: 'Look.', since: at },
  { kind: 'instructors_waiting', severity: 'warn', title: '1 instructor is waiting', advice: 'Approve.', since: null },
]

it('the dashboard says first what needs attention, and leads to it', async () => {
  mockEndpoint(getAdminDashboard, () => ok(getAdminDashboard, { ...figures, attention: items }))
  mockEndpoint(listAudit, () => ok(listAudit, []))
  const asked = mockEndpoint(listUsers, () => ok(listUsers, [account(3, 'mkeller')], { 'X-Total-Count': '1' }))
  const { user } = renderPage('/admin/dashboard')
  const rows = within(await screen.findByRole('list', { name: 'Needs attention' })).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Failing2 jobs should have run long agoLook\. Since Jan 12, .*\.$/),
    'Warning1 instructor is waitingApprove.Review',
  ])
  await user.click(screen.getByRole('link', { name: 'Review: 1 instructor is waiting' }))
  expect(await screen.findByLabelText('State')).toHaveProperty('value', 'pending')
  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get('account')).toBe('pending'))
})

it('the dashboard says that nothing does', async () => {
  mockEndpoint(getAdminDashboard, () => ok(getAdminDashboard, figures))
  mockEndpoint(listAudit, () => ok(listAudit, []))
  renderPage('/admin/dashboard')
  expect(await screen.findByText('Nothing needs attention.')).toBeTruthy()
})

it('the dashboard keeps the figures when they cannot be updated, and says so', async () => {
  mockEndpoint(getAdminDashboard, (_, count) =>
    count === 1 ? ok(getAdminDashboard, figures) : errorReply('service_unavailable', { can_retry: false }),
  )
  mockEndpoint(listAudit, () => ok(listAudit, []))
  const { user } = renderPage('/admin/dashboard')
  await screen.findByText('Nothing needs attention.')
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByText(/could not be updated/)).toBeTruthy()
  expect(screen.getByText('Nothing needs attention.')).toBeTruthy()
})
