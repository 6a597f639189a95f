import { readdir } from 'node:fs/promises'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { handInPaper } from '@assay/shared/students.ts'
import { expect, it } from 'vitest'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { buildEmptyAssignment, correctAnswers, drawPaper } from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { countingTime } from './hand-in.ts'

const SECOND = 1000

let ahead = 0
const { api, server } = useTestApi({}, { clock: { now: () => new Date(Date.now() + ahead) } })

/** Begins before the closing time; the second half comes `seconds` after it. */
async function handInSlowly(seconds: number, bytes = 0) {
  const { teacher, students, assignmentId, params } = await buildEmptyAssignment(api, { students: 1 })
  const [student] = students as [Person]
  await teacher.send(publishAssignment, { params })
  const upload = await api.as(student).startUpload(handInPaper, { assignmentId })
  // A date holds for all of its minute.
  const closes_at = new Date(Math.ceil((Date.now() + ahead + 30 * SECOND) / 60_000) * 60_000 - 1)
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { closes_at } })
  const pdf = await drawPaper({ full_name: 'Someone' }, correctAnswers)
  upload.body.write(pdf.subarray(0, 1000))
  await expect.poll(() => readdir(server.running.services.uploadFolder)).not.toEqual([])
  ahead = closes_at.getTime() + seconds * SECOND - Date.now()
  upload.body.write(Buffer.concat([pdf.subarray(1000), Buffer.alloc(bytes, '%')]))
  upload.finish()
  const reply = await upload.reply
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
