import { z } from 'zod'
import { recordAudit } from '../../audit/audit.service.ts'
import { batchesOf } from '../../lib/batches.ts'
import { nextId } from '../../lib/database/database.ts'
import { orNotFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type BackgroundWork, defineJob } from '../../lib/jobs/job.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import {
  type RosterImportDoc,
  RosterImportModel,
  type RosterStepDoc,
  RosterStepModel,
} from '../../records/courses/roster-import.model.ts'
import type { Services } from '../../services.ts'
import { canTeach, coursesById } from '../courses/course.service.ts'
import { usersById } from '../users/user.service.ts'
import { addRosterRows, ROWS_PER_STEP } from './add-roster-rows.ts'
import type { ParsedRoster } from './roster-csv.ts'

const RETENTION_MS = 7 * 24 * 60 * 60 * 1000

const jobGroupOf = (importId: number) => `roster:${importId}`
const ImportPayload = z.object({ importId: z.number() })
const importJob = { name: 'import-roster', payload: ImportPayload }

/** Each step is marked when done, so that after a crash only one runs again and finds its students enrolled. */
export async function startRosterImport(
  course: CourseDoc,
  { name, mail, rows, rejected, notes }: ParsedRoster & { name: string; mail: boolean },
  actor: Actor,
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
): Promise<RosterImportDoc> {
  const now = clock.now()
  const expires_at = new Date(now.getTime() + RETENTION_MS)
  const _id = await nextId('roster_imports')
  const stepOf = (step: number, more: Partial<RosterStepDoc>): RosterStepDoc => ({
    _id: `${_id}/${step}`,
    import_id: _id,
    step,
    rows: [],
    done: false,
    succeeded: 0,
    failures: [],
    expires_at,
    ...more,
  })
  const steps = [stepOf(0, { done: true, failures: rejected })]
  for (const some of batchesOf(rows, ROWS_PER_STEP)) steps.push(stepOf(steps.length, { rows: some }))
  await RosterStepModel.insertMany(steps, { lean: true })
  const doc: RosterImportDoc = {
    _id,
    course_id: course._id,
    actor_id: actor.id,
    actor_role: actor.role,
    session_id: actor.sessionId,
    file_name: name,
    total_rows: rows.length + rejected.length,
    notes,
    invite: mail,
    state: 'running',
    created_at: now,
    finished_at: null,
    expires_at,
  }
  await RosterImportModel.create(doc)
  await jobs.add(importJob, [{ key: `${_id}`, group: jobGroupOf(_id), payload: { importId: _id } }])
  return doc
}

export const requireRosterImport = (courseId: number, importId: number): Promise<RosterImportDoc> =>
  orNotFound(RosterImportModel.findOne({ _id: importId, course_id: courseId }).lean(), 'This import no longer exists.')

export const listRosterImports = (courseId: number): Promise<RosterImportDoc[]> =>
  RosterImportModel.find({ course_id: courseId }).sort({ _id: -1 }).limit(20).lean()

export const listImportSteps = (importId: number): Promise<Omit<RosterStepDoc, 'rows'>[]> =>
  RosterStepModel.find({ import_id: importId }, { rows: 0 }).sort({ step: 1 }).lean()

async function finishImport(importId: number, state: RosterImportDoc['state'], now: Date): Promise<boolean> {
  const ended = await RosterImportModel.updateOne(
    { _id: importId, state: 'running' },
    { $set: { state, finished_at: now } },
  )
  return ended.modifiedCount > 0
}

export async function stopRosterImport({ _id, course_id }: RosterImportDoc, actor: Actor, { jobs, clock }: Services) {
  if (!(await finishImport(_id, 'stopped', clock.now()))) return
  await jobs.cancel(jobGroupOf(_id))
  await recordAudit(actor, 'roster.import_stopped', { course_id, import_id: _id }, clock.now())
}

/** Null when the uploader was deactivated or no longer teaches the course, or it was deleted. */
async function courseIfStillAllowed(doc: RosterImportDoc, actor: Actor): Promise<CourseDoc | null> {
  const [courses, users] = await Promise.all([coursesById([doc.course_id]), usersById([actor.id])])
  const [course, sender] = [courses.get(doc.course_id), users.get(actor.id)]
  if (!course || sender?.account !== 'active') return null
  return (await canTeach({ ...actor, role: sender.role }, course)) === 'yes' ? course : null
}

export function createRosterImports(services: Services): BackgroundWork {
  const job = defineJob({
    ...importJob,
    async run({ importId }, signal) {
      for (;;) {
        signal.throwIfAborted()
        const doc = await RosterImportModel.findOne({ _id: importId, state: 'running' }).lean()
        if (!doc) return
        const step = await RosterStepModel.findOne({ import_id: importId, done: false }).sort({ step: 1 }).lean()
        const actor = { id: doc.actor_id, role: doc.actor_role, sessionId: doc.session_id }
        const course = await courseIfStillAllowed(doc, actor)
        if (!step || !course) {
          await finishImport(importId, step ? 'stopped' : 'done', services.clock.now())
          return
        }
        const begunAt = step.begun_at ?? null
        if (!begunAt) await RosterStepModel.updateOne({ _id: step._id }, { $set: { begun_at: services.clock.now() } })
        const results = await addRosterRows(course, step.rows, actor, services, { begunAt, mail: doc.invite !== false })
        const succeeded = results.filter(({ success }) => success).length
        const failures = results.filter(({ success, renamed }) => !success || renamed)
        await RosterStepModel.updateOne({ _id: step._id }, { $set: { done: true, rows: [], succeeded, failures } })
      }
    },
    onFailed: async ({ importId }) => {
      await finishImport(importId, 'failed', services.clock.now())
    },
  })
  return {
    jobs: [job],
    /** A process may have died between storing an import and queueing it. */
    async resume() {
      const open = await RosterImportModel.find({ state: 'running' }, { _id: 1 }).lean()
      const rows = open.map(({ _id }) => ({ key: `${_id}`, group: jobGroupOf(_id), payload: { importId: _id } }))
      await services.jobs.add(importJob, rows)
    },
  }
}
