/// <reference path="./ltijs.d.ts" />
import { AsyncLocalStorage } from 'node:async_hooks'
import { hkdfSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JWK } from 'jose'
import { type Database, type Entry, Provider } from 'ltijs'
import { z } from 'zod'
import { insertLean, isDuplicateKeyError } from '../../../../lib/database/database.ts'
import { type DispatchedReply, type DispatchedRequest, dispatch } from '../../../../lib/http/dispatch.ts'
import { LtiNonceModel } from '../../../../records/lti/launch.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../../records/lti/platform-key.model.ts'
import type { Services } from '../../../../services.ts'
import { getPrivateKey } from '../../platforms/platform-keys.ts'

export interface LtijsRequest extends DispatchedRequest {
  path: '/login' | '/launch' | '/keys'
  platform?: LtiPlatformDoc
  key?: JWK
}

export interface Ltijs {
  /** @throws when it does not answer in time, or our database failed */
  request(options: LtijsRequest): Promise<DispatchedReply>
  readonly cookieSecret: string
}

/** An id token may be as old as the login it answers. */
export const TOKEN_MAX_AGE_SECONDS = 10 * 60
export const ACCEPTED = 204

/**
 * No header, error page or other route of ltijs reaches a browser, and one that hangs blocks nothing. `deploy()` would
 * open a database and end the process on SIGINT without finishing requests.
 */
export function createLtijs(services: Pick<Services, 'config' | 'clock'>): Ltijs {
  const secret = services.config.secretKey
  const cookieSecret = Buffer.from(hkdfSync('sha256', secret, 'assay', 'ltijs', 32)).toString('hex')
  const requestState = new AsyncLocalStorage<LtijsRequestState>()
  const provider = new Provider.constructor()
  provider.setup(
    cookieSecret,
    { plugin: createLtijsDatabase(requestState, services) },
    {
      loginRoute: '/login',
      appRoute: '/launch',
      keysetRoute: '/keys',
      dynRegRoute: '/register',
      ltiaas: true,
      cors: false,
      devMode: false,
      cookies: { secure: true, sameSite: 'None' },
      tokenMaxAge: TOKEN_MAX_AGE_SECONDS,
    },
  )
  const accept = (_token: unknown, _request: IncomingMessage, response: ServerResponse) => {
    response.statusCode = ACCEPTED
    response.end()
  }
  provider.onConnect(accept)
  provider.onDeepLinking(accept)

  return {
    cookieSecret,
    async request(options) {
      const state: LtijsRequestState = { key: options.key ?? null, platform: options.platform ?? null }
      const reply = await requestState.run(state, () => dispatch(provider.app, options))
      if (state.failure) throw state.failure
      return reply
    },
  }
}

interface LtijsRequestState {
  key: JWK | null
  platform: LtiPlatformDoc | null
  /** ltijs would report our database's failure as the token's fault. */
  failure?: unknown
}

const ByPlatform = z.object({ platformUrl: z.string(), clientId: z.string().optional() })
const ByKid = z.object({ kid: z.string() })
const Nonce = z.object({ nonce: z.string() })

const entriesOrFalse = (entries: Entry[]): Entry[] | false => (entries.length > 0 ? entries : false)

/** ltijs's id is the `kid` of our key for the platform. */
function toLtijsPlatform(platform: LtiPlatformDoc, key: JWK | null): Entry {
  return {
    platformName: platform.name,
    platformUrl: platform.issuer,
    clientId: platform.client_id,
    authEndpoint: platform.auth_endpoint,
    accesstokenEndpoint: platform.token_endpoint,
    authorizationServer: platform.token_audience ?? undefined,
    kid: platform.kid,
    // ltijs would fetch a URL without limits on time or size.
    authConfig: { method: 'JWK_KEY', key: key ? JSON.stringify(key) : undefined },
  }
}

/** Calls about `state` never reject: ltijs ignores rejected deletes, and rejected reads while cleaning up. */
function createLtijsDatabase(
  requestState: AsyncLocalStorage<LtijsRequestState>,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
): Database {
  async function platforms(query: Entry | undefined): Promise<Entry[] | false> {
    const byKid = ByKid.safeParse(query)
    const { platformUrl: issuer, clientId: client_id } = ByPlatform.partial().parse(query ?? {})
    const filter = byKid.success
      ? { kid: byKid.data.kid }
      : { ...(issuer === undefined ? {} : { issuer }), ...(client_id === undefined ? {} : { client_id }) }
    const state = requestState.getStore()
    const isKnown = state?.platform && state.platform.issuer === issuer && state.platform.client_id === client_id
    const docs = isKnown ? [state.platform] : await LtiPlatformModel.find(filter).lean()
    return entriesOrFalse(docs.flatMap((doc) => (doc ? [toLtijsPlatform(doc, state?.key ?? null)] : [])))
  }

  /** ltijs takes a platform without an entry as active. */
  async function platformStatus(query: Entry | undefined): Promise<Entry[]> {
    const { id } = z.object({ id: z.string() }).parse(query)
    const known = requestState.getStore()?.platform
    const platform = known?.kid === id ? known : await LtiPlatformModel.findOne({ kid: id }).lean()
    return [{ id, active: platform?.status === 'active' }]
  }

  /** Retired keys too: what they signed may be in transit. */
  async function publicKeys(query: Entry | undefined): Promise<Entry[] | false> {
    const byKid = ByKid.safeParse(query)
    const docs = await LtiPlatformKeyModel.find({
      ...(byKid.success ? { _id: byKid.data.kid } : {}),
      $or: [{ gone_at: null }, { gone_at: { $gt: clock.now() } }],
    })
      .sort({ created_at: 1 })
      .lean()
    return entriesOrFalse(docs.map((doc) => ({ kid: doc._id, key: doc.public_key })))
  }

  async function privateKey(query: Entry | undefined): Promise<Entry[] | false> {
    const { kid } = ByKid.parse(query)
    const key = await getPrivateKey(kid, config.secretKey)
    return key ? [{ kid, key }] : false
  }

  function recordingFailures<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      try {
        return await call(...args)
      } catch (error) {
        const current = requestState.getStore()
        if (current && !isDuplicateKeyError(error)) current.failure = error
        throw error
      }
    }
  }

  const storeNonce = recordingFailures((nonce: string) => insertLean(LtiNonceModel, { _id: nonce, at: clock.now() }))

  return {
    async setup() {},
    async Close() {},

    Get: recordingFailures(async (_key, collection, query) => {
      switch (collection) {
        case 'platform':
          return platforms(query)
        case 'platformStatus':
          return platformStatus(query)
        case 'publickey':
          return publicKeys(query)
        case 'privatekey':
          return privateKey(query)
        default:
          // A used nonce shows on insert, as two concurrent launches would both find none here.
          return false
      }
    }),

    /** @throws ltijs's own error for a nonce used before */
    async Insert(_key, collection, item) {
      if (collection !== 'nonce') throw new Error(`ltijs stores no ${collection} here`)
      try {
        await storeNonce(Nonce.parse(item).nonce)
        return true
      } catch (cause) {
        throw isDuplicateKeyError(cause) ? new Error('NONCE_ALREADY_RECEIVED', { cause }) : cause
      }
    },

    // ltijs reads tokens only for requests with an `ltik`, and there are none.
    async Replace(_key, collection) {
      if (collection !== 'idtoken' && collection !== 'contexttoken')
        throw new Error(`ltijs stores no ${collection} here`)
      return true
    },

    async Modify(_key, collection) {
      throw new Error(`ltijs changes no ${collection} here: platforms/ does`)
    },

    async Delete() {
      return true
    },
  }
}
