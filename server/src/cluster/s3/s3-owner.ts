import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { z } from 'zod'
import { isConflict, isMissing, isUnsupported } from './s3-errors.ts'
import type { S3Location } from './s3-location.ts'

/** Names the installation that owns the papers under its prefix. */
export const OWNER_KEY = 'owner.json'

const Owner = z.object({ installation: z.string(), since: z.string() })
type Owner = z.infer<typeof Owner>

type Prefix = Pick<S3Location, 'bucket' | 'prefix'>

/** Null if nobody has claimed the papers. */
export async function readOwner(client: S3Client, { bucket, prefix }: Prefix): Promise<Owner | null> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: prefix + OWNER_KEY }))
    return Owner.parse(JSON.parse((await Body?.transformToString()) ?? ''))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Returns the owner, which may be another installation. */
export async function claimPapers(client: S3Client, place: Prefix, installation: string, now: Date): Promise<Owner> {
  const owner = await readOwner(client, place)
  if (owner) return owner
  const own: Owner = { installation, since: now.toISOString() }
  const object = {
    Bucket: place.bucket,
    Key: place.prefix + OWNER_KEY,
    Body: JSON.stringify(own),
    ContentType: 'application/json',
  }
  try {
    await client.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }))
  } catch (error) {
    if (isUnsupported(error)) await client.send(new PutObjectCommand(object))
    else if (!isConflict(error)) throw error
  }
  // Others may claim at the same moment; without support for the condition the last one wins.
  return (await readOwner(client, place)) ?? own
}

export const belongsToAnother = ({ bucket, prefix }: Prefix, { since }: Owner): string =>
  `FILES_URL: the papers in “${bucket}/${prefix}” belong to another installation of Assay, since ${since.slice(0, 10)}. Each of the two would delete the papers that its own database does not know. Name another prefix; or, if this one takes the other’s place and that one never runs again, delete the object “${prefix}${OWNER_KEY}” and start again.`
