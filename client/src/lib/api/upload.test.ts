import { getCsrfToken } from '@assay/shared/auth.ts'
import { uploadSubmissions } from '@assay/shared/submissions.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errorReply, mockEndpoint, ok } from '../../testing/mock-api.ts'
import { rejectedFilesOf } from '../files/pdf-validation.ts'
import { csrfStore, tokenStore } from '../session/browser-store.ts'
import { asApiError } from './api-error.ts'
import { fetchCsrfToken } from './csrf.ts'
import { upload } from './upload.ts'

const files = [new File(['%PDF-1'], 'ada.pdf'), new File(['no'], 'ben.pdf')]
const send = () =>
  upload(
    uploadSubmissions,
    { params: { assignmentId: 12 }, body: { are_handwritten: [true, false] }, files: { files } },
    () => {},
  )

beforeEach(async () => {
  tokenStore.set('token-1')
  await fetchCsrfToken()
})

describe('uploading', () => {
  it('fetches a CSRF token first when the stored one may be too old, so that nothing is sent twice', async () => {
    const asked = mockEndpoint(getCsrfToken, (_, count) => ok(getCsrfToken, { csrf_token: `fresh-${count}` }))
    const tries = mockEndpoint(uploadSubmissions, () => ok(uploadSubmissions, []))
    // The age of a token from before this page was loaded is unknown.
    csrfStore.set('stored')
    await send()
    await send()
    expect(asked).toHaveLength(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 26 * 60_000 })
    await send().finally(() => vi.useRealTimers())
    expect(asked).toHaveLength(2)
    expect(tries).toHaveLength(3)
  })

  it('carries who we are, and repeats once with a new CSRF token', async () => {
    mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-2' }))
    const tries = mockEndpoint(uploadSubmissions, (_, count) =>
      count === 1 ? errorReply('csrf_failed', { type: 'csrf_error' }) : ok(uploadSubmissions, []),
    )
    expect(await send()).toEqual([])
    expect(tries.map(({ headers }) => headers.get('X-CSRF-Token'))).toEqual(['csrf-1', 'csrf-2'])
    expect(tries[1]?.headers.get('Authorization')).toBe('Bearer token-1')
    expect(tries[1]?.headers.get('Content-Type')).toMatch(/^multipart\/form-data; boundary=/)
  })

  it('does not repeat an upload that failed on the way', async () => {
    const tries = mockEndpoint(uploadSubmissions, () => errorReply('service_unavailable'))
    await expect(send()).rejects.toMatchObject({ status: 500 })
    expect(tries).toHaveLength(1)
  })

  it('names each file the server refused', async () => {
    const detail = [
      { loc: ['body', 'files', 1], msg: 'This is not a PDF.', type: 'file_not_pdf' },
      { loc: ['body', 'files', 0], msg: 'ada.pdf: Only PDF files are allowed', type: 'not_pdf' },
    ]
    mockEndpoint(uploadSubmissions, () => errorReply('files_refused', { detail }))
    const error = asApiError(await send().catch((cause: unknown) => cause))
    expect(rejectedFilesOf(error, { files })).toEqual([
      { file: files[1], reason: 'This is not a PDF.' },
      { file: files[0], reason: 'Only PDF files are allowed' },
    ])
  })

  it('names them too where the reasons stand beside the sentence', async () => {
    const validation_errors = [{ field: 'files.1', message: 'This is not a PDF.', constraint: 'not_pdf' }]
    mockEndpoint(uploadSubmissions, () => errorReply('files_refused', { validation_errors }))
    const error = asApiError(await send().catch((cause: unknown) => cause))
    expect(rejectedFilesOf(error, { files })).toEqual([{ file: files[1], reason: 'This is not a PDF.' }])
  })

  it('signs out when the session has ended meanwhile', async () => {
    mockEndpoint(uploadSubmissions, () => errorReply('auth_required'))
    await expect(send()).rejects.toMatchObject({ status: 401 })
    expect(tokenStore.get()).toBeNull()
  })
})
