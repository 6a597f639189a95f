/** One link of a `Link` header (RFC 8288): its address in angle brackets, then its parameters. */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s,;=]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]+))?)*)/g
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i

/** Null after the last page. */
export function nextPageUrl(header: string | string[] | undefined, current: string): string | null {
  for (const [, address = '', parameters = ''] of [header ?? []].flat().join(', ').matchAll(LINK)) {
    const [, quoted, bare] = REL.exec(parameters) ?? []
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/)
    if (relations.includes('next')) return URL.parse(address, current)?.href ?? address
  }
  return null
}
