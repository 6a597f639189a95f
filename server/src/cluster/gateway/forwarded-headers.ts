import type { IncomingMessage } from 'node:http'

const firstValue = (header: string | string[] | undefined) => [header ?? []].flat()[0]

/**
 * Tells the API the caller's address. Forwarded headers count only from a trusted proxy, as callers could forge them.
 */
export function setForwardedHeaders({ headers, socket }: IncomingMessage, trustProxy: number): void {
  const behind = trustProxy > 0
  const earlier = behind ? [headers['x-forwarded-for'] ?? []].flat() : []
  const proto = behind ? firstValue(headers['x-forwarded-proto']) : undefined
  const host = behind ? firstValue(headers['x-forwarded-host']) : undefined
  headers['x-forwarded-for'] = [...earlier, socket.remoteAddress ?? ''].join(', ')
  headers['x-forwarded-proto'] = proto ?? ('encrypted' in socket ? 'https' : 'http')
  headers['x-forwarded-host'] = host ?? headers.host ?? ''
  delete headers.forwarded
}
