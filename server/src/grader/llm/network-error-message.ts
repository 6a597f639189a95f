import { isLoopbackAddress } from '@assay/shared/rules/web-address.ts'

const unknownCertificate =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_UNTRUSTED)$/

/** Why no connection came about, by the network's code, and what to do about it. `base_url` null: the provider's own address. */
export function unreachableMessage(who: string, base_url: string | null, code: string | null): string {
  const url = base_url === null ? null : URL.parse(base_url)
  const host = url?.hostname ?? who
  const own = url !== null && isLoopbackAddress(url.href)
  const tls = `https://${url?.host ?? ''}${url?.pathname ?? ''}`
  if (code && unknownCertificate.test(code))
    return `${who} shows a certificate that this server does not trust (${code}). Have it use one from a known authority; for an authority of your own, start Assay with NODE_EXTRA_CA_CERTS naming its certificate. A proxy that looks into connections causes this too.`
  switch (code) {
    case 'ECONNREFUSED':
      return own
        ? `Nothing listens at ${url?.host}: start the model server, or correct the port. “${host}” is the machine that Assay runs on; inside a container, the container itself.`
        : `${who} refuses the connection: no model server listens there. Start it, or correct the address and its port.`
    case 'ENOTFOUND':
      if (!url) return dnsFailureMessage(who)
      return `There is no host called “${host}”. Check the address for a typing mistake; a name of the school's own network must be known to this server.`
    case 'EAI_AGAIN':
      if (!url) return dnsFailureMessage(who)
      return `The name “${host}” could not be looked up: this server's network or its name service (DNS) does not work. Try again; if this goes on, whoever runs the server must see to it.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
    case 'ENETUNREACH':
    case 'EACCES':
      return `No connection to ${host} came about (${code}). The machine may be off, or a firewall in between. If this server reaches the internet through a proxy only: Assay uses none, so enter the address of a gateway that it reaches directly.`
    case 'CERT_HAS_EXPIRED':
      return `The certificate of ${who} has expired. It must be renewed there before Assay sends anything.`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate at ${host} is made out to another name. Enter the address by the name it is made out to.`
  }
  if (url?.protocol === 'https:' && code && /^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code))
    return `${who} does not speak https at this port (${code}). Correct the port; if it speaks http only, the address begins with http://.`
  if (url?.protocol === 'http:' && (code === 'ECONNRESET' || code === 'HPE_INVALID_CONSTANT'))
    return `${who} closed the connection without an answer. If it speaks https, enter ${tls}; otherwise its log tells more.`
  return `${who} could not be reached, or broke off its answer${code ? ` (${code})` : ''}. Check the address, this server's network and, on a model server of your own, its log.`
}

/** A provider's own address is right: it is this server that cannot look it up. */
const dnsFailureMessage = (who: string) =>
  `This server cannot look up the address of ${who}: it has no way to the internet, or its name service (DNS) does not work. Whoever runs the server must see to it.`
