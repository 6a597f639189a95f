import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listAudit } from '@assay/shared/admin.ts'
import { getAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { beforeAll, expect, it } from 'vitest'
import { firstAdminPassword } from '../../../../tests/fake-lms/fake-lms.ts'
import { AuditModel } from '../../audit/audit.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { CourseModel } from '../../records/courses/course.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { ageAssignment, buildAssignment } from '../../testing/build-course.ts'
import { buildManySubmissions } from '../../testing/build-many-submissions.ts'
import { useKilledProcess } from '../../testing/killed-process.ts'
import type { Person } from '../../testing/server.ts'
import { startServerProcess } from '../../testing/server-process.ts'

/** The write, and the collection whose first write starts the count. */
const deaths = [
  // Begun, and nothing deleted.
  ['after findOneAndUpdate assignments 1', 'assignments'],
  // Some papers are gone.
  ['after deleteMany submissions 2', 'submissions'],
  // All are gone, unsaid.
  ['before bulkWrite audit 1', 'audit'],
  // Audited, with the notice still there.
  ['before updateOne assignments 1', 'assignments'],
] as const
const PAPERS = 250
const DAY = 24 * 60 * 60 * 1000

const killed = useKilledProcess(1, { answerOf: () => '144' })
const assignments: number[] = []
let admin: Person

beforeAll(async () => {
  await killed.start()
  const { api, teacher, dataDir } = killed
  admin = { id: 0, username: 'admin', password: await firstAdminPassword(dataDir) }
  const courseId = (await api.as(teacher).send(createCourse, { body: { name: 'Long ago' } })).body.id
  for (const _ of deaths)
    assignments.push((await buildAssignment(api, { instructor: teacher, courseId }, [])).assignmentId)
  await killed.stop()
  await killed.inDatabase(async () => {
    await CourseModel.updateOne({ _id: courseId }, { $set: { retention_months: 24 } })
    for (const assignmentId of assignments) await buildManySubmissions(assignmentId, PAPERS, { graded: 1 })
  })
})

async function makeDue(assignmentId: number): Promise<void> {
  await ageAssignment(assignmentId, new Date(Date.now() - 5 * 365 * DAY))
  const [warned_at, delete_at] = [15, 1].map((days) => new Date(Date.now() - days * DAY))
  const retention_notice = { warned_at, delete_at, papers: PAPERS, mailed: true }
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { retention_notice } })
}

async function dieAt(at: string, from: string): Promise<void> {
  const orders = join(killed.dataDir, 'kill-orders.txt')
  await writeFile(orders, `${at}\n${from}`)
  const preloaded = `--import=${new URL('../../testing/kill-at-write.ts', import.meta.url).href}`
  const started = startServerProcess(killed.dataDir, { NODE_OPTIONS: preloaded, KILL_ORDERS: orders })
  const dying = await started.catch(() => null)
  if (!dying) return
  const { child } = dying
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.exitCode === null && child.signalCode === null) await ended
  expect(child.signalCode).toBe('SIGKILL')
}

it.each(deaths.map((death, i) => [...death, i] as const))(
  'is completed by the next process after a death %s',
  async (at, from, i) => {
    const assignmentId = assignments[i] ?? 0
    await killed.inDatabase(() => makeDue(assignmentId))
    await dieAt(at, from)
    await killed.inDatabase(async () => {
      expect((await AssignmentModel.findById(assignmentId).lean())?.retention_notice?.deleting?.papers).toBe(PAPERS)
    })
    await killed.start()
    const { api, teacher } = killed
    const submissions = async () =>
      (await api.as(teacher).send(getAssignment, { params: { assignmentId } })).body.counts?.submissions
    await expect.poll(submissions).toBe(0)
    const entries = async () => {
      const { body } = await api.as(admin).send(listAudit, { query: { action: 'assignment.work_deleted' } })
      return body.filter(({ subjects }) =>
        subjects.some(({ kind, id }) => kind === 'assignment' && id === assignmentId),
      )
    }
    await expect.poll(async () => (await entries()).length).toBe(1)
    await killed.stop()
  },
)

it('is audited once, and touches nothing that has no notice', async () => {
  await killed.inDatabase(async () => {
    for (const assignmentId of assignments) {
      const done = { action: 'assignment.work_deleted', 'subject.assignment_id': assignmentId }
      expect(await AuditModel.find(done).lean()).toMatchObject([{ after: { papers: PAPERS } }])
      expect((await AssignmentModel.findById(assignmentId).lean())?.retention_notice).toBeUndefined()
    }
    expect(await SubmissionModel.countDocuments({})).toBe(1)
  })
})
