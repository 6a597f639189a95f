import type { RosterEntry, RosterResult } from '@assay/shared/roster.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Actor } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { recordAudits } from '../admin/audit.service.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import { tellEnrolled } from '../courses/enrolled-mail.ts'
import { type Added, addToRoster } from './add-to-roster.ts'
import type { RosterRow } from './roster-csv.ts'

/** How many rows are under way at once: their writes share a commit. */
const AT_ONCE = 8

/** How many rows are added before it is written down who they were and they are told. */
export const ROWS_A_STEP = 50

/** One student, with all that belongs to it: the audit log and the mail. */
export async function addOne(
  course: CourseDoc,
  entry: RosterEntry,
  actor: Actor,
  services: Services,
): Promise<Added> {
  const added = await addToRoster(course, entry, actor, services)
  await writeDown(course, [added], actor, services)
  return added
}

/** The rows of one step; a row that cannot be added says why and holds none of the others up. */
export async function addRows(
  course: CourseDoc,
  rows: RosterRow[],
  actor: Actor,
  services: Services,
): Promise<RosterResult[]> {
  const results: RosterResult[] = []
  const done: Added[] = []
  const queue = rows.values()
  const work = async () => {
    for (const { row, entry } of queue) {
      const { email } = entry
      try {
        const added = await addToRoster(course, entry, actor, services)
        done.push(added)
        const { message, created_user } = added
        results.push({ row, email, success: added.outcome !== 'refused', message, created_user })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        results.push({ row, email, success: false, message: error.message, created_user: false })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await writeDown(course, done, actor, services)
  return results.sort((a, b) => a.row - b.row)
}

async function writeDown(course: CourseDoc, added: Added[], actor: Actor, services: Services): Promise<void> {
  const now = services.clock.now()
  const subjects = (...outcomes: Added['outcome'][]) =>
    added
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ user }) => ({ course_id: course._id, user_id: user._id }))
  await recordAudits(actor, 'student.enrolled', subjects('enrolled', 'invited'), now)
  await recordAudits(actor, 'student.place_kept', subjects('waiting'), now)
  const told = added.filter(({ outcome }) => outcome === 'enrolled').map(({ user }) => user)
  await tellEnrolled(course, told, services)
}
