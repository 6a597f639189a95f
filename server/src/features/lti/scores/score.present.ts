import type { QueryOf } from '@assay/shared/http/endpoint.ts'
import { lmsGuides } from '@assay/shared/lti/lms-guides.ts'
import type {
  LmsResult,
  LmsScore,
  LmsScores,
  LmsScoresOfLink,
  listLmsScores,
  ResultState,
} from '@assay/shared/lti/lti-scores.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { type LtiScoreDoc, LtiScoreModel } from '../../../records/lti/score.model.ts'
import { type AssignmentNames, hidesNames } from '../../anonymity/hidden-names.ts'
import { releasedScores } from '../../grades/release.service.ts'
import { studentIdsWithUnreleasedScore } from '../../submissions/submission-queries.ts'
import { platformPause } from './platform-pause.ts'
import { latestReleases } from './score-ledger.ts'
import { type ScoreTarget, scoresFilter, scoreTargetsOf } from './score-targets.ts'

type AssignmentRef = Pick<AssignmentDoc, '_id' | 'course_id' | 'status'>

const overview = { link: 1, state: 1, reason: 1, next_at: 1, user_id: 1, wanted: 1, result: 1, check_at: 1 } as const
type Row = Pick<LtiScoreDoc, keyof typeof overview>

export async function presentScores(assignment: AssignmentRef): Promise<LmsScores> {
  const targets = await scoreTargetsOf(assignment)
  const published = assignment.status === 'published'
  if (targets.length === 0) return { linked: false, published, links: [], unknown_students: 0, on_release: 0 }
  const rows: Row[] = await LtiScoreModel.find({ assignment_id: assignment._id }, overview).lean()
  const members = await studentsOf(targets)
  const released = await releasedTo(assignment)
  const [links, on_release] = await Promise.all([
    Promise.all(targets.map((target, i) => presentLink(target, rows, members[i] ?? new Map(), released.scored))),
    countOnRelease(
      assignment,
      members.filter((_, i) => !targets[i]?.link.gone),
    ),
  ])
  const unknown_students = released.students.filter((id) => !members.some((known) => known.has(id))).length
  return { linked: true, published, links, unknown_students, on_release }
}

/** By account: whether each is a test student. */
async function studentsOf(targets: ScoreTarget[]): Promise<Map<number, boolean>[]> {
  const contexts = targets.map(({ context }) => context._id)
  const members = await LtiMemberModel.find(
    { context: { $in: contexts }, role: 'student', status: 'active' },
    { context: 1, user_id: 1, test_user: 1 },
  ).lean()
  return contexts.map(
    (context) =>
      new Map(members.filter((one) => one.context === context).map(({ user_id, test_user }) => [user_id, test_user])),
  )
}

/** `scored`: those with a complete score, while the assignment is published. */
async function releasedTo({ _id, status }: AssignmentRef): Promise<{ students: number[]; scored: Set<number> }> {
  const counting = latestReleases(await releasedScores(_id))
  const scored = status === 'published' ? [...counting].filter(([, { points }]) => points !== null) : []
  return { students: [...counting.keys()], scored: new Set(scored.map(([student]) => student)) }
}

async function countOnRelease({ _id }: AssignmentRef, members: Map<number, boolean>[]): Promise<number> {
  const students = await studentIdsWithUnreleasedScore(_id)
  return members.reduce((sum, known) => sum + [...students].filter((id) => known.get(id) === false).length, 0)
}

async function presentLink(
  target: ScoreTarget,
  all: Row[],
  members: Map<number, boolean>,
  scored: Set<number>,
): Promise<LmsScoresOfLink> {
  const { link, context, platform, blockedReason } = target
  const rows = all
    .filter((row) => row.link === link._id && !isCleared(row))
    // LMSs drop the scores of those who have left.
    .map((row) =>
      resultStateOf(row) === 'missing' && !members.has(row.user_id) ? { ...row, state: 'off' as const } : row,
    )
  const count = (state: Row['state']) => rows.filter((row) => row.state === state).length
  const countShown = (result: ResultState) => rows.filter((row) => resultStateOf(row) === result).length
  const missing = rows.find(({ state, reason }) => state === 'refused' && reason?.code === 'no_line_item')
  const waiting = all.filter((row) => row.link === link._id && row.state === 'waiting')
  // A moment after publishing the ledger has no rows yet.
  const unlisted = link.gone ? 0 : countUnlisted(link._id, all, members, scored)
  const pause = waiting.length > 0 ? await platformPause(platform._id) : null
  const locked = waiting.find(({ reason }) => reason?.code === 'locked')?.reason?.message
  const retried = waiting.find(({ reason }) => reason?.code === 'later')
  const problem =
    link.gone?.message ??
    (waiting.length + unlisted > 0 ? blockedReason : null) ??
    missing?.reason?.message ??
    pause?.problem ??
    locked ??
    retried?.reason?.message ??
    null
  return {
    link_id: link._id,
    platform: { name: platform.name, lms: platform.lms },
    course_title: context.title,
    link_title: link.title,
    opened_at: link.created_at.toISOString(),
    gone_since: link.gone?.at.toISOString() ?? null,
    line_item: missing || link.gone ? 'missing' : link.lineitem_url === null ? 'none_yet' : 'known',
    counts: {
      waiting: count('waiting') + unlisted,
      sending: count('sending'),
      sent: count('sent'),
      refused: count('refused'),
      off: count('off'),
      in_gradebook: countShown('same'),
      different: countShown('different'),
      missing: countShown('missing'),
    },
    checking: blockedReason === null && rows.some((row) => row.state === 'sent' && row.check_at != null),
    checked_at: link.results_read_at?.toISOString() ?? null,
    problem,
    gradebook_url: problem && problem === locked && link.lineitem_url ? gradebookUrl(link.lineitem_url) : null,
    next_try_at:
      problem && waiting.length > 0 && !blockedReason ? nextRetryAt(waiting, pause?.resume_at ?? null) : null,
  }
}

/** Where columns are unlocked, in Moodle and Canvas. */
function gradebookUrl(lineItem: string): string {
  const page = lineItem
    .replace(/\/mod\/lti\/services\.php\/(\d+)\/.*/, '/grade/edit/tree/index.php?id=$1')
    .replace(/\/api\/lti\/courses\/(\w+)\/.*/, '/courses/$1/gradebook')
  return page === lineItem ? new URL(lineItem).origin : page
}

/** They have a released score but no row, which the next update of the ledger adds. */
function countUnlisted(link: number, all: Row[], members: Map<number, boolean>, scored: Set<number>): number {
  const listed = new Set(all.flatMap((row) => (row.link === link ? [row.user_id] : [])))
  return [...members].filter(([id, isTest]) => !isTest && scored.has(id) && !listed.has(id)).length
}

function nextRetryAt(waiting: Row[], resumeAt: Date | null): string {
  const first = Math.min(...waiting.map(({ next_at }) => next_at.getTime()))
  return new Date(Math.max(first, resumeAt?.getTime() ?? 0)).toISOString()
}

const isCleared = ({ state, wanted }: Pick<LtiScoreDoc, 'state' | 'wanted'>) =>
  state === 'sent' && wanted.score === null

/** Null while a score is on its way. */
const resultStateOf = ({ state, result }: Pick<LtiScoreDoc, 'state' | 'result'>): ResultState | null =>
  state === 'sent' ? (result?.state ?? null) : null

export async function presentScoreRows(assignment: AssignmentNames, query: QueryOf<typeof listLmsScores>) {
  const { skip, limit, submission_ids } = query
  const targets = (await scoreTargetsOf(assignment)).filter(({ link }) => !link.gone)
  const where = scoresFilter(assignment, targets, submission_ids)
  const [rows, total] = await Promise.all([
    LtiScoreModel.find(where).sort({ submission_id: 1, _id: 1 }).skip(skip).limit(limit).lean(),
    LtiScoreModel.countDocuments(where),
  ])
  const targetOf = new Map(targets.map((target) => [target.link._id, target]))
  return {
    rows: rows.flatMap((row) => {
      const target = targetOf.get(row.link)
      return target ? [presentRow(assignment, row, target)] : []
    }),
    total,
  }
}

function presentRow(
  assignment: AssignmentNames,
  row: LtiScoreDoc,
  { platform, context, blockedReason }: ScoreTarget,
): LmsScore {
  const { accepted, state } = row
  const waits = state === 'waiting'
  return {
    link_id: row.link,
    platform_name: platform.name,
    product_name: platform.lms === 'other' ? platform.name : lmsGuides[platform.lms].name,
    course_title: context.title,
    submission_id: row.submission_id,
    // The page must not show whose paper is whose.
    student_id: hidesNames(assignment) ? null : row.user_id,
    state,
    reason: (waits ? blockedReason : null) ?? row.reason?.message ?? null,
    next_try_at: waits && !blockedReason && row.reason ? row.next_at.toISOString() : null,
    recorded:
      accepted && accepted.points !== null
        ? { points: accepted.points, maximum: accepted.maximum, at: accepted.at.toISOString() }
        : null,
    result: resultStateOf(row) === null ? null : presentResult(row.result),
    cleared: row.wanted.score === null,
  }
}

function presentResult(result: LtiScoreDoc['result']): LmsResult | null {
  if (!result) return null
  const { state, points, maximum, at } = result
  return { state, points, maximum, read_at: at.toISOString() }
}
