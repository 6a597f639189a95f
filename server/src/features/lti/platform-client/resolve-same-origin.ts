/** Null for another origin, as our token must not be sent there. An LMS behind a TLS proxy may name http for https. */
export function resolveSameOrigin(asked: string, named: string): string | null {
  const [here, there] = [new URL(asked), URL.parse(named, asked)]
  if (!there) return null
  if (there.protocol === 'http:' && here.protocol === 'https:' && there.hostname === here.hostname) {
    there.protocol = 'https:'
    there.port = here.port
  }
  return there.origin === here.origin && there.username === '' && there.password === '' ? there.href : null
}
