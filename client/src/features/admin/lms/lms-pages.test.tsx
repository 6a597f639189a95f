import {
  approvePlatform,
  changePlatform,
  createPlatform,
  deactivatePlatform,
  deletePlatform,
  getPlatform,
  listLaunchLog,
  listPlatforms,
  type Platform,
} from '@assay/shared/lti/lti-platforms.ts'
import {
  createRegistrationLink,
  getToolValues,
  listRegistrationLinks,
  type RegistrationLink,
  revokeRegistrationLink,
} from '@assay/shared/lti/lti-registration.ts'
import { getSelfTest, type SelfTest, type SelfTestCheck, startSelfTest } from '@assay/shared/lti/lti-self-test.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { admin, errorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

const at = '2026-01-12T14:02:00Z'
const site = 'https://moodle.school.example'
const values = {
  lms: 'moodle',
  issuer: site,
  client_id: 'assay-1',
  auth_endpoint: `${site}/mod/lti/auth.php`,
  token_endpoint: `${site}/mod/lti/token.php`,
  token_audience: null,
  jwks_url: `${site}/mod/lti/certs.php`,
} as const
const platform: Platform = {
  id: 3,
  name: 'School of the North',
  ...values,
  origins: [],
  deployments: [{ id: '2', first_seen_at: at }],
  deployments_fixed: false,
  status: 'active',
  registered_by: 'values',
  can_update_registration: false,
  scopes: null,
  proposed: null,
  same_issuer: [],
  key: { kid: 'abc123', created_at: at },
  earlier_keys: [{ kid: 'old999', created_at: at, gone_at: '2026-01-19T14:02:00Z' }],
  last_launch: null,
  created_at: at,
  updated_at: at,
}
const tool = {
  name: 'Assay',
  description: 'Grades papers',
  public_url: 'https://assay.school.example',
  https: true,
  domain: 'assay.school.example',
  login_url: 'https://assay.school.example/lti/login',
  launch_url: 'https://assay.school.example/lti/launch',
  jwks_url: 'https://assay.school.example/lti/keys',
  icon_url: 'https://assay.school.example/favicon.svg',
  canvas_json_url: 'https://assay.school.example/lti/canvas.json',
  custom_parameters: { context_id_history: '$Context.id.history' },
  scopes: ['a'],
}

beforeEach(() => {
  signInAs(admin)
  mockEndpoint(getToolValues, () => ok(getToolValues, tool))
})

it('the list shows each LMS with its state and the outcome of its last launch', async () => {
  const refused = {
    id: '1',
    at,
    step: 'launch' as const,
    outcome: 'refused' as const,
    code: 'token_time',
    message: 'The LMS’s message has expired, or its clock is ahead of Assay’s.',
    fix: 'Compare both clocks.',
    detail: null,
    via: null,
    role: null,
    issuer: site,
    client_id: 'assay-1',
    deployment_id: '2',
  }
  const waiting = { ...platform, id: 4, name: 'South', status: 'pending' as const }
  mockEndpoint(listPlatforms, () => ok(listPlatforms, [{ ...platform, last_launch: refused }, waiting]))
  renderPage('/admin/lms')
  const [first, second] = await screen.findAllByRole('listitem')
  expect(first?.textContent).toMatch(/School of the North.*Moodle.*Active.*Launch refused: .* has expired/)
  expect(second?.textContent).toMatch(/South.*Waiting for approval.*No launches yet/)
})

it('the list tells two tools of one LMS apart, and another LMS with the same issuer', async () => {
  const more = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, first_seen_at: null }))
  const other = { id: 5, name: 'Evil', client_id: 'assay-3', same_people: false }
  const second = { ...platform, id: 4, client_id: 'assay-2', deployments: more, same_issuer: [other] }
  mockEndpoint(listPlatforms, () => ok(listPlatforms, [platform, second]))
  renderPage('/admin/lms')
  const rows = await screen.findAllByRole('listitem')
  const words = rows.map((row) => row.textContent)
  expect(words[0]).toMatch(/Client ID assay-1 · Deployment 2/)
  expect(words[0]).not.toMatch(/another LMS/)
  expect(words[1]).toMatch(/Client ID assay-2 · Deployments a, b, c and 2\smore.*Same issuer as another LMS/)
})

it('the list leads to the first registration where there is none', async () => {
  mockEndpoint(listPlatforms, () => ok(listPlatforms, []))
  renderPage('/admin/lms')
  expect(await screen.findByRole('heading', { name: 'No LMS yet' })).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Register an LMS' })[0]?.getAttribute('href')).toBe('/admin/lms/new')
})

it('registering by values asks for what Moodle gives, and sends what follows from it', async () => {
  const sent = mockEndpoint(createPlatform, () => ok(createPlatform, platform))
  mockEndpoint(getPlatform, () => ok(getPlatform, platform))
  mockEndpoint(getSelfTest, () => ok(getSelfTest, { self_test: null }))
  mockEndpoint(listLaunchLog, () => ok(listLaunchLog, [], { 'X-Total-Count': '0' }))
  mockEndpoint(listRegistrationLinks, () => ok(listRegistrationLinks, []))
  const { address, user } = renderPage('/admin/lms/new')
  await user.click(await screen.findByRole('radio', { name: 'Moodle' }))
  await user.click(screen.getByRole('tab', { name: 'Manually' }))
  const ours = await screen.findByRole('list', { name: 'Assay’s values for Moodle' })
  expect(ours.textContent).toContain('Initiate login URLhttps://assay.school.example/lti/login')
  expect(ours.textContent).toContain('context_id_history=$Context.id.history')
  await user.type(screen.getByLabelText(/^Moodle’s address/), 'moodle.school.example/')
  await user.type(screen.getAllByLabelText(/^Client ID/)[0] as HTMLElement, 'assay-1')
  await user.type(screen.getByLabelText(/^Deployment ID/), '2')
  await user.click(screen.getByRole('button', { name: 'Register Moodle' }))
  await waitFor(() => expect(address()).toBe('/admin/lms/3'))
  expect(await sent[0]?.json()).toEqual({
    name: 'moodle.school.example',
    ...values,
    origins: [site],
    deployments: ['2'],
    deployments_fixed: false,
  })
})

it('registering by values preserves what was changed by hand, and shows errors at their fields', async () => {
  const sent = mockEndpoint(createPlatform, () =>
    errorReply('validation_failed', {
      detail: [{ loc: ['body', 'jwks_url'], msg: '10.0.0.1 is a private address', type: 'address' }],
    }),
  )
  const { user } = renderPage('/admin/lms/new?lms=moodle&way=values')
  await user.type(await screen.findByLabelText(/^Moodle’s address/), 'moodle.school.example')
  await user.click(screen.getByText('Derived addresses'))
  const keys = screen.getByLabelText(/^Key set URL/)
  await user.clear(keys)
  await user.type(keys, 'https://10.0.0.1/certs')
  await user.type(screen.getByLabelText(/^Moodle’s address/), '.org')
  const [client] = screen.getAllByLabelText(/^Client ID/) as [HTMLElement]
  await user.click(screen.getByRole('button', { name: 'Register Moodle' }))
  expect(screen.getAllByText('Client ID is required').length).toBeGreaterThan(0)
  expect(document.activeElement).toBe(client)
  expect(sent).toEqual([])
  await user.type(client, 'assay-1')
  await user.click(screen.getByRole('button', { name: 'Register Moodle' }))
  expect(await screen.findByText('10.0.0.1 is a private address')).toBeTruthy()
  expect(await sent[0]?.json()).toMatchObject({ issuer: `${site}.org`, jwks_url: 'https://10.0.0.1/certs' })
  expect(screen.getByRole('alert').textContent).toContain('Nothing was registered')
  expect(document.activeElement).toBe(keys)
})

const openLink: RegistrationLink = {
  id: 8,
  state: 'open',
  created_at: at,
  expires_at: '2026-01-19T14:02:00Z',
  created_by: 'alma',
  platform: null,
  failed: null,
}

it('registering with a link shows the link once, and sees for itself when the LMS has used it', async () => {
  const used = { ...openLink, state: 'used' as const, platform: { id: 3, name: 'School of the North' } }
  let made = false
  mockEndpoint(listRegistrationLinks, (_, count) =>
    ok(listRegistrationLinks, made ? [count > 2 ? used : openLink] : []),
  )
  mockEndpoint(createRegistrationLink, () => {
    made = true
    return ok(createRegistrationLink, { link: openLink, url: 'https://assay.school.example/lti/register/secret' })
  })
  const { user } = renderPage('/admin/lms/new?lms=moodle')
  await user.click(await screen.findByRole('button', { name: 'Create a registration link' }))
  expect(await screen.findByText('https://assay.school.example/lti/register/secret')).toBeTruthy()
  expect(screen.getByText(/Paste the link into Tool URL/)).toBeTruthy()
  const approve = await screen.findByRole('link', { name: 'Review and approve' })
  expect(approve.getAttribute('href')).toBe('/admin/lms/3')
})

it('registering with a link says why a registration by it failed, and revokes it on request', async () => {
  const message = 'The LMS rejected the registration.'
  const failed = { ...openLink, failed: { at, message, fix: 'See the detail.', detail: 'status 500' } }
  mockEndpoint(listRegistrationLinks, () => ok(listRegistrationLinks, [failed]))
  const taken = mockEndpoint(revokeRegistrationLink, () => ok(revokeRegistrationLink, { message: 'gone' }))
  const { user } = renderPage('/admin/lms/new?lms=moodle')
  expect(await screen.findByText(new RegExp(message))).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Revoke the link/ }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(taken).toHaveLength(1))
  await waitFor(() => expect(screen.queryByText(new RegExp(message))).toBeNull())
})

function open(one: Platform, self_test: SelfTest | null = null) {
  let now = one
  mockEndpoint(getPlatform, () => ok(getPlatform, now))
  mockEndpoint(getSelfTest, () => ok(getSelfTest, { self_test }))
  mockEndpoint(listLaunchLog, () => ok(listLaunchLog, [], { 'X-Total-Count': '0' }))
  const become = (change: Partial<Platform>) => {
    now = { ...now, ...change }
    return now
  }
  return { become, user: renderPage('/admin/lms/3').user }
}

it('an LMS names other LMSs with its issuer, and says whose people are whose', async () => {
  const tool = { id: 5, name: 'Second tool', client_id: 'assay-2', same_people: true }
  const other = { id: 6, name: 'South', client_id: 'assay-3', same_people: false }
  open({ ...platform, same_issuer: [tool, other] })
  const warned = (await screen.findByText('Another LMS has this issuer')).closest('[role=note]')
  expect(warned?.textContent).toMatch(/South \(client ID assay-3\) has the same issuer, but another/)
  expect(screen.getByRole('link', { name: 'South' }).getAttribute('href')).toBe('/admin/lms/6')
  expect(screen.getByText(/another tool of the same LMS, with the same people/)).toBeTruthy()
})

it('an LMS is approved after a look at its values', async () => {
  const { become, user } = open({ ...platform, status: 'pending' })
  const approved = mockEndpoint(approvePlatform, () => ok(approvePlatform, become({ status: 'active' })))
  const notice = (await screen.findByText('This LMS is waiting for your approval')).closest('[role=note]')
  expect(notice?.textContent).toContain(`Issuer${site}`)
  await user.click(screen.getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(approved).toHaveLength(1))
  await waitFor(() => expect(screen.queryByText('This LMS is waiting for your approval')).toBeNull())
})

it('an LMS shows of a second registration what would change', async () => {
  const proposed = { ...platform, deployments: ['2'], jwks_url: `${site}/moved`, at }
  open({ ...platform, proposed })
  const notice = (await screen.findByText('This LMS registered itself again')).closest('[role=note]')
  expect(notice?.textContent).toContain(`Key set URL${site}/moved`)
  expect(notice?.textContent).not.toContain('Issuer')
})

it('an LMS sends what was changed and nothing else', async () => {
  const sent = mockEndpoint(changePlatform, () => ok(changePlatform, { ...platform, deployments_fixed: true }))
  const { user } = open(platform)
  await user.click(await screen.findByLabelText('Allow only these deployments'))
  await user.type(screen.getByLabelText(/^Deployment IDs/), '\n7')
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(async () => expect(await sent[0]?.json()).toEqual({ deployments: ['2', '7'], deployments_fixed: true }))
})

it('an LMS shows its keys, the earlier one with its end', async () => {
  open(platform)
  expect(await screen.findByText('abc123')).toBeTruthy()
  expect(screen.getByText('old999').closest('dd')?.textContent).toMatch(/published until .*19/)
})

it('an LMS is deactivated only after a warning', async () => {
  const { become, user } = open(platform)
  const off = mockEndpoint(deactivatePlatform, () => ok(deactivatePlatform, become({ status: 'off' })))
  await user.click(await screen.findByRole('button', { name: 'Actions for School of the North' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Deactivate' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('signed out immediately')
  expect(off).toHaveLength(0)
  await user.click(within(dialog).getByRole('button', { name: 'Deactivate' }))
  expect(await screen.findByText('Deactivated')).toBeTruthy()
})

it('an LMS says what hangs on it when it cannot be deleted', async () => {
  mockEndpoint(deletePlatform, () =>
    errorReply('conflict', { detail: '2 people came from it. Deactivate it instead.' }),
  )
  const { user } = open(platform)
  await user.click(await screen.findByRole('button', { name: 'Actions for School of the North' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await within(dialog).findByText('2 people came from it. Deactivate it instead.')).toBeTruthy()
})

it('an LMS is tested while one looks on, and says how to fix it', async () => {
  const fine: SelfTestCheck = {
    name: 'status',
    state: 'ok',
    message: 'It is approved and active.',
    fix: null,
    parts: [],
  }
  const bad: SelfTestCheck = {
    name: 'services',
    state: 'wrong',
    message: 'The LMS refuses 1 thing.',
    fix: 'Allow these services.',
    parts: [{ state: 'wrong', message: 'Assay may not send grades: 400.' }],
  }
  const running: SelfTest = { id: 1, state: 'running', started_at: at, finished_at: null, checks: [fine] }
  const done: SelfTest = { ...running, state: 'done', finished_at: at, checks: [fine, bad] }
  const { user } = open(platform)
  await screen.findByText(/Checks both sides/)
  mockEndpoint(startSelfTest, () => ok(startSelfTest, running))
  mockEndpoint(getSelfTest, (_, count) => ok(getSelfTest, { self_test: count > 1 ? done : running }))
  await user.click(screen.getByRole('button', { name: 'Run the self-test' }))
  expect(await screen.findByText('Checking: Assay’s address')).toBeTruthy()
  const results = await screen.findByRole('list', { name: 'Checks' })
  expect(await within(results).findByText('How to fix it: Allow these services.')).toBeTruthy()
  expect(results.textContent).toContain('Assay may not send grades: 400.')
  expect(await screen.findByText(/One check failed\./)).toBeTruthy()
})

it('an LMS that is not there is not found', async () => {
  mockEndpoint(getPlatform, () => errorReply('resource_not_found'))
  renderPage('/admin/lms/3')
  expect(await screen.findByRole('heading', { name: /not found/i })).toBeTruthy()
})
