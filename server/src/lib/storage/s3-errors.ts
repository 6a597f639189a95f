import { S3ServiceException } from '@aws-sdk/client-s3'

/** It did not answer, or said that it cannot now. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === NO_KEYS) return false
  const status = statusOf(error)
  if (status !== undefined) return status >= 500 || status === 429 || error.name === 'RequestTimeout'
  // What the SDK tried to send, and no reply came.
  return '$metadata' in error || ('code' in error && typeof error.code === 'string' && networkErrors.has(error.code))
}

const NO_KEYS = 'CredentialsProviderError'
const networkErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'])

const statusOf = (error: Error): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

/** `ECONNREFUSED`, `503 SlowDown`. */
export function outageReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  return [statusOf(error), error.name].filter(Boolean).join(' ')
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)

/** For whoever runs the server. The SDK's errors have more in them than anybody needs to see. */
export function explainRefusal(error: unknown, bucket: string): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NoSuchBucket') return `there is no bucket “${bucket}” at this store. Make it, or name another one.`
  if (name === NO_KEYS) {
    return 'there are no keys for the store. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
  }
  if (error instanceof Error && statusOf(error) === 403) {
    return `the store does not let us into the bucket “${bucket}” (${name}). Check the keys, and that they may list, read, write and delete in it.`
  }
  return `the store refused to list the bucket “${bucket}” (${name || 'unknown error'}). Check bucket, endpoint and region.`
}
