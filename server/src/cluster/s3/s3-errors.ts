import { z } from 'zod'

const NO_KEYS = 'CredentialsProviderError'
const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
])

const Replied = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) })
const Coded = z.object({ code: z.string() })
const statusOf = (error: unknown) => Replied.safeParse(error).data?.$metadata.httpStatusCode
const codeOf = (error: unknown) => Coded.safeParse(error).data?.code
const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown')

export function isOutage(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== undefined)
    return (status >= 500 && status !== 501) || status === 429 || nameOf(error) === 'RequestTimeout'
  return nameOf(error) === 'TimeoutError' || networkErrors.has(codeOf(error) ?? '')
}

export const reasonOf = (error: unknown): string =>
  codeOf(error) ?? [statusOf(error), nameOf(error)].filter((part) => part !== undefined).join(' ')

export const isConflict = (error: unknown): boolean => [409, 412].includes(statusOf(error) ?? 0)
export const isUnsupported = (error: unknown): boolean => statusOf(error) === 501
export const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(nameOf(error))

/** The SDK's errors contain too much for the operator. */
export function explainRefusal(error: unknown, bucket: string): string {
  if (nameOf(error) === 'NoSuchBucket') {
    return `there is no bucket “${bucket}” at this store. Make it, or name another one.`
  }
  if (nameOf(error) === NO_KEYS) {
    return 'there are no keys for the store. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
  }
  if (statusOf(error) === 403) {
    return `the store does not let us into the bucket “${bucket}” (${nameOf(error)}). Check the keys, and that they may list, read, write and delete in it.`
  }
  return `the bucket “${bucket}” cannot be listed (${reasonOf(error)}). Check bucket, endpoint and region.`
}
