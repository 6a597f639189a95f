import type { PlatformValues } from '@assay/shared/lti-platforms.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isPrivateHost } from '../../../lib/private-address.ts'
import type { AllowedAddresses } from '../outgoing/request.ts'

/** Opened by the browser, and never by us. */
const OPENED = ['auth_endpoint'] as const
const CALLED = ['token_endpoint', 'jwks_url'] as const

export interface WrongAddress {
  field: string
  message: string
}

/**
 * What is wrong with an address, or null. `called`: whether this server calls it, so that it must not be one of its own network.
 */
export async function wrongWith(
  address: string,
  called: boolean,
  allowed: AllowedAddresses,
): Promise<string | null> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && !allowed.ltiPlainHttp) return 'Use an address that begins with https://'
  if (called && !allowed.ltiPrivateAddresses && (await isPrivateHost(url)))
    return `${url.host} is a private address, which this Assay does not call. Whoever runs the server can allow them (LTI_PRIVATE_ADDRESSES).`
  return null
}

/** Every wrong address among the values, by field. */
export async function wrongAddresses(
  values: Partial<PlatformValues>,
  allowed: AllowedAddresses,
): Promise<WrongAddress[]> {
  const asked = [
    ...OPENED.map((field) => [field, values[field], false] as const),
    ...CALLED.map((field) => [field, values[field], true] as const),
    ...(values.origins ?? []).map((origin, i) => [`origins.${i}`, origin, false] as const),
  ]
  const found = await Promise.all(
    asked.map(async ([field, address, called]) => {
      const message = address === undefined ? null : await wrongWith(address, called, allowed)
      return message === null ? [] : [{ field, message }]
    }),
  )
  return found.flat()
}

/** @throws {AppError} `validation_failed`, each at its field */
export async function requireGoodAddresses(
  values: Partial<PlatformValues>,
  allowed: AllowedAddresses,
): Promise<void> {
  const wrong = await wrongAddresses(values, allowed)
  if (wrong.length === 0) return
  throw new AppError('validation_failed', undefined, {
    details: wrong.map(({ field, message }) => ({
      loc: ['body', ...field.split('.')],
      msg: message,
      type: 'address',
    })),
  })
}
