import { z } from 'zod'
import type { SentScore } from '../../../records/lti/score.model.ts'
import { parseJson } from '../platform-client/access-token.ts'
import type { PlatformResponse } from '../platform-client/platform-request.ts'
import { scopes } from '../scopes.ts'
import { type AgsClient, callAgs, errorMessageOf, grantedScopes, lineItemServiceUrl } from './ags-request.ts'
import type { ScoreTarget } from './score-targets.ts'
import type { CurrentResult } from './score-values.ts'

const SCORE_TYPE = 'application/vnd.ims.lis.v1.score+json'
const RESULTS_TYPE = 'application/vnd.ims.lis.v2.resultcontainer+json'

/** What the LMS said to a score. `stale`: something as new stands there; `early`: it has not come to its time yet. `at`: its clock. */
export type ScoreReply =
  | { kind: 'taken' }
  | { kind: 'stale' | 'early'; at: Date | null; message: string }
  | { kind: 'gone'; message: string }
  | { kind: 'refused'; message: string }

export interface ScoreToSend {
  sub: string
  score: SentScore
  /** What stood there before it, for all we know. */
  before: SentScore | null
  /** When the paper came in; null where nobody knows. */
  handedInAt: Date | null
}

/** @throws {TryLater | Stopped} */
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
 * Without points it is a wish to have none there. The comment always goes along: left out, it would erase the last one in Moodle.
 * Canvas adds comments one to another and takes each score for a new attempt unless told, so there only what is new is.
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
  if (status < 300) return { kind: 'taken' }
  const said = errorMessageOf(reply)
  const message = refusalMessage(target, status, said)
  const about = (words: RegExp) => status === 400 && said !== null && words.test(said)
  const at = dateOf(headers.date)
  if (status === 409 || about(/before last updated timestamp/i)) return { kind: 'stale', at, message }
  if (about(/timestamp.* in the future/i)) return { kind: 'early', at, message }
  if (status === 404 || status === 410) return { kind: 'gone', message }
  return { kind: 'refused', message }
}

function dateOf(header: string | undefined): Date | null {
  const time = Date.parse(header ?? '')
  return Number.isNaN(time) ? null : new Date(time)
}

function refusalMessage({ platform: { name } }: ScoreTarget, status: number, said: string | null): string {
  const quoted = said === null ? `${name} answered ${status} and gave no reason.` : `${name} says: “${said}”.`
  if (status === 401) return `${name} does not let Assay in. ${quoted}`
  if (status === 403) return `${name} does not let Assay write this score. ${quoted}`
  if (status === 404 || status === 410) return `${name} no longer has the column or the student. ${quoted}`
  const stranger = said !== null && /incorrect score|not found in course|not a student/i.test(said)
  return stranger ? `${quoted} Is the student enrolled there, as a student?` : quoted
}

const number = z.coerce.number().nullish().catch(null)
const Result = z.object({
  userId: z.union([z.string(), z.number()]).transform(String),
  resultScore: number,
  resultMaximum: number,
  comment: z.string().nullish().catch(null),
  timestamp: z.iso.datetime({ offset: true }).nullish().catch(null),
})

/**
 * What stands in the LMS for a student; null for nothing, undefined where we cannot know.
 * @throws {TryLater | Stopped}
 */
export async function readResult(
  target: ScoreTarget,
  lineItem: string,
  sub: string,
  ags: AgsClient,
): Promise<CurrentResult | null | undefined> {
  if (!grantedScopes(target).includes(scopes.results)) return undefined
  const url = lineItemServiceUrl(lineItem, 'results')
  url.searchParams.set('user_id', sub)
  const reply = await callAgs(target, url.href, { headers: { Accept: RESULTS_TYPE } }, ags)
  if (reply.status >= 300) return undefined
  const rows = z.array(z.unknown()).safeParse(parseJson(reply.body)).data
  if (!rows) return undefined
  const mine = rows.flatMap((row) => Result.safeParse(row).data ?? []).find((result) => result.userId === sub)
  if (!mine) return null
  const { resultScore, resultMaximum, comment, timestamp } = mine
  return {
    share: resultScore == null ? null : resultScore / (resultMaximum || 1),
    comment: comment ?? null,
    at: timestamp ? new Date(timestamp) : null,
  }
}
