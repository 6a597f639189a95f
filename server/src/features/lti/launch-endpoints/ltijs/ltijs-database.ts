/// <reference path="./ltijs.d.ts" />
import type { AsyncLocalStorage } from 'node:async_hooks'
import type { JWK } from 'jose'
import type { Database, Entry } from 'ltijs'
import { z } from 'zod'
import { insertLean, isDuplicateKeyError } from '../../../../lib/database/database.ts'
import { LtiNonceModel } from '../../../../records/lti/nonce.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../../records/lti/platform-key.model.ts'
import type { Services } from '../../../../services.ts'
import { getPrivateKey } from '../../platforms/platform-keys.ts'

/** What goes with one question to ltijs, beside what it passes on itself. */
export interface LtijsRequestState {
  /** The platform's public key that the token under way names, found beforehand. */
  key: JWK | null
  /** The platform that the door has just read: it need not be read again for each thing ltijs wants to know of it. */
  platform: LtiPlatformDoc | null
  /** Set when our database failed: ltijs would tell it as the token's fault. */
  failure?: unknown
}

const ByPlatform = z.object({ platformUrl: z.string(), clientId: z.string().optional() })
const ByKid = z.object({ kid: z.string() })
const Nonce = z.object({ nonce: z.string() })

const entriesOrFalse = (entries: Entry[]): Entry[] | false => (entries.length > 0 ? entries : false)

/** A platform of ours as ltijs knows one. Its id there is the `kid` of our key for it. */
function toLtijsPlatform(platform: LtiPlatformDoc, key: JWK | null): Entry {
  return {
    platformName: platform.name,
    platformUrl: platform.issuer,
    clientId: platform.client_id,
    authEndpoint: platform.auth_endpoint,
    accesstokenEndpoint: platform.token_endpoint,
    authorizationServer: platform.token_audience ?? undefined,
    kid: platform.kid,
    // Never an address: ltijs would fetch it without a limit to time or size.
    authConfig: { method: 'JWK_KEY', key: key ? JSON.stringify(key) : undefined },
  }
}

/**
 * ltijs's database, answered from ours: nothing about platforms and keys stands twice. It waits neither for its deletes nor, where it
 * tidies up after a failure, for the error of a read: what concerns `state` never rejects.
 */
export function createLtijsDatabase(
  asked: AsyncLocalStorage<LtijsRequestState>,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
): Database {
  async function platforms(query: Entry | undefined): Promise<Entry[] | false> {
    const byKid = ByKid.safeParse(query)
    const { platformUrl: issuer, clientId: client_id } = ByPlatform.partial().parse(query ?? {})
    const filter = byKid.success
      ? { kid: byKid.data.kid }
      : { ...(issuer === undefined ? {} : { issuer }), ...(client_id === undefined ? {} : { client_id }) }
    const about = asked.getStore()
    const isAtHand = about?.platform && about.platform.issuer === issuer && about.platform.client_id === client_id
    const docs = isAtHand ? [about.platform] : await LtiPlatformModel.find(filter).lean()
    return entriesOrFalse(docs.flatMap((doc) => (doc ? [toLtijsPlatform(doc, about?.key ?? null)] : [])))
  }

  /** To ltijs a platform without an entry is active: there is always one. */
  async function platformStatus(query: Entry | undefined): Promise<Entry[]> {
    const { id } = z.object({ id: z.string() }).parse(query)
    const atHand = asked.getStore()?.platform
    const platform = atHand?.kid === id ? atHand : await LtiPlatformModel.findOne({ kid: id }).lean()
    return [{ id, active: platform?.status === 'active' }]
  }

  /** Retired ones too, until they are gone: what they signed may be on its way. */
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

  /** A nonce met twice is what ltijs asks about, and no failure of ours. */
  function recordingFailures<A extends unknown[], R>(call: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
    return async (...given) => {
      try {
        return await call(...given)
      } catch (error) {
        const question = asked.getStore()
        if (question && !isDuplicateKeyError(error)) question.failure = error
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
          // Whether a nonce was here the index says, when it is inserted: of two at the same moment both would find none. States are ours (`login.model.ts`), access tokens too (`outgoing/`), and tokens do not outlive the launch.
          return false
      }
    }),

    /** @throws when the nonce has been here, in ltijs's own word for it */
    async Insert(_key, collection, item) {
      if (collection !== 'nonce') throw new Error(`ltijs keeps no ${collection} with us`)
      try {
        await storeNonce(Nonce.parse(item).nonce)
        return true
      } catch (cause) {
        throw isDuplicateKeyError(cause) ? new Error('NONCE_ALREADY_RECEIVED', { cause }) : cause
      }
    },

    // The launch's tokens, which ltijs reads again only for requests by `ltik`: there are none.
    async Replace(_key, collection) {
      if (collection !== 'idtoken' && collection !== 'contexttoken')
        throw new Error(`ltijs keeps no ${collection} with us`)
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
