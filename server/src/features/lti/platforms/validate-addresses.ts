import type { PlatformValues } from '@assay/shared/lti/lti-platforms.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { isPrivateHost } from '../../../lib/security/private-address.ts'
import type { AddressPolicy } from '../platform-client/platform-request.ts'

/** Opened by the browser only. */
const BROWSER_ENDPOINTS = ['auth_endpoint'] as const
const SERVER_ENDPOINTS = ['token_endpoint', 'jwks_url'] as const

interface AddressError {
  field: string
  message: string
}

/** `called`: this server calls it, so it must not be in a private network. */
export async function addressError(address: string, called: boolean, allowed: AddressPolicy): Promise<string | null> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && !allowed.ltiPlainHttp) return 'Use an address that begins with https://'
  if (called && !allowed.ltiPrivateAddresses && (await isPrivateHost(url)))
    return `${url.host} is a private address, to which Assay may not connect. The server operator can allow private addresses (LTI_PRIVATE_ADDRESSES).`
  return null
}

async function findAddressErrors(values: Partial<PlatformValues>, allowed: AddressPolicy): Promise<AddressError[]> {
  const addresses = [
    ...BROWSER_ENDPOINTS.map((field) => [field, values[field], false] as const),
    ...SERVER_ENDPOINTS.map((field) => [field, values[field], true] as const),
    ...(values.origins ?? []).map((origin, i) => [`origins.${i}`, origin, false] as const),
  ]
  const found = await Promise.all(
    addresses.map(async ([field, address, called]) => {
      const message = address === undefined ? null : await addressError(address, called, allowed)
      return message === null ? [] : [{ field, message }]
    }),
  )
  return found.flat()
}

/** @throws {AppError} `validation_failed`, one detail per field */
export async function requireValidAddresses(values: Partial<PlatformValues>, allowed: AddressPolicy): Promise<void> {
  const wrong = await findAddressErrors(values, allowed)
  if (wrong.length === 0) return
  throw new AppError('validation_failed', undefined, {
    details: wrong.map(({ field, message }) => ({
      loc: ['body', ...field.split('.')],
      msg: message,
      type: 'address',
    })),
  })
}
