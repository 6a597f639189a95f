import mongoose from 'mongoose'
import { insertWhole } from '../../../lib/db.ts'
import type { Services } from '../../../services.ts'
import type { LtiPlatformDoc } from '../platforms/platform.model.ts'
import type { LtiRefusal } from '../refusals.ts'
import { type LtiDoorLogDoc, LtiDoorLogModel } from './door-log.model.ts'
import type { LoginRequest } from './login-request.ts'

/** Callers say what they like, and it is kept for a month. */
const MOST_WORDS = 200
const MOST_DETAIL = 500
/** Refusals kept of one LMS, or of callers who name none of ours, in an hour. Anybody can cause them, and more say nothing new. */
const MOST_REFUSED = 1000
const HOUR_MS = 60 * 60 * 1000

/** One knock at the door: what has become known of it so far, for the door's log. */
export interface Knock
  extends Omit<LtiDoorLogDoc, '_id' | 'at' | 'outcome' | 'code' | 'detail' | 'platform_id'> {
  platform: LtiPlatformDoc | null
  /** What its login asked for; it names the person to the LMS, so it is never logged. */
  request: LoginRequest | null
  requestId: string
}

export const newKnock = (step: Knock['step'], requestId: string): Knock => ({
  step,
  requestId,
  platform: null,
  request: null,
  issuer: null,
  client_id: null,
  deployment_id: null,
  via: null,
  role: null,
  clock_offset: null,
  scopes: null,
})

const cut = (text: string | null, most: number) => text?.slice(0, most) ?? null

/** Writes what came of it; that this fails is logged, and changes nothing for whoever knocked. */
export async function logKnock(
  { platform, requestId, request: _, ...knock }: Knock,
  refusal: LtiRefusal | null,
  { clock, log }: Pick<Services, 'clock' | 'log'>,
): Promise<void> {
  const entry = {
    ...knock,
    platform_id: platform?._id ?? null,
    issuer: cut(knock.issuer, MOST_WORDS),
    client_id: cut(knock.client_id, MOST_WORDS),
    deployment_id: cut(knock.deployment_id, MOST_WORDS),
    outcome: refusal ? ('refused' as const) : ('let_in' as const),
    code: refusal?.code ?? null,
    detail: cut(refusal?.detail ?? null, MOST_DETAIL),
  }
  // Without its cause: jose's errors carry the whole token.
  if (refusal) log.warn({ requestId, ...entry }, 'a launch was refused')
  try {
    const now = clock.now()
    if (refusal && (await isFull(entry.platform_id, now))) return
    // A number of its own would be a second write, for what nobody names by number.
    await insertWhole(LtiDoorLogModel, { ...entry, _id: new mongoose.Types.ObjectId(), at: now })
  } catch (error) {
    log.error({ err: error, requestId }, 'the door’s log was not written')
  }
}

async function isFull(platform_id: number | null, now: Date): Promise<boolean> {
  const lately = { $gt: new Date(now.getTime() - HOUR_MS) }
  const filter = { platform_id, at: lately, outcome: 'refused' as const }
  return (await LtiDoorLogModel.countDocuments(filter, { limit: MOST_REFUSED })) >= MOST_REFUSED
}
