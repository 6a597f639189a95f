import { listUsers } from '@assay/shared/admin.ts'
import { getMe } from '@assay/shared/auth.ts'
import { previewErasure } from '@assay/shared/personal-data.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { csrfStore, tokenStore } from '../../lib/session/browser-store.ts'
import { buildErasurePreview, buildErasureProgress } from '../../testing/build-erasure-preview.ts'
import { mockEndpoint, ok, student, teacher } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'

it('asks each second how far a deletion is, and every ten while it waits for files', async () => {
  tokenStore.set('t')
  csrfStore.set('c')
  mockEndpoint(getMe, () => ok(getMe, { ...teacher, id: 9, username: 'alma', role: 'admin' }))
  const closed = { last_seen_at: null, courses_taught: 0, deleted: true, account: 'deactivated' as const }
  mockEndpoint(listUsers, () => ok(listUsers, [{ ...student, ...closed }], { 'X-Total-Count': '1' }))
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
