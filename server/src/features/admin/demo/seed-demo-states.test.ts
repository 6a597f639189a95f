import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteAssignment } from '../../../maintenance/deletion/delete-course.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { RunModel } from '../../../records/grading/run.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { DemoProgressModel } from '../../../records/system/demo-progress.model.ts'
import { correctAnswers, drawPaper, quizFiles } from '../../../testing/build-course.ts'
import { useServer } from '../../../testing/server.ts'
import { verifyPassword } from '../../auth/password-hash.ts'
import { unpublish } from '../../grades/grade.routes.ts'
import { endRun } from '../../runs/run.service.ts'
import { findUserByLogin } from '../../users/user.service.ts'
import { ensureDemoAccounts, seedDemo } from './seed-demo.ts'

const server = useServer()
const note = () => join(server.running.services.config.dataDir, 'first-run.txt')

beforeEach(async () => {
  for (const model of Object.values(mongoose.models)) await model.deleteMany({})
  await rm(note(), { force: true })
})

/** A small demo that is drawn quickly: one student and two quizzes. */
async function drawSmall(folder: string, { blankOfFirst }: { blankOfFirst?: string } = {}) {
  const put = async (name: string, bytes: Buffer | string) => {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return { name, path }
  }
  const { blank, key } = await quizFiles()
  const paper = await drawPaper({ full_name: 'Lucy Chen' }, correctAnswers)
  const assignment = async (title: string, blankBytes: Buffer | string) => ({
    title,
    blank: await put(`${title}-blank.pdf`, blankBytes),
    key: await put(`${title}-key.pdf`, key.bytes),
    papers: [await put(`${title}-lchen.pdf`, paper)],
  })
  return {
    students: [{ username: 'lchen', full_name: 'Lucy Chen', email: 'lchen@demo.example', student_number: '20260103' }],
    assignments: [await assignment('First', blankOfFirst ?? blank.bytes), await assignment('Second', blank.bytes)],
  }
}

const seed = (draw = drawSmall, grading = server.running.grading) => seedDemo(server.running.services, grading, draw)
const states = async () =>
  (await AssignmentModel.find({}).sort({ _id: 1 }).lean()).map(({ title, status }) => `${title} ${status}`)
const isDone = async () => (await DemoProgressModel.findById('demo').lean())?.done
const first = async () => {
  const found = await AssignmentModel.findOne({ title: 'First' }).lean()
  if (!found) throw new Error('no first assignment')
  return found
}
const actor = { id: 1, role: 'instructor' as const, sessionId: 'a visitor' }

describe('the demo', () => {
  it('is published by the next start when the first one crashed between grading and publishing', async () => {
    await seed()
    await unpublish(await first(), actor, new Date(), false)
    await AssignmentModel.deleteOne({ title: 'Second' })
    await DemoProgressModel.updateOne({}, { $set: { done: false, steps: ['course', 'assignment: First'] } })
    await seed()
    expect(await states()).toEqual(['First published', 'Second draft'])
    expect(await RunModel.countDocuments({})).toBe(1)
    expect(await isDone()).toBe(true)
  })

  it('belongs to its visitors once created: what they unpublish or delete stays so after a restart', async () => {
    await seed()
    const { services } = server.running
    await unpublish(await first(), actor, new Date(), false)
    await seed()
    expect(await states()).toEqual(['First draft', 'Second draft'])
    await deleteAssignment(await first(), actor, services)
    await seed(async () => {
      throw new Error('nothing is drawn again')
    })
    expect(await states()).toEqual(['Second draft'])
  })

  it('is not published ungraded: a failed run is tried again at the next start', async () => {
    await expect(seed((folder) => drawSmall(folder, { blankOfFirst: '%PDF-1.7 nothing' }))).rejects.toThrow(
      /not graded/,
    )
    expect(await states()).toEqual(['First draft', 'Second draft'])
    expect(await isDone()).toBe(false)
    await AssignmentModel.updateOne({ title: 'First' }, { $set: { blank: (await second()).blank } })
    await seed()
    expect(await states()).toEqual(['First published', 'Second draft'])
  })

  it('does not publish what a visitor stopped or deleted while it was being graded', async () => {
    const { grading, services } = server.running
    const idle: typeof grading = { ...grading, start: async () => {} }
    const stopped = seed(undefined, idle)
    await expect.poll(() => RunModel.countDocuments({})).toBe(1)
    const run = await RunModel.findOne({}).lean()
    if (run) await endRun(run, 'stopped', services)
    await stopped
    expect(await states()).toEqual(['First draft', 'Second draft'])
    expect(await isDone()).toBe(true)

    await DemoProgressModel.updateOne({}, { $set: { done: false }, $pull: { steps: 'graded' } })
    const waiting = seed(undefined, idle)
    await expect.poll(async () => RunModel.countDocuments({ status: 'preparing' })).toBe(1)
    await RunModel.deleteMany({})
    await waiting
    expect(await states()).toEqual(['First draft', 'Second draft'])
  })

  it('reuses the stored passwords when a start crashed between two accounts', async () => {
    await DemoProgressModel.create({ _id: 'demo', steps: [], done: false })
    await ensureDemoAccounts(server.running.services)
    const written = await readFile(note(), 'utf8')
    await UserModel.deleteMany({ username: { $ne: 'admin' } })
    await seed()
    expect(await readFile(note(), 'utf8')).toBe(written)
    for (const username of ['admin', 'lchen', 'instructor']) {
      const secret = new RegExp(`^${username} +(\\S+)$`, 'm').exec(written)?.[1] ?? ''
      const user = await findUserByLogin(username)
      expect(await verifyPassword(secret, user?.password_hash ?? '')).toBe(true)
    }
    expect(await states()).toEqual(['First published', 'Second draft'])
  })

  it('is never started where there are other accounts', async () => {
    await ensureDemoAccounts(server.running.services)
    await UserModel.updateMany({}, { $set: { demo: false } })
    await seed()
    expect(await SubmissionModel.countDocuments({})).toBe(0)
    expect(await DemoProgressModel.countDocuments({})).toBe(0)
  })
})

async function second() {
  const found = await AssignmentModel.findOne({ title: 'Second' }).lean()
  if (!found) throw new Error('no second assignment')
  return found
}
