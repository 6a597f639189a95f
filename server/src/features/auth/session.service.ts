import { createHmac, randomUUID } from 'node:crypto'
import { CSRF_SECONDS, SESSION_SECONDS } from '@assay/shared/rules/limits.ts'
import { jwtVerify, SignJWT } from 'jose'
import { insertLean } from '../../lib/database/database.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { type Actor, type Authenticate, bearerTokenOf } from '../../lib/http/handle.ts'
import { isSameSecret } from '../../lib/security/hash-of.ts'
import { type SessionDoc, SessionModel } from '../../records/people/session.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { findSignInState, updateLastSeen } from '../users/account.service.ts'

const signingKey = (secret: string) => new TextEncoder().encode(secret)

export const newSessionId = (): string => randomUUID()

export async function startSession(user: UserDoc, services: Services): Promise<string> {
  const _id = newSessionId()
  const token = await createSession({ _id, user_id: user._id, role: user.role, launch_id: null }, services)
  await assertUserUnchanged(user, _id)
  return token
}

/** Callers must check afterwards that the session is still allowed: its account or LMS may be deactivated meanwhile. */
export async function createSession(
  session: Pick<SessionDoc, '_id' | 'user_id' | 'role' | 'launch_id' | 'lms_issuer'>,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
): Promise<string> {
  const now = clock.now()
  const expires = new Date(now.getTime() + SESSION_SECONDS * 1000)
  await insertLean(SessionModel, { ...session, created_at: now, expires_at: expires })
  return signSessionToken({ id: session._id, userId: session.user_id, expires }, config.secretKey, now)
}

export async function issueSessionToken(
  sessionId: string,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
): Promise<string | null> {
  const session = await SessionModel.findById(sessionId).lean()
  const now = clock.now()
  if (!session || session.expires_at <= now) return null
  const { user_id, expires_at } = session
  return signSessionToken({ id: sessionId, userId: user_id, expires: expires_at }, config.secretKey, now)
}

function signSessionToken(
  { id, userId, expires }: { id: string; userId: number; expires: Date },
  secret: string,
  now: Date,
): Promise<string> {
  return new SignJWT({ sid: id })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(userId))
    .setIssuedAt(now)
    .setExpirationTime(expires)
    .setIssuer('assay')
    .setAudience('assay-api')
    .sign(signingKey(secret))
}

/** A session started just after its password check must not survive a change of account, role or password. */
async function assertUserUnchanged(user: UserDoc, sessionId: string): Promise<void> {
  const now = await findSignInState(user._id)
  const same = (['role', 'account', 'password_hash'] as const).every((field) => now?.[field] === user[field])
  if (same) return
  await SessionModel.deleteOne({ _id: sessionId })
  if (now?.account === 'deactivated') throw new AppError('account_deactivated')
  throw new AppError('conflict', 'Your account has just been changed. Please sign in again.')
}

export async function requireActor(token: string, { config, clock }: Services): Promise<Actor> {
  const sid = await verifySessionToken(token, config.secretKey, clock.now())
  const session = await SessionModel.findById(sid).lean()
  // The database deletes expired sessions up to a minute late; the date decides.
  if (!session || session.expires_at <= clock.now()) throw new AppError('auth_required')
  recordActivity(session, clock.now())
  return {
    id: session.user_id,
    role: session.role,
    sessionId: session._id,
    launchId: session.launch_id ?? null,
    lmsIssuer: session.lms_issuer ?? null,
  }
}

const MIN_UPDATE_INTERVAL_MS = 60_000

/** To the minute; the call does not wait for it. */
function recordActivity(session: SessionDoc, now: Date): void {
  if (session.seen_at && now.getTime() - session.seen_at.getTime() < MIN_UPDATE_INTERVAL_MS) return
  Promise.all([
    SessionModel.updateOne({ _id: session._id }, { $set: { seen_at: now } }),
    updateLastSeen(session.user_id, now),
  ]).catch(() => {
    // The next call tries again; this one must not fail because of it.
  })
}

async function verifySessionToken(token: string, secret: string, currentDate: Date): Promise<string> {
  try {
    const { payload } = await jwtVerify(token, signingKey(secret), {
      algorithms: ['HS256'],
      issuer: 'assay',
      audience: 'assay-api',
      currentDate,
    })
    if (typeof payload.sid === 'string') return payload.sid
  } catch (cause) {
    throw new AppError('auth_required', undefined, { cause })
  }
  throw new AppError('auth_required')
}

export async function endSessionsOfUser(
  userId: number,
  { events }: Pick<Services, 'events'>,
  exceptSessionId?: string,
): Promise<void> {
  const others = { user_id: userId, ...(exceptSessionId ? { _id: { $ne: exceptSessionId } } : {}) }
  const ended = await SessionModel.find(others, { _id: 1 }).lean()
  const ids = ended.map(({ _id }) => _id)
  await endSessions(ids, { events })
}

export async function endSessions(ids: string[], { events }: Pick<Services, 'events'>): Promise<void> {
  await SessionModel.deleteMany({ _id: { $in: ids } })
  for (const sessionId of ids) events.emit('session_ended', { sessionId })
}

const ANONYMOUS = 'nobody'

const sign = (text: string, secret: string): Buffer => createHmac('sha256', `${secret}/csrf`).update(text).digest()

/** `expiry.signature`, valid for one hour and one session (or none, before signing in). */
export function createCsrfToken(sessionId: string | null, secret: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + CSRF_SECONDS
  return `${expires}.${sign(`${expires}.${sessionId ?? ANONYMOUS}`, secret).toString('base64url')}`
}

function isValidCsrfToken(token: string | undefined, sessionId: string, secret: string, now: Date): boolean {
  const [expires, signature] = token?.split('.') ?? []
  if (!expires || !signature || !/^\d{1,12}$/.test(expires)) return false
  if (Number(expires) * 1000 <= now.getTime()) return false
  return isSameSecret(Buffer.from(signature, 'base64url'), sign(`${expires}.${sessionId}`, secret))
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A change must carry the session's CSRF token beside the bearer token. */
export function createAuthenticator(services: Services): Authenticate {
  return async (request): Promise<Actor> => {
    const token = bearerTokenOf(request)
    if (!token) throw new AppError('auth_required')
    const actor = await requireActor(token, services)
    const { config, clock } = services
    const csrf = request.get('x-csrf-token')
    if (!SAFE_METHODS.has(request.method) && !isValidCsrfToken(csrf, actor.sessionId, config.secretKey, clock.now()))
      throw new AppError('csrf_failed')
    return actor
  }
}
