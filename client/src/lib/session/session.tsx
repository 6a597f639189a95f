import { getMe, signIn, signInToDemo, signOut } from '@assay/shared/auth.ts'
import type { Role, User } from '@assay/shared/users.ts'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import useSWR, { useSWRConfig } from 'swr'
import { ApiError, asApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import { startCsrfRefresh } from '../api/csrf.ts'
import { csrfStore, sessionEndedStore, tokenStore } from './browser-store.ts'

type SessionState =
  | { status: 'loading' }
  /** `voluntary`: by Sign Out, so there is no way back to the page. `deleted`: the account, in this tab. */
  | { status: 'signedOut'; voluntary: boolean; ended: boolean; deleted: boolean }
  | { status: 'signedIn'; user: User }
  /** A token is stored, but the server cannot check it. */
  | { status: 'unreachable'; error: ApiError; retry: () => void }

type Session = SessionState & {
  signIn: (username: string, password: string) => Promise<User>
  signInToDemo: (role: 'instructor' | 'student') => Promise<User>
  signInWith: (asking: Promise<{ body: { access_token: string } }>) => Promise<User>
  signOut: () => Promise<void>
  leaveDeletedAccount: () => void
  refresh: () => Promise<void>
}

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession outside SessionProvider')
  return session
}

/** Null for nobody, and where even the session has failed. */
export function useRole(): Role | null {
  const session = use(SessionContext)
  return session?.status === 'signedIn' ? session.user.role : null
}

export function useUser(): User {
  const session = useSession()
  if (session.status !== 'signedIn') throw new Error('useUser on a screen without guard')
  return session.user
}

const userCacheKey = (token: string) => `who-is ${token}`

/** A refusal signs out; an unreachable server says nothing about the token. */
async function fetchCurrentUser(token: string): Promise<User> {
  try {
    return (await callApi(getMe, {})).body
  } catch (cause) {
    const error = asApiError(cause)
    const refused = error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429
    if (refused && tokenStore.get() === token) tokenStore.set(null)
    throw error
  }
}

async function extractToken(asking: Promise<{ body: { access_token: string } }>): Promise<string> {
  const token = await asking.then(
    ({ body }) => body.access_token,
    (error: unknown) => {
      // A success with another body than the contract's has no token for us.
      if (error instanceof ApiError && error.status >= 400 && error.code !== 'unexpected_error') throw error
      if (error instanceof ApiError && error.status === 0) throw error
      throw ApiError.of('unexpected_error', 'Login failed: No token received', { cause: error })
    },
  )
  if (!token) throw ApiError.of('unexpected_error', 'Login failed: No token received')
  return token
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const token = useSyncExternalStore(tokenStore.subscribe, tokenStore.get)
  const { mutate } = useSWRConfig()
  const me = useSWR<User, ApiError>(token ? userCacheKey(token) : null, () => fetchCurrentUser(token ?? ''), {
    revalidateOnFocus: false,
    revalidateOnReconnect: true,
    keepPreviousData: false,
  })

  const [onPurpose, setOnPurpose] = useState(false)
  const [deleted, setDeleted] = useState(false)

  useEffect(() => startCsrfRefresh(), [])

  const completeSignIn = useCallback(
    async (asking: Promise<{ body: { access_token: string } }>) => {
      const fresh = await extractToken(asking)
      setOnPurpose(false)
      setDeleted(false)
      sessionEndedStore.set(null)
      tokenStore.set(fresh)
      try {
        const user = await fetchCurrentUser(fresh)
        await mutate(userCacheKey(fresh), user, { revalidate: false })
        return user
      } catch (cause) {
        tokenStore.set(null)
        throw ApiError.of('unexpected_error', 'Login succeeded but failed to verify user.', { cause })
      }
    },
    [mutate],
  )

  const forgetSession = useCallback(() => {
    setOnPurpose(true)
    sessionEndedStore.set(null)
    csrfStore.set(null)
    tokenStore.set(null)
  }, [])

  const endSession = useCallback(async () => {
    // This browser forgets the session even if the request fails.
    await callApi(signOut, {}).catch(() => undefined)
    forgetSession()
  }, [forgetSession])

  const leaveDeletedAccount = useCallback(() => {
    setDeleted(true)
    forgetSession()
  }, [forgetSession])

  const { mutate: askAgain } = me
  const refresh = useCallback(async () => {
    await askAgain()
  }, [askAgain])

  const state = useMemo<SessionState>(() => {
    if (!token) {
      return { status: 'signedOut', voluntary: onPurpose, ended: sessionEndedStore.get() !== null, deleted }
    }
    if (me.data) return { status: 'signedIn', user: me.data }
    if (me.error) return { status: 'unreachable', error: me.error, retry: () => void me.mutate() }
    return { status: 'loading' }
  }, [token, me.data, me.error, me.mutate, onPurpose, deleted])

  const session = useMemo<Session>(
    () => ({
      ...state,
      signIn: (username, password) => completeSignIn(callApi(signIn, { body: { username, password } })),
      signInToDemo: (role) => completeSignIn(callApi(signInToDemo, { body: { role } })),
      signInWith: completeSignIn,
      signOut: endSession,
      leaveDeletedAccount,
      refresh,
    }),
    [state, completeSignIn, endSession, leaveDeletedAccount, refresh],
  )

  return <SessionContext value={session}>{children}</SessionContext>
}
