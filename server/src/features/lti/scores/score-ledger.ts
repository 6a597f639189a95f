import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { LtiScoreModel, scoreId } from '../../../records/lti/score.model.ts'
import { findAssignmentCourse, findAssignmentOverview } from '../../assignments/assignment-queries.ts'
import { releasesWithoutCriteria } from '../../grades/release-queries.ts'
import { latestReleases } from './latest-releases.ts'
import { type LedgerEntry, type LedgerWrite, ledgerWriteFor, type ReleaseToSend } from './score-ledger-entry.ts'
import { unsentStates } from './score-rows.ts'
import { scoreTargetsOf } from './score-targets.ts'

const BATCH = 500
/** Each round starts from the current state; it fails only if another process has changed a row. */
const MAX_ROUNDS = 50

/**
 * Updates an assignment's ledger from its released grades, for every link and every student of that link's course. Idempotent, also
 * when run concurrently: a row is only changed if unchanged since it was read, and rows are read before releases, so a write is never
 * based on older releases than the row.
 * @returns the platforms that may have something to send
 */
export async function updateLedger(assignmentId: number, now: Date): Promise<number[]> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const platforms = await tryUpdateLedger(assignmentId, now)
    if (platforms) return platforms
  }
  throw new Error('the ledger changed faster than it could be brought up to date')
}

/** Null when a row has changed since it was read. */
async function tryUpdateLedger(assignmentId: number, now: Date): Promise<number[] | null> {
  const found = await findAssignmentCourse(assignmentId)
  if (!found) return deleteAssignmentScores(assignmentId)
  const targets = await scoreTargetsOf(found)
  const links = targets.map(({ link }) => link._id)
  const rows = await LtiScoreModel.find({
    $or: [{ assignment_id: assignmentId }, { link: { $in: links } }],
  }).lean()
  if (targets.length === 0 && rows.length === 0) return []
  const members = await LtiMemberModel.find({
    context: { $in: targets.map(({ context }) => context._id) },
  }).lean()

  // Everything read from here on is newer than the rows.
  const assignment = await findAssignmentOverview(assignmentId)
  const releases = assignment?.status === 'published' ? await releasesWithoutCriteria(assignmentId) : []
  if (!assignment) {
    // Deleted: the LMS's scores stay.
    await LtiScoreModel.deleteMany({ assignment_id: assignmentId })
    return []
  }
  const counting = latestReleases(releases)
  const owners = new Map(releases.map(({ _id, student_id }) => [_id, student_id]))

  const rowsById = new Map(rows.map((row) => [row._id, row]))
  const writes: LedgerWrite[] = []
  // Also where nothing changes: a process may have died before it had the scores sent.
  const platforms = new Set(rows.filter(({ state }) => unsentStates.includes(state)).map((row) => row.platform_id))
  const put = (entry: LedgerEntry) => {
    const next = ledgerWriteFor(entry, now)
    if (!next) return
    writes.push(next)
    platforms.add(entry.platformId)
  }
  for (const target of targets) {
    for (const member of members) {
      if (member.context !== target.context._id) continue
      const id = scoreId(target.link._id, member.sub)
      const row = rowsById.get(id) ?? null
      rowsById.delete(id)
      const owner = row?.submission_id == null ? undefined : owners.get(row.submission_id)
      const moved = owner !== undefined && owner !== row?.user_id
      put({
        id,
        row,
        link: target.link._id,
        platformId: target.platform._id,
        assignmentId,
        member,
        release: toSend(counting.get(member.user_id)),
        blocked: target.blockedReason !== null,
        gone: target.link.gone != null,
        clear: assignment.clear_lms_scores ? 'asked' : moved ? 'moved' : null,
      })
    }
  }
  // Rows of links that open something else now, or of people no longer in the course.
  for (const row of rowsById.values()) {
    if (row.assignment_id !== assignmentId) continue
    put({
      id: row._id,
      row,
      link: row.link,
      platformId: row.platform_id,
      assignmentId,
      member: null,
      release: null,
      blocked: false,
      gone: false,
      clear: null,
    })
  }
  return (await writeAll(writes)) ? [...platforms] : null
}

/** A deleted assignment's scores are deleted, and its links have to be set up again; the LMS's scores stay. */
async function deleteAssignmentScores(assignment_id: number): Promise<number[]> {
  await LtiResourceLinkModel.updateMany({ assignment_id }, { $set: { assignment_id: null } })
  await LtiScoreModel.deleteMany({ assignment_id })
  return []
}

type Release = Awaited<ReturnType<typeof releasesWithoutCriteria>>[number]

/** Nothing while answers are left to grade; a score the LMS already has stays until there is another. */
const toSend = (release: Release | undefined): ReleaseToSend | null =>
  release && release.final_score !== null ? { ...release, final_score: release.final_score } : null

/** True when no row had changed since it was read. */
async function writeAll(writes: LedgerWrite[]): Promise<boolean> {
  let written = 0
  for (let from = 0; from < writes.length; from += BATCH) {
    const result = await LtiScoreModel.bulkWrite(writes.slice(from, from + BATCH), { ordered: false })
    written += result.matchedCount + result.upsertedCount + result.deletedCount
  }
  return written === writes.length
}
