import {
  addPhoto,
  changePhoto,
  deletePhotoDraft,
  getPhotoDraft,
  getPhotoPicture,
  handInPhotos,
  orderPhotos,
  type PhotoDraft,
  type PhotoPage,
  removePhoto,
} from '@assay/shared/photo-drafts.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { retryTimer } from '../../../lib/api/http-client.ts'
import { buildStudentAssignment, buildSubmittedAssignment } from '../../../testing/build-student-work.ts'
import { errorReply, mockEndpoint, ok, signInAs, student } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

const { wait } = retryTimer
afterEach(() => {
  retryTimer.wait = wait
})

const keyOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const pageOf = (n: number, more: Partial<PhotoPage> = {}): PhotoPage => ({
  key: keyOf(n),
  file_name: `${n}.jpg`,
  corners: [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.9, 0.9],
    [0.1, 0.9],
  ],
  turns: 0,
  doubts: [],
  version: `v${n}`,
  ...more,
})

let draft: PhotoDraft
const withPages = (pages: PhotoPage[]) => {
  draft = { id: 'd1', revision: draft.revision + 1, expires_at: '2026-03-01T00:00:00Z', pages }
  return draft
}

beforeEach(() => {
  draft = { id: null, revision: 0, expires_at: null, pages: [] }
  signInAs(student)
  mockEndpoint(getStudentAssignment, () => ok(getStudentAssignment, buildStudentAssignment()))
  mockEndpoint(getPhotoDraft, () => ok(getPhotoDraft, draft))
  mockEndpoint(getPhotoPicture, () => HttpResponse.arrayBuffer(new ArrayBuffer(8)))
})

const open = () => renderPage('/student/assignments/5')
const photo = (name: string) => new File(['\xff\xd8\xff'], name, { type: 'image/jpeg' })
const keyIn = (url: URL) => url.pathname.split('/').at(-1) ?? ''
const rows = () => within(screen.getByRole('list', { name: 'Pages' })).getAllByRole('listitem')

it('sends photos one by one, and hands in the pages as they were seen', async () => {
  const sent = mockEndpoint(addPhoto, ({ url }, n) =>
    ok(addPhoto, withPages([...draft.pages, pageOf(n, { key: keyIn(url) })])),
  )
  const handedIn = mockEndpoint(handInPhotos, () => {
    draft = { id: null, revision: 0, expires_at: null, pages: [] }
    return ok(handInPhotos, buildSubmittedAssignment({ submission_date: '2026-02-03T10:15:00Z' }))
  })
  open()
  await userEvent.upload(await screen.findByLabelText('Take or choose photos'), [photo('a.jpg'), photo('b.jpg')])
  const button = await screen.findByRole('button', { name: 'Hand in 2 pages' })
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  expect(new Set(sent.map(({ url }) => keyIn(url))).size).toBe(2)
  await userEvent.click(button)
  await screen.findByText(/Handed in on/, { selector: '[role="note"] *' })
  expect(await handedIn[0]?.json()).toEqual({ draft_id: 'd1', revision: 2, is_handwritten: false })
  await screen.findByLabelText('Choose your paper')
})

it('goes on by itself after a lost connection, under the same key, and says so meanwhile', async () => {
  const online = Promise.withResolvers<void>()
  retryTimer.wait = () => online.promise
  const sent = mockEndpoint(addPhoto, ({ url }, n) =>
    n === 1 ? HttpResponse.error() : ok(addPhoto, withPages([pageOf(1, { key: keyIn(url) })])),
  )
  open()
  await userEvent.upload(await screen.findByLabelText('Take or choose photos'), photo('a.jpg'))
  await screen.findByText('No connection. It is sent as soon as there is one.')
  expect(screen.getByRole('button', { name: 'Hand in' })).toHaveProperty('disabled', true)
  online.resolve()
  await screen.findByRole('button', { name: 'Look at page 1' })
  expect(sent.map(({ url }) => keyIn(url))).toEqual([keyIn(sent[0]?.url as URL), keyIn(sent[0]?.url as URL)])
})

it('says why a photo is refused, sends those behind it, and lets it be removed', async () => {
  const reason = 'This picture is damaged or was cut off, and cannot be opened. Take the photo again.'
  mockEndpoint(addPhoto, ({ url }, n) =>
    n === 1
      ? errorReply('files_refused', { detail: `Some files were rejected: a.jpg: ${reason}` })
      : ok(addPhoto, withPages([pageOf(2, { key: keyIn(url) })])),
  )
  open()
  await userEvent.upload(await screen.findByLabelText('Take or choose photos'), [photo('a.jpg'), photo('b.jpg')])
  await screen.findByText(reason)
  await screen.findByRole('button', { name: 'Look at page 1' })
  const handIn = screen.getByRole('button', { name: 'Hand in 1 page' })
  expect(handIn).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByRole('button', { name: 'Remove a.jpg' }))
  await waitFor(() => expect(handIn).toHaveProperty('disabled', false))
})

it('shows what was added before, in doubt first, and stores each change of order at once', async () => {
  withPages([pageOf(1), pageOf(2, { doubts: ['no_edges'], corners: null }), pageOf(3)])
  const ordered = mockEndpoint(orderPhotos, async ({ json }) => {
    const { keys } = (await json()) as { keys: string[] }
    return ok(orderPhotos, withPages(keys.flatMap((key) => draft.pages.find((page) => page.key === key) ?? [])))
  })
  const removed = mockEndpoint(removePhoto, ({ url }) =>
    ok(removePhoto, withPages(draft.pages.filter(({ key }) => key !== keyIn(url)))),
  )
  open()
  expect((await screen.findByText('Check page 2')).parentElement?.textContent).toContain('were not found on page 2')
  await userEvent.click(screen.getByRole('button', { name: 'Move page 3 up' }))
  expect(rows().map((row) => within(row).getByText(/\.jpg/).textContent)).toEqual(['1.jpg', '3.jpg', '2.jpg'])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move page 2 up' }))
  await userEvent.click(screen.getByRole('button', { name: 'Move page 2 up' }))
  // At the top the way back has the focus.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move page 1 down' }))
  await waitFor(() => expect(ordered).toHaveLength(2))
  await userEvent.click(screen.getByRole('button', { name: 'Remove page 1' }))
  await waitFor(() => expect(removed.map(({ url }) => keyIn(url))).toEqual([keyOf(3)]))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove page 1' }))
  expect(rows()).toHaveLength(2)
})

it('hands in the order chosen a moment ago, though its reply is still on the way', async () => {
  withPages([pageOf(1), pageOf(2)])
  const stored = Promise.withResolvers<void>()
  mockEndpoint(orderPhotos, async () => {
    await stored.promise
    return ok(orderPhotos, withPages([pageOf(2), pageOf(1)]))
  })
  const handedIn = mockEndpoint(handInPhotos, () => ok(handInPhotos, buildSubmittedAssignment()))
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Move page 2 up' }))
  await userEvent.click(screen.getByRole('button', { name: 'Hand in 2 pages' }))
  expect(handedIn).toHaveLength(0)
  stored.resolve()
  await waitFor(() => expect(handedIn).toHaveLength(1))
  expect(await handedIn[0]?.json()).toMatchObject({ revision: 2 })
})

it('says handed in where only the reply was lost, and asks with the same pages again', async () => {
  withPages([pageOf(1)])
  const handedIn = mockEndpoint(handInPhotos, (_, n) => {
    draft = { id: null, revision: 0, expires_at: null, pages: [] }
    if (n === 1) return HttpResponse.error()
    return ok(handInPhotos, buildSubmittedAssignment({ submission_date: '2026-02-03T10:15:00Z' }))
  })
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Hand in 1 page' }))
  await screen.findByText(/Handed in on/, { selector: '[role="note"] *' })
  const bodies = await Promise.all(handedIn.map((request) => request.json()))
  expect(bodies).toEqual([bodies[0], bodies[0]])
  expect(screen.queryByText('Not handed in')).toBeNull()
})

it('does not say “Not handed in” where nobody can tell, and looks at what the server has', async () => {
  withPages([pageOf(1)])
  mockEndpoint(handInPhotos, () => HttpResponse.error())
  const looked = mockEndpoint(getStudentAssignment, () => ok(getStudentAssignment, buildStudentAssignment()))
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Hand in 1 page' }))
  await screen.findByText('We could not check whether your paper was handed in')
  expect(screen.queryByText('Not handed in')).toBeNull()
  await waitFor(() => expect(looked).toHaveLength(2))
  expect(screen.getByRole('button', { name: 'Hand in 1 page' })).toHaveProperty('disabled', false)
})

it('says what the server says where it cannot store the photos', async () => {
  withPages([pageOf(1)])
  mockEndpoint(handInPhotos, () => errorReply('storage_full'))
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Hand in 1 page' }))
  await screen.findByText('Not handed in')
  expect(screen.getByText(/no disk space/)).toBeTruthy()
  expect(screen.queryByText(/We could not check/)).toBeNull()
})

it('turns and crops a photo, and says when the corners are no sheet’s', async () => {
  withPages([pageOf(1, { turns: 1 })])
  const changed: unknown[] = []
  mockEndpoint(changePhoto, async ({ json }, n) => {
    if (n === 1) return errorReply('files_refused', { detail: '1.jpg: These corners do not make a sheet.' })
    const change = (await json()) as Pick<PhotoPage, 'corners' | 'turns'>
    changed.push(change)
    return ok(changePhoto, withPages([pageOf(1, { ...change, version: 'new' })]))
  })
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Crop page 1' }))
  const dialog = await screen.findByRole('dialog', { name: 'Crop page 1' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Turn' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Done' }))
  await within(dialog).findByText('These corners do not make a sheet.')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Use the whole picture' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changed).toEqual([{ corners: null, turns: 2 }])
})

it('leaves the crop dialog open while its change is being saved, so that a failure is told', async () => {
  withPages([pageOf(1)])
  const reply = Promise.withResolvers<void>()
  mockEndpoint(changePhoto, async () => {
    await reply.promise
    return errorReply('files_refused', { detail: '1.jpg: These corners do not make a sheet.' })
  })
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Crop page 1' }))
  const dialog = await screen.findByRole('dialog', { name: 'Crop page 1' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Done' }))
  await userEvent.keyboard('{Escape}')
  expect(within(dialog).getByRole('button', { name: 'Close' })).toHaveProperty('disabled', true)
  reply.resolve()
  await within(dialog).findByText('These corners do not make a sheet.')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('tells when the paper is due apart from when photos are deleted', async () => {
  withPages([pageOf(1)])
  const assignment = { ...buildStudentAssignment(), due_at: '2040-02-03T12:00:00Z' }
  mockEndpoint(getStudentAssignment, () => ok(getStudentAssignment, assignment))
  renderPage('/student/assignments/5')
  const words = (await screen.findByText('Not handed in yet.')).parentElement
  expect(words?.textContent).toMatch(/Hand in by .*2040.*\. Photos that you do not hand in are deleted on .*2026/)
})

it('shows photos that were not handed in after the assignment closed, and deletes them', async () => {
  withPages([pageOf(1)])
  const closed = buildStudentAssignment({ state: 'closed', can_hand_in: false, why_not: 'This assignment closed.' })
  mockEndpoint(getStudentAssignment, () => ok(getStudentAssignment, closed))
  mockEndpoint(deletePhotoDraft, () => ok(deletePhotoDraft, { id: null, revision: 0, expires_at: null, pages: [] }))
  renderPage('/student/assignments/5')
  await screen.findByRole('img', { name: 'Page 1' })
  await userEvent.click(screen.getByRole('button', { name: 'Delete these photos' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete photos' }))
  await waitFor(() => expect(screen.queryByText('These photos were not handed in')).toBeNull())
})

it('asks before a link leaves photos behind that are not sent', async () => {
  mockEndpoint(addPhoto, () => errorReply('files_refused', { detail: 'a.jpg: This picture is damaged.' }))
  open()
  await userEvent.upload(await screen.findByLabelText('Take or choose photos'), photo('a.jpg'))
  await screen.findByText('This picture is damaged.')
  await userEvent.click(screen.getAllByRole('link', { name: 'Dashboard' })[0] as HTMLElement)
  await screen.findByText(/Some photos are not sent yet/)
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(screen.getByText('This picture is damaged.')).toBeTruthy()
})
