import { type ErasurePreview, eraseOwnAccount, exportOwnData, previewOwnErasure } from '@assay/shared/personal-data.ts'
import { getStudentProfile } from '@assay/shared/profile.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { tokenStore } from '../../../lib/session/browser-store.ts'
import { buildErasurePreview } from '../../../testing/build-erasure-preview.ts'
import {
  errorReply,
  mockEndpoint,
  ok,
  signInAs,
  student,
  studentProfile,
  unfinishedReply,
} from '../../../testing/mock-api.ts'
import { fillIn, recordDownloads, renderPage } from '../../../testing/render.tsx'

beforeEach(() => {
  signInAs(student)
  mockEndpoint(getStudentProfile, () => ok(getStudentProfile, studentProfile))
})

async function open() {
  const app = renderPage('/student/profile')
  const section = await screen.findByRole('region', { name: 'Your data' })
  return { ...app, section }
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

it('downloading one’s data says how much has come, can be cancelled, and saves nothing then', async () => {
  const asked = mockEndpoint(exportOwnData, (heard) => unfinishedReply(new Uint8Array(2048), heard))
  const { section } = await open()
  await press('Download my data')
  await screen.findByText('Downloading… 2 KB')
  await userEvent.click(within(section).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByText(/Downloading/)).toBeNull())
  expect(asked[0]?.signal.aborted).toBe(true)
  expect(screen.queryByText(/^Downloaded\./)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('downloading one’s data saves the file under the account’s number, and says so', async () => {
  const saved = recordDownloads()
  mockEndpoint(exportOwnData, () => new Response(new Uint8Array(8)))
  await open()
  await press('Download my data')
  await screen.findByText(/^Downloaded\./)
  expect(saved).toEqual([`assay_data_${studentProfile.id}.zip`])
})

it('downloading one’s data says beside the button why it failed', async () => {
  const detail = 'This download is already being made. Wait for it to end.'
  mockEndpoint(exportOwnData, () => errorReply('bad_request', { detail, message: detail }))
  const { section } = await open()
  await press('Download my data')
  expect((await within(section).findByRole('alert')).textContent).toContain(detail)
  expect(screen.getByRole('button', { name: 'Download my data' })).toHaveProperty('disabled', false)
})

describe('deleting one’s account', () => {
  async function ask(preview: ErasurePreview) {
    mockEndpoint(previewOwnErasure, () => ok(previewOwnErasure, preview))
    const app = await open()
    await press('Delete my account…')
    return { ...app, dialog: await screen.findByRole('dialog') }
  }

  it('says what is deleted and kept, refuses a wrong password at its field, and ends signed out where it says what happens', async () => {
    const lms_names = ['Lindenhof Moodle', 'Canvas', 'Sakai']
    const { dialog, address } = await ask(buildErasurePreview({ papers: 3, retained_grades: 1, lms_names }))
    await within(dialog).findByText(/3 papers, with everything read from them/)
    within(dialog).getByText(/1 released score, under a placeholder such as “Deleted student 4f2a”/)
    within(dialog).getByText(/^Lindenhof Moodle, Canvas and Sakai still list you\. With their next/)
    const wrong = { field: 'password', message: 'Password is incorrect', constraint: 'password' }
    const sent = mockEndpoint(eraseOwnAccount, (_, count) =>
      count === 1
        ? errorReply('validation_failed', { validation_errors: [wrong] })
        : ok(eraseOwnAccount, { message: 'Your account is being deleted. You have been signed out.' }),
    )
    const confirm = () => userEvent.click(within(dialog).getByRole('button', { name: 'Delete my account' }))
    await confirm()
    await within(dialog).findByText('Enter your password')
    expect(sent).toHaveLength(0)
    const field = within(dialog).getByLabelText(/^Password of ada/)
    await fillIn(field, 'not-mine')
    await confirm()
    await within(dialog).findByText('Password is incorrect')
    expect(address()).toBe('/student/profile')
    await userEvent.clear(field)
    await fillIn(field, 'Some-Good-7-Phrase')
    await confirm()
    await screen.findByRole('heading', { name: 'Your account is being deleted' })
    expect(address()).toBe('/auth/account-deleted')
    expect(await sent[1]?.json()).toEqual({ password: 'Some-Good-7-Phrase' })
    expect(tokenStore.get()).toBeNull()
  })

  it('says what has to be done first, and offers no deletion until then', async () => {
    const blocker = 'You are the only administrator. Make somebody else an administrator first.'
    const { dialog } = await ask(buildErasurePreview({ blockers: [blocker] }))
    await within(dialog).findByText(blocker)
    expect(within(dialog).queryByRole('button', { name: 'Delete my account' })).toBeNull()
    expect(within(dialog).queryByLabelText(/Password/)).toBeNull()
  })

  it('says that what would be deleted could not be loaded, and asks again', async () => {
    mockEndpoint(previewOwnErasure, () => errorReply('service_unavailable'))
    await open()
    await press('Delete my account…')
    const again = await screen.findByRole('button', { name: 'Try Again' })
    mockEndpoint(previewOwnErasure, () => ok(previewOwnErasure, buildErasurePreview()))
    await userEvent.click(again)
    await screen.findByText('What is deleted')
  })

  it('is not offered for an account of an LMS: it says why, and whom to ask', async () => {
    mockEndpoint(getStudentProfile, { ...studentProfile, from_lms: true, has_password: false })
    const { section } = await open()
    expect(section.textContent).toMatch(
      /You cannot delete this account yourself.*Ask your school, or an administrator/s,
    )
    expect(screen.queryByRole('button', { name: /Delete my account/ })).toBeNull()
    within(section).getByRole('button', { name: 'Download my data' })
  })
})
