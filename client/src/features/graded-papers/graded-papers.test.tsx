import { exportGradedPapers } from '@assay/shared/graded-papers.ts'
import { countSubmissions, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildSubmission, buildSubmissionCounts } from '../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs, unfinishedReply } from '../../testing/mock-api.ts'
import { recordDownloads, renderPage } from '../../testing/render.tsx'
import { createZipEntryCounter } from './useGradedPapersZip.ts'

const entry = [0x50, 0x4b, 0x03, 0x04]

it('counting the files of a ZIP counts each once, in pieces of any size', () => {
  const bytes = Uint8Array.from([...entry, 1, 2, 0x50, 0x50, 0x4b, 3, 4, 9, 0x50, 0x4b, 1, ...entry])
  for (const size of [1, 2, 3, 5, 100]) {
    const count = createZipEntryCounter()
    let last = 0
    for (let at = 0; at < bytes.length; at += size) last = count(bytes.subarray(at, at + size))
    expect(last).toBe(3)
  }
})

describe('graded papers as ZIP', () => {
  beforeEach(() => {
    signInAs()
    mockEndpoint(listSubmissions, () => ok(listSubmissions, [buildSubmission()], { 'X-Total-Count': '1' }))
    mockEndpoint(countSubmissions, () => ok(countSubmissions, buildSubmissionCounts({ all: 1, graded: 1 })))
  })

  async function start() {
    renderPage('/assignments/5/submissions')
    await screen.findByText('Submissions (1)')
    await userEvent.click(screen.getByRole('button', { name: 'More for this assignment' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: /Graded papers/ }))
  }

  it('shows how many papers there are so far, and is cancelled', async () => {
    const asked = mockEndpoint(exportGradedPapers, (heard) =>
      unfinishedReply(Uint8Array.from(entry), heard, { 'X-Total-Count': '3' }),
    )
    await start()
    await screen.findByText('Preparing graded papers: 1 of 3')
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByText(/Preparing graded papers/)).toBeNull())
    expect(asked[0]?.signal.aborted).toBe(true)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is saved under the assignment’s number', async () => {
    const saved = recordDownloads()
    mockEndpoint(exportGradedPapers, () => new Response(Uint8Array.from(entry), { headers: { 'X-Total-Count': '1' } }))
    await start()
    await waitFor(() => expect(saved).toEqual(['assignment_5_graded_papers.zip']))
  })

  it('says what went wrong', async () => {
    mockEndpoint(exportGradedPapers, () =>
      errorReply('bad_request', {
        detail: 'There are no graded papers yet.',
        message: 'There are no graded papers yet.',
      }),
    )
    await start()
    expect(await screen.findByText('There are no graded papers yet.')).toBeTruthy()
  })
})
