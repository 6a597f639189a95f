import { listUsers, type ManagedUser } from '@assay/shared/admin.ts'
import { eraseUser, exportUserData, previewErasure } from '@assay/shared/personal-data.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildErasurePreview, buildErasureProgress } from '../../../testing/build-erasure-preview.ts'
import { admin, errorReply, mockEndpoint, ok, signInAs, student } from '../../../testing/mock-api.ts'
import { recordDownloads, renderPage } from '../../../testing/render.tsx'

const ada: ManagedUser = { ...student, account: 'active', last_seen_at: null, courses_taught: 0, deleted: false }
const closed: ManagedUser = { ...ada, account: 'deactivated', deleted: true }
const erased: ManagedUser = { ...closed, username: 'deleted-2', full_name: 'Deleted student 4f2a', email: '' }

function list(now: () => ManagedUser) {
  mockEndpoint(listUsers, () => ok(listUsers, [now()], { 'X-Total-Count': '1' }))
}

async function choose(name: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
  return screen.findByRole('dialog')
}

beforeEach(() => signInAs(admin))

it('downloads a user’s data, and says what is in it and who learns of it', async () => {
  const saved = recordDownloads()
  list(() => ada)
  const asked = mockEndpoint(exportUserData, (_, count) =>
    count === 1 ? errorReply('unexpected_error') : new Response(new Uint8Array(8)),
  )
  renderPage('/admin/users')
  const dialog = await choose('Ada Mutombo', 'Download data')
  expect(dialog.textContent).toMatch(/not released.*audit log records/s)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Download data' }))
  await within(dialog).findByRole('alert')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Download data' }))
  await within(dialog).findByText(/^Downloaded\./)
  expect(within(dialog).queryByRole('alert')).toBeNull()
  expect(asked[1]?.url.pathname).toBe('/api/v1/admin/users/2/data.zip')
  expect(saved).toEqual(['assay_data_2.zip'])
})

describe('deleting an account', () => {
  it('shows what that means, wants the username, shows how far it has come, and updates the row', async () => {
    let row = ada
    let preview = buildErasurePreview({ papers: 1, retained_grades: 2, courses_left: 1 })
    list(() => row)
    mockEndpoint(previewErasure, () => ok(previewErasure, preview))
    const asked = mockEndpoint(eraseUser, () => {
      row = closed
      preview = { ...preview, progress: buildErasureProgress() }
      return ok(eraseUser, preview)
    })
    renderPage('/admin/users')
    const dialog = await choose('Ada Mutombo', 'Delete account…')
    await within(dialog).findByText(/1 paper, with everything read from it/)
    within(dialog).getByText(/2 released scores, under a placeholder such as “Deleted student 4f2a”/)
    within(dialog).getByText('What they made in 1 course that others teach')
    const remove = () => within(dialog).getByRole('button', { name: 'Delete account' })
    expect(remove()).toHaveProperty('disabled', true)
    await userEvent.type(within(dialog).getByLabelText('Type ada to confirm'), 'ad')
    expect(remove()).toHaveProperty('disabled', true)
    await userEvent.type(within(dialog).getByLabelText('Type ada to confirm'), 'a')
    await userEvent.click(remove())
    await within(dialog).findByText('Deleting papers and grades')
    within(dialog).getByText('Step 4 of 10')
    expect(await asked[0]?.json()).toEqual({ username: 'ada' })
    await waitFor(() => expect(screen.getAllByText('Deleted').length).toBe(1))

    row = erased
    const finished_at = '2026-01-12T14:03:00Z'
    preview = { ...preview, progress: buildErasureProgress({ state: 'done', done: 10, doing: 'Done', finished_at }) }
    await within(dialog).findByText('The account is deleted')
    expect(dialog.textContent).toContain('“Deleted student 4f2a”')
    await screen.findByText('Personal data deleted')
    screen.getByText('Deleted student 4f2a')
    expect(screen.queryByText('deleted-2')).toBeNull()
  })

  it('says what has to be done first', async () => {
    list(() => ada)
    const blockers = [
      'Ada Mutombo is the only instructor of “Physics”, which has students or papers. Add another instructor first.',
      'Ada Mutombo is the only instructor of “Optics”, which has students or papers. Add another instructor first.',
    ]
    mockEndpoint(previewErasure, () => ok(previewErasure, buildErasurePreview({ blockers })))
    renderPage('/admin/users')
    const dialog = await choose('Ada Mutombo', 'Delete account…')
    await within(dialog).findByText('This account cannot be deleted yet')
    expect(within(dialog).getAllByRole('listitem')).toHaveLength(2)
    expect(within(dialog).queryByRole('button', { name: 'Delete account' })).toBeNull()
  })

  it('keeps the dialog and says why when the server refuses', async () => {
    list(() => ada)
    mockEndpoint(previewErasure, () => ok(previewErasure, buildErasurePreview()))
    mockEndpoint(eraseUser, () => errorReply('last_administrator', { detail: 'There has to be an administrator.' }))
    renderPage('/admin/users')
    const dialog = await choose('Ada Mutombo', 'Delete account…')
    await userEvent.type(await within(dialog).findByLabelText('Type ada to confirm'), 'ada{Enter}')
    await within(dialog).findByText('There has to be an administrator.')
    within(dialog).getByLabelText('Type ada to confirm')
  })

  it('says where one stopped that failed, and goes on with it', async () => {
    list(() => closed)
    const progress = buildErasureProgress({ state: 'failed' })
    let preview = buildErasurePreview({ progress })
    mockEndpoint(previewErasure, () => ok(previewErasure, preview))
    const asked = mockEndpoint(eraseUser, () => {
      preview = buildErasurePreview({ progress: buildErasureProgress() })
      return ok(eraseUser, preview)
    })
    renderPage('/admin/users')
    const dialog = await choose('Ada Mutombo', 'Show deletion')
    await within(dialog).findByText(/It stopped at “Deleting papers and grades”/)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Continue deleting' }))
    await within(dialog).findByText('Step 4 of 10')
    expect(asked).toHaveLength(1)
  })

  it('offers nothing else for an account that is deleted', async () => {
    list(() => erased)
    renderPage('/admin/users')
    await screen.findByText('Personal data deleted')
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Deleted student 4f2a' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Show deletion'])
  })
})

it('asks each second how far a deletion is, and every ten while it waits for files', async () => {
  list(() => closed)
  let progress = buildErasureProgress()
  mockEndpoint(previewErasure, () => ok(previewErasure, buildErasurePreview({ progress })))
  renderPage('/admin/users')
  await userEvent.click(await screen.findByRole('button', { name: /^Actions for/ }))
  const show = await screen.findByRole('menuitem', { name: 'Show deletion' })
  const waits = vi.spyOn(globalThis, 'setTimeout')
  const delays = () => waits.mock.calls.map(([, ms]) => ms)
  await userEvent.click(show)
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText('Step 4 of 10')
  expect(delays()).toContain(1000)
  expect(delays()).not.toContain(10_000)
  progress = buildErasureProgress({ done: 9, doing: 'Deleting files, each once it is an hour old', waiting: true })
  await within(dialog).findByText('Step 10 of 10')
  await waitFor(() => expect(delays()).toContain(10_000))
  waits.mockRestore()
})
