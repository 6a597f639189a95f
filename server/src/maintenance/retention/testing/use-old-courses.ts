import { setCourseRetention } from '@assay/shared/retention.ts'
import { beforeEach, vi } from 'vitest'
import { JobModel } from '../../../lib/jobs/job.model.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { ageAssignment, buildAssignment, buildCourse } from '../../../testing/build-course.ts'
import { buildManySubmissions } from '../../../testing/build-many-submissions.ts'
import { readMailsTo } from '../../../testing/mail-server.ts'
import { type Api, createTestApi, type Person, useServer } from '../../../testing/server.ts'
import { queueRetentionReview } from '../retention-job.ts'

/** Far ahead, because the database removes sessions by the real clock. */
export const start = Date.UTC(2096, 10, 28, 8)
export const DAY = 24 * 60 * 60 * 1000

export const yearsAgo = (years: number) => new Date(Date.UTC(2096 - years, 10, 27, 8))
export const pathOf = (courseId: number) => ({ params: { courseId } })
export const stored = (id: number) => AssignmentModel.findById(id, { rubric: 0 }).lean()
export const papersOf = (assignment_id: number) => SubmissionModel.countDocuments({ assignment_id })

/** Other jobs, such as an LMS's, never end. */
async function idle(): Promise<void> {
  const ours = { name: { $in: ['review-retention', 'delete-due-work', 'send-mail'] } }
  await vi.waitUntil(async () => (await JobModel.countDocuments(ours)) === 0, { timeout: 180_000, interval: 50 })
}

let lastId = 900_000

/** Asked three years ago; null: open. */
export const oldRegrade = (assignment_id: number, submission_id: number, answered_at: Date | null) => ({
  _id: lastId++,
  ...{ assignment_id, submission_id, student_id: 1, reason: 'Please look again.', criterion: null },
  state: answered_at ? ('answered' as const) : ('open' as const),
  ...{ about: `1/${lastId}`, asked_at: yearsAgo(3), score_when_asked: 50, answered_at },
})

export const oldScan = (assignment_id: number, created_at: Date) => ({
  _id: lastId++,
  ...{ assignment_id, created_by: 1, created_at, state: 'ready' as const, files: [], revision: 0 },
  progress: { step: 'pages' as const, done: 0, total: 0 },
  proposal: { papers: [], dropped: [], split: { by: 'blank' as const, pages_per_paper: null } },
})

export const oldCheck = (assignment_id: number, started_at: Date) => ({
  _id: lastId++,
  ...{ assignment_id, started_by: 1, started_at, finished_at: null, answers: [] },
})

export function useOldCourses() {
  let now = start
  const server = useServer({}, { clock: { now: () => new Date(now) } })
  let api = createTestApi(server)

  /** Sessions end within days, so everybody signs in again. */
  function moveTo(at: number): void {
    now = at
    api = createTestApi(server)
  }
  beforeEach(() => moveTo(start))

  async function review({ all = false } = {}): Promise<void> {
    await queueRetentionReview(server.running.services, { all })
    await idle()
  }

  async function buildOld(built: { instructor: Person; courseId?: number }, { years = 3, papers = 2 } = {}) {
    const { assignmentId } = await buildAssignment(api, built, [])
    const ids = await buildManySubmissions(assignmentId, papers, { graded: 1 })
    await ageAssignment(assignmentId, yearsAgo(years))
    return { assignmentId, ids, params: { assignmentId } }
  }

  async function setRule({ instructor, courseId }: { instructor: Person; courseId: number }, months: number | null) {
    const reply = await api.as(instructor).send(setCourseRetention, { ...pathOf(courseId), body: { months } })
    if (reply.status !== 200) throw new Error(`no rule: ${reply.text}`)
    await idle()
    return reply.body
  }

  return {
    server,
    get api(): Api {
      return api
    },
    moveTo,
    idle,
    review,
    buildOld,
    setRule,
    async mailsTo({ username }: Person) {
      await idle()
      const mails = await readMailsTo(server.running.services.config.dataDir, `${username}@school.example`)
      return mails.filter(({ subject }) => subject.startsWith('Student work'))
    },
    async buildNoticed() {
      const built = await buildCourse(api, { students: 1 })
      const old = await buildOld(built, { papers: 3 })
      const older = await buildOld(built, { years: 5, papers: 4 })
      const recent = await buildOld(built, { years: 1 })
      return { ...built, old, older, recent, reply: await setRule(built, 24) }
    },
  }
}
