import { type ClassScanRow, listClassScans, uploadClassScan } from '@assay/shared/class-scans.ts'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorReply, mockEndpoint, ok } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'
import { signInAs } from '../../testing/sign-in-as.ts'

beforeEach(() => {
  signInAs()
  mockEndpoint(listClassScans, () => ok(listClassScans, [] as ClassScanRow[]))
})

it('splits as the scan shows, and at separator sheets where that is chosen', async () => {
  const uploaded = mockEndpoint(uploadClassScan, () => errorReply('files_refused', { detail: 'It is damaged.' }))
  const { container } = renderPage('/assignments/5/class-scans')
  const user = userEvent.setup()
  await screen.findByRole('radio', { name: /^Automatically/, checked: true })
  const input = container.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('there is no input for files')
  await user.upload(input, new File(['%PDF-'], 'copier.pdf', { type: 'application/pdf' }))
  await user.click(screen.getByRole('button', { name: 'Upload and split' }))
  expect(await screen.findByText('It is damaged.')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'At separator sheets' }))
  await user.click(screen.getByRole('button', { name: 'Upload and split' }))
  await waitFor(() => expect(uploaded).toHaveLength(2))
  expect(await uploaded[0]?.text()).not.toContain('split_by')
  expect(await uploaded[1]?.text()).toMatch(/name="split_by"\s+separators\s/)
})
