import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCsrfToken } from '@assay/shared/auth.ts'
import { fillPath } from '@assay/shared/http/endpoint.ts'
import { uploadSubmissions } from '@assay/shared/submissions.ts'
import type { Caller } from '../../../server/src/testing/server.ts'

const PIECES = 8
const PAUSE_MS = 250

/** Two seconds, in which its web is perhaps asked to stop. */
export async function uploadSlowly(url: string, caller: Caller, assignmentId: number, name: string, paper: Buffer) {
  const token = await caller.token()
  const { body } = await caller.send(getCsrfToken, { headers: { authorization: `Bearer ${token}` } })
  const upload = request(`${url}/api/v1${fillPath(uploadSubmissions.path, { assignmentId })}`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'x-csrf-token': body.csrf_token,
      'content-type': 'multipart/form-data; boundary=x',
    },
  })
  const replied = new Promise<{ status: number; headers: Headers; text: string }>((resolve, reject) => {
    upload.on('error', reject)
    upload.on('response', (reply) => {
      const headers = new Headers({ 'x-served-by': String(reply.headers['x-served-by'] ?? '') })
      text(reply).then((said) => resolve({ status: reply.statusCode ?? 0, headers, text: said }), reject)
    })
  })
  // Awaited below; it may fail while the body is still on its way.
  replied.catch(() => {})
  upload.write(`--x\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\n`)
  for (let i = 0; i < PIECES && !upload.destroyed; i++) {
    upload.write(paper.subarray((i * paper.length) / PIECES, ((i + 1) * paper.length) / PIECES))
    await sleep(PAUSE_MS)
  }
  upload.end('\r\n--x--\r\n')
  return replied
}
