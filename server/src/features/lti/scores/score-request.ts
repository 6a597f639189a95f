import type { SentScore } from '../../../records/lti/score.model.ts'
import type { PlatformResponse } from '../platform-client/platform-request.ts'
import { type AgsClient, callAgs, errorMessageOf, lineItemServiceUrl } from './ags-request.ts'
import type { ScoreTarget } from './score-targets.ts'

const SCORE_TYPE = 'application/vnd.ims.lis.v1.score+json'

/** The LMS's answer to a score. `stale`: it has one at least as new; `early`: the timestamp is in its future. `at`: its clock. */
export type ScoreReply =
  | { kind: 'accepted' }
  | { kind: 'stale' | 'early'; at: Date | null; message: string }
  | { kind: 'deleted'; message: string }
  | { kind: 'refused'; message: string }

interface ScoreToSend {
  sub: string
  score: SentScore
  /** The score before it, as far as we know. */
  before: SentScore | null
  /** When the submission was handed in; null if unknown. */
  handedInAt: Date | null
}

/** @throws {AgsRetryableError | AgsAborted} */
export async function postScore(
  target: ScoreTarget,
  lineItem: string,
  sent: ScoreToSend,
  ags: AgsClient,
): Promise<ScoreReply> {
  const body = JSON.stringify(scoreBody(target, sent))
  const call = { method: 'POST' as const, headers: { 'Content-Type': SCORE_TYPE }, body }
  const reply = await callAgs(target, lineItemServiceUrl(lineItem, 'scores').href, call, ags)
  return scoreReplyOf(target, reply)
}

/**
 * Without points the score is cleared. The comment is always sent: leaving it out would erase the last one in Moodle. Canvas appends
 * comments and treats each score as a new attempt unless the score says otherwise, so there only a new comment is sent.
 */
function scoreBody({ platform }: ScoreTarget, { sub, score, before, handedInAt }: ScoreToSend) {
  const { points, maximum, comment, stamp } = score
  const common = {
    userId: sub,
    timestamp: stamp.toISOString(),
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
    ...(points === null ? {} : { scoreGiven: points, scoreMaximum: maximum }),
  }
  if (platform.lms !== 'canvas') return { ...common, comment }
  const first = before === null && points !== null
  return {
    ...common,
    ...(before?.comment === comment ? {} : { comment }),
    'https://canvas.instructure.com/lti/submission': {
      new_submission: first,
      ...(first && handedInAt ? { submitted_at: handedInAt.toISOString() } : {}),
    },
  }
}

function scoreReplyOf(target: ScoreTarget, reply: PlatformResponse): ScoreReply {
  const { status, headers } = reply
  if (status < 300) return { kind: 'accepted' }
  const reason = errorMessageOf(reply)
  const message = refusalMessage(target, status, reason)
  const isBadRequest = (pattern: RegExp) => status === 400 && reason !== null && pattern.test(reason)
  const at = dateOf(headers.date)
  if (status === 409 || isBadRequest(/before last updated timestamp/i)) return { kind: 'stale', at, message }
  if (isBadRequest(/timestamp.* in the future/i)) return { kind: 'early', at, message }
  if (status === 404 || status === 410) return { kind: 'deleted', message }
  return { kind: 'refused', message }
}

function dateOf(header: string | undefined): Date | null {
  const time = Date.parse(header ?? '')
  return Number.isNaN(time) ? null : new Date(time)
}

function refusalMessage({ platform: { name } }: ScoreTarget, status: number, reason: string | null): string {
  const quoted = reason === null ? `${name} answered ${status} and gave no reason.` : `${name} says: “${reason}”.`
  if (status === 401) return `${name} denied Assay access. ${quoted}`
  if (status === 403) return `${name} does not let Assay write this score. ${quoted}`
  if (status === 404 || status === 410) return `${name} no longer has the column or the student. ${quoted}`
  const unknownStudent = reason !== null && /incorrect score|not found in course|not a student/i.test(reason)
  return unknownStudent ? `${quoted} Is the student enrolled there as a student?` : quoted
}
