import { readdir } from 'node:fs/promises'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { getCsrfToken } from '@assay/shared/auth.ts'
import { handInPaper } from '@assay/shared/students.ts'
import { expect, it } from 'vitest'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Person } from '../../testing/api.ts'
import { buildAssignment, buildCourse, correctAnswers, drawPaper } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'
import { countingTime } from './hand-in.policy.ts'

const SECOND = 1000
const BOUNDARY = 'a-boundary'

let ahead = 0
const { api, server } = useTestApi({}, { clock: { now: () => new Date(Date.now() + ahead) } })

/** Hands in a paper before the closing time, of which the second half comes `seconds` after it. */
async function handInSlowly(seconds: number, bytes = 0) {
  const { instructor, students, courseId } = await buildCourse(api)
  const [student] = students as [Person]
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
  const token = await api.as(student).token()
  const base = `${server.running.url}/api/v1`
  const headers = { authorization: `Bearer ${token}` }
  const { csrf_token } = (await (await fetch(base + getCsrfToken.path, { headers })).json()) as { csrf_token: string }
  const closes_at = new Date(Date.now() + ahead + 30 * SECOND)
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { closes_at } })
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="mine.pdf"\r\nContent-Type: application/pdf\r\n\r\n`
  const pdf = await drawPaper({ full_name: 'Someone' }, correctAnswers)
  const padding = Buffer.alloc(bytes, '%')
  const whole = Buffer.concat([Buffer.from(head), pdf, padding, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  const half = Math.floor(whole.length / 2)
  const folder = server.running.services.uploadFolder
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(whole.subarray(0, half))
      await expect.poll(() => readdir(folder)).not.toEqual([])
      ahead = closes_at.getTime() + seconds * SECOND - Date.now()
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
  return { status: reply.status, body: await reply.json(), stored, closes_at }
}

it.each([
  [10 * 60, 0],
  [60, 0],
  [60, 5_000_000],
])('refuses a paper that ends %d s after the closing time, padded with %d bytes', async (seconds, bytes) => {
  const held = await handInSlowly(seconds, bytes)
  expect(held).toMatchObject({ status: 409, body: { error_code: 'hand_in_refused' }, stored: null })
})

it('takes a paper that was on its way at the closing time, and stores when its upload began and ended', async () => {
  const { status, stored, closes_at } = await handInSlowly(10)
  expect(status).toBe(201)
  const { created_at, sending } = stored ?? {}
  expect(Number(created_at)).toBeLessThanOrEqual(Number(closes_at))
  expect(Number(sending?.began)).toBeLessThanOrEqual(Number(created_at))
  expect(Number(sending?.ended)).toBeGreaterThanOrEqual(Number(closes_at) + 10 * SECOND)
})

it.each([
  [640, 20, 0],
  [640, 60, 40],
  [1_280_000, 60, 20],
  [50_000_000, 10 * 60, 9 * 60 + 15],
])('a paper of %d bytes that takes %d s counts as handed in after %d s', (bytes, seconds, counts) => {
  const at = countingTime(new Date(0), new Date(seconds * SECOND), bytes)
  expect(Math.round(at.getTime() / SECOND)).toBe(counts)
})
