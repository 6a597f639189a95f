import { isLoopbackAddress } from '@assay/shared/rules/web-address.ts'

const unknownCertificate =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_UNTRUSTED)$/

/** Why there was no connection, by the network's error code, and what to do. `base_url` null: the provider's own address. */
export function unreachableMessage(providerName: string, base_url: string | null, code: string | null): string {
  const url = base_url === null ? null : URL.parse(base_url)
  const host = url?.hostname ?? providerName
  const own = url !== null && isLoopbackAddress(url.href)
  const tls = `https://${url?.host ?? ''}${url?.pathname ?? ''}`
  if (code && unknownCertificate.test(code))
    return `${providerName} uses a certificate that this server does not trust (${code}). Use a certificate from a known authority; for your own authority, start Assay with NODE_EXTRA_CA_CERTS set to its certificate. A proxy that inspects TLS connections also causes this.`
  switch (code) {
    case 'ECONNREFUSED':
      return own
        ? `Nothing is listening at ${url?.host}: start the model server, or correct the port. “${host}” is the machine Assay runs on, or its container.`
        : `${providerName} refuses the connection: no model server is listening there. Start it, or correct the address and port.`
    case 'ENOTFOUND':
      if (!url) return dnsFailureMessage(providerName)
      return `There is no host called “${host}”. Check the address for typos; this server must be able to resolve names in the school’s network.`
    case 'EAI_AGAIN':
      if (!url) return dnsFailureMessage(providerName)
      return `The name “${host}” could not be looked up: this server’s network or DNS does not work. Try again; if this continues, ask your administrator.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
    case 'ENETUNREACH':
    case 'EACCES':
      return `${host} could not be reached (${code}). The machine may be off, or a firewall may block the connection. If this server reaches the internet only through a proxy: Assay uses none, so enter the address of a gateway it can reach directly.`
    case 'CERT_HAS_EXPIRED':
      return `The certificate of ${providerName} has expired. It must be renewed before Assay can connect.`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate at ${host} is for another name. Use that name in the address.`
  }
  if (url?.protocol === 'https:' && code && /^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code))
    return `${providerName} does not use https on this port (${code}). Correct the port; if it only uses http, enter an address that begins with http://.`
  if (url?.protocol === 'http:' && (code === 'ECONNRESET' || code === 'HPE_INVALID_CONSTANT'))
    return `${providerName} closed the connection without an answer. If it uses https, enter ${tls}; otherwise check its log.`
  return `${providerName} could not be reached, or the connection was interrupted${code ? ` (${code})` : ''}. Check the address, this server’s network and, for your own model server, its log.`
}

/** A provider's default address is right: this server cannot look it up. */
const dnsFailureMessage = (providerName: string) =>
  `This server cannot look up the address of ${providerName}: it has no internet connection, or its DNS does not work. Ask your administrator.`
