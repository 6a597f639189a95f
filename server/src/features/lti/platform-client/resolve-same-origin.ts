/**
 * Resolves a URL from an LMS's reply if it has the origin of the request: our token is sent nowhere else. An LMS behind a proxy that
 * terminates TLS may name http instead of https.
 * @returns null for any other origin
 */
export function resolveSameOrigin(asked: string, named: string): string | null {
  const [here, there] = [new URL(asked), URL.parse(named, asked)]
  if (!there) return null
  if (there.protocol === 'http:' && here.protocol === 'https:' && there.hostname === here.hostname) {
    there.protocol = 'https:'
    there.port = here.port
  }
  return there.origin === here.origin && there.username === '' && there.password === '' ? there.href : null
}
