/**
 * An address an LMS has named in a reply, if it is at the place the reply came from: our token goes to nobody but who was asked.
 * Behind a proxy that ends TLS an LMS may believe that it is spoken to without.
 * @returns null for any other place
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
