/** Addresses are shown on screens, in the audit log and in errors. */
export function addressSecretProblem(address: string): string | null {
  const url = URL.parse(address)
  if (!url) return null
  if (url.username !== '' || url.password !== '')
    return 'Enter the address without a username or password. Enter the key in its own field.'
  if (/[?#]/.test(address)) return 'Enter the address without “?” or “#” and anything after it.'
  return null
}
