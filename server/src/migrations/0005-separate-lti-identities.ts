import type { mongo } from 'mongoose'

interface StoredPlatform {
  _id: number
  issuer: string
  auth_endpoint: string
  jwks_url: string
  identity_issuer?: string
  created_at: Date
}

/**
 * Identities move from an issuer to an LMS (docs/decisions/0017). The first platform of an issuer keeps the people,
 * except those known only in a later one's courses, who get new accounts at the next launch.
 */
export async function separateLtiIdentities(db: mongo.Db): Promise<void> {
  const platforms = db.collection<StoredPlatform>('lti_platforms')
  const stored = await platforms
    .find({ issuer: { $type: 'string' } })
    .sort({ _id: 1 })
    .toArray()
  for (const issuer of new Set(stored.map((one) => one.issuer))) {
    const lmss = Map.groupBy(
      stored.filter((one) => one.issuer === issuer),
      ({ auth_endpoint, jwks_url }) => JSON.stringify([auth_endpoint, jwks_url]),
    )
    const [first = [], ...later] = lmss.values()
    for (const tools of later) await separate(db, issuer, tools)
    await setIdentityIssuer(db, first, issuer)
  }
}

async function separate(db: mongo.Db, issuer: string, tools: StoredPlatform[]): Promise<void> {
  const [oldest] = tools
  if (!oldest || oldest.identity_issuer !== undefined) return
  const ids = tools.map(({ _id }) => _id)
  const identity_issuer = `${issuer} platform-${oldest._id}`
  const identities = db.collection<{ _id: number; sub: string; user_id: number; issuer: string; created_at: Date }>(
    'lti_identities',
  )
  const contexts = await idsOf(db, 'lti_contexts', { platform_id: { $in: ids } })
  const subs = await db.collection('lti_members').distinct('sub', { context: { $in: contexts } })
  // Known before this LMS existed: the first's.
  const known = { issuer, sub: { $in: subs }, created_at: { $gte: oldest.created_at } }
  for (const identity of await identities.find(known).toArray()) {
    const elsewhere = { sub: identity.sub, user_id: identity.user_id, context: { $nin: contexts } }
    const merged = { _id: identity.user_id, from_lms: { $ne: true } }
    if (await db.collection('lti_members').findOne(elsewhere)) continue
    if (await db.collection<{ _id: number }>('users').findOne(merged)) continue
    await identities.updateOne({ _id: identity._id }, { $set: { issuer: identity_issuer } })
  }
  const launches = await db
    .collection('lti_launches')
    .find({ platform_id: { $in: ids } })
    .toArray()
  await db.collection('sessions').deleteMany({ launch_id: { $in: launches.map(({ _id }) => String(_id)) } })
  await db.collection('lti_launches').deleteMany({ platform_id: { $in: ids } })
  await setIdentityIssuer(db, tools, identity_issuer)
}

async function idsOf(db: mongo.Db, collection: string, filter: mongo.Filter<mongo.Document>): Promise<number[]> {
  return (await db.collection(collection).find(filter).toArray()).map(({ _id }) => Number(_id))
}

async function setIdentityIssuer(db: mongo.Db, tools: StoredPlatform[], identity_issuer: string): Promise<void> {
  const unset = { _id: { $in: tools.map(({ _id }) => _id) }, identity_issuer: { $exists: false } }
  await db.collection<StoredPlatform>('lti_platforms').updateMany(unset, { $set: { identity_issuer } })
}
