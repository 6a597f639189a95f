import { readdir } from 'node:fs/promises'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { getCsrfToken } from '@assay/shared/auth.ts'
import { handInPaper } from '@assay/shared/students.ts'
import { expect, it } from 'vitest'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Person } from '../../testing/api.ts'
import { buildEmptyAssignment, correctAnswers, drawPaper } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'
import { countingTime } from './hand-in.policy.ts'

const SECOND = 1000
const BOUNDARY = 'a-boundary'

let ahead = 0
const { api, server } = useTestApi({}, { clock: { now: () => new Date(Date.now() + ahead) } })

/** Hands in a paper a second before the closing time, of which the second half comes `ms` later. */
async function handInSlowly(ms: number) {
  const { teacher, students, assignmentId, params } = await buildEmptyAssignment(api, { students: 1 })
  const [student] = students as [Person]
  await teacher.send(publishAssignment, { params })
  const token = await api.as(student).token()
  const base = `${server.running.url}/api/v1`
  const headers = { authorization: `Bearer ${token}` }
  const { csrf_token } = (await (await fetch(base + getCsrfToken.path, { headers })).json()) as { csrf_token: string }
  const closes_at = new Date(Date.now() + ahead + 30 * SECOND)
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { closes_at } })
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="mine.pdf"\r\nContent-Type: application/pdf\r\n\r\n`
  const pdf = await drawPaper({ full_name: 'Someone' }, correctAnswers)
  const whole = Buffer.concat([Buffer.from(head), pdf, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  const half = Math.floor(whole.length / 2)
  const folder = server.running.services.uploadFolder
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(whole.subarray(0, half))
      await expect.poll(() => readdir(folder)).not.toEqual([])
      ahead += ms
      controller.enqueue(whole.subarray(half))
      controller.close()
    },
  })
  const reply = await fetch(base + handInPaper.path.replace(':assignmentId', String(assignmentId)), {
    method: 'POST',
    headers: {
      ...headers,
      'x-csrf-token': csrf_token,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
    body,
    duplex: 'half',
  } as RequestInit)
  const stored = await SubmissionModel.findOne({ assignment_id: assignmentId }).lean()
  return { status: reply.status, body: await reply.json(), stored }
}

it('refuses a paper that was held open over the closing time, and takes one that was on its way', async () => {
  const held = await handInSlowly(10 * 60 * SECOND)
  expect(held).toMatchObject({ status: 409, body: { error_code: 'hand_in_refused' }, stored: null })
  const sent = await handInSlowly(15 * SECOND)
  expect(sent.status).toBe(201)
  const { created_at, sending } = sent.stored ?? {}
  expect(sending?.began).toEqual(created_at)
  expect(Number(sending?.ended) - Number(sending?.began)).toBeGreaterThanOrEqual(15 * SECOND)
})

it.each([
  [1000, 20, 'sent'],
  [1000, 60, 'received'],
  [10_000_000, 60, 'sent'],
  [50_000_000, 10 * 60, 'received'],
])('a paper of %d bytes that takes %d s counts as of when it was %s', (bytes, seconds, which) => {
  const times = { sent: new Date(0), received: new Date(seconds * SECOND) }
  expect(countingTime(times.sent, times.received, bytes)).toBe(times[which as keyof typeof times])
})
