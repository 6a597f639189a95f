import { z } from 'zod'

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
}

/** Exactly as pasted, since issuers are compared by it. */
export function webAddress(what: string) {
  return z
    .string({ error: `${what} is required` })
    .trim()
    .min(1, `${what} is required`)
    .max(2000, `${what} must not exceed 2000 characters`)
    .refine(isWebAddress, `${what} must be a web address like https://lms.school.example`)
}

export const Origin = webAddress('Each address').transform((text) => new URL(text).origin)

/** A server on this machine may forward requests all the same. */
export function isLoopbackAddress(address: string | null): boolean {
  const host = address === null ? null : URL.parse(address)?.hostname
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host ?? '')
}
