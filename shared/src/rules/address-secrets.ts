/**
 * What must not stand in a model's address, in words; null when nothing is wrong. An address is shown on screens, told in the audit
 * log, and named in errors: no secret may stand in it.
 */
export function addressSecretProblem(address: string): string | null {
  const url = URL.parse(address)
  if (!url) return null
  if (url.username !== '' || url.password !== '')
    return 'Enter the address without a username or password. Enter the key in its own field.'
  if (/[?#]/.test(address)) return 'Write the address without a “?” or “#” and what follows it.'
  return null
}
