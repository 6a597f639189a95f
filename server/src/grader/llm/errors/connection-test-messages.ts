import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { isLoopbackAddress } from '@assay/shared/rules/web-address.ts'
import type { ErrorContext, LlmErrorMessages, ProviderFailure } from './classify-provider-error.ts'

/** For somebody setting up a connection; nothing is retried later. */
export const connectionTestMessages: LlmErrorMessages = {
  failure(failure, context, quote) {
    const { providerName, model, base_url, hasKey } = context
    const says = quote ? ` It says: “${quote}”` : ''
    const status = failure.status ? ` (error ${failure.status})` : ''
    switch (failure.code) {
      case 'unreachable':
        return unreachableMessage(providerName, base_url, quote)
      case 'rate_limited':
        return `${providerName} has reached the rate limit of this key. ${retryHint(failure.retryAfterMs)}${says}`
      case 'overloaded':
        return `${providerName} was reached but reports an error${status}. Test again in a few minutes${base_url ? '; see also that server’s log' : ''}.${says}`
      case 'key_refused':
        if (!hasKey) return `${providerName} requires a key, but none is set.${says}`
        return failure.status === 403
          ? `${providerName} accepts the key but does not allow this request${status}. Give the key the required permissions at the provider, or enter another one.${says}`
          : `${providerName} does not accept the key. Copy the whole key again, and check that it belongs to this provider.${says}`
      case 'unknown_model':
        return `${providerName} has no model called “${model}”. Enter the name exactly as in the provider’s list; on your own server, load it first (Ollama: ollama pull).${says}`
      case 'wrong_address':
        return wrongAddressMessage(failure, context, quote)
      case 'out_of_credit':
        return `The account with ${providerName} has no credit left. Add credit at the provider, or enter another key.${says}`
      case 'too_long':
        return `Even this short request is too long for “${model}”. Set its context to 8,000 tokens or more, or choose another model.${says}`
      case 'cannot':
        return failure.unsupported === 'pictures'
          ? `“${model}” cannot read images. Choose a model that can, or turn off images in its settings; scanned and handwritten papers are then graded from recognized text.${says}`
          : `“${model}” does not support structured output: neither a JSON schema nor its description in the prompt. Choose a model that does.${says}`
      default:
        if (failure.rejectedLocally && quote) return quote
        return `${providerName} was reached but rejected the request${status}. Check that provider, address and model belong together.${says}`
    }
  },
  timeout: ({ providerName }, timeoutMs) =>
    `${providerName} was reached but did not answer within ${Math.ceil(timeoutMs / 1_000)} seconds. A model on your own machine may still be loading: test again in a minute.`,
  refused: (model) => `“${model}” refused the test request. Choose another model.`,
  cut_off: (model) =>
    `The response of “${model}” was cut off. This happens with models that reason at length or have a small context: set its context to 8,000 tokens or more, or choose another model.`,
  invalidResponse: (model, _complaint, raw) =>
    `“${model}” answered twice, but not in the requested format: ${isJson(raw) ? 'the list was not filled in' : 'it wrote no JSON'}. Most grades would fail. Choose a model with better structured output.${excerptOf(raw)}`,
}

const retryHint = (ms: number | null) =>
  ms === null ? 'Test again in a minute.' : `Test again in ${Math.max(1, Math.ceil(ms / 1_000))} seconds.`

const isJson = (raw: string): boolean => typeof parseJson(raw) === 'object'

/** May be shown: the test request has no student's data. */
function excerptOf(raw: string): string {
  const text = raw.replace(/\s+/g, ' ').trim()
  if (text === '') return ' It wrote nothing.'
  return ` It wrote: “${text.slice(0, 80)}${text.length > 80 ? ' …' : ''}”`
}

const unknownCertificate =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_UNTRUSTED)$/

/** `code`: the network's. `base_url` null: the provider's own address. */
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

const dnsFailureMessage = (providerName: string) =>
  `This server cannot look up the address of ${providerName}: it has no internet connection, or its DNS does not work. Ask your administrator.`

export function wrongAddressMessage(
  { found, status }: Pick<ProviderFailure, 'found' | 'status'>,
  { providerName, base_url }: ErrorContext,
  quote: string | null,
): string {
  const error = status !== null && status >= 400 ? ` (error ${status})` : ''
  const says = quote ? ` It says: “${quote}”` : ''
  const what =
    found === 'web_page'
      ? `${providerName} returned a web page${error} instead of a model’s response: the address is a website, or a sign-in or block page intercepts the request.`
      : `${providerName} answers${error}, but there is no model API at this address.`
  return `${what}${says} ${addressSuggestion(base_url)}`
}

function addressSuggestion(base_url: string | null): string {
  const url = base_url === null ? null : URL.parse(base_url)
  if (!url) return 'Check that no proxy or firewall blocks the connection to the provider.'
  const path = url.pathname.replace(/\/+$/, '')
  if (path === '') return `Most addresses end in /v1: try ${url.origin}/v1.`
  const whole = /\/(chat\/completions|completions|responses|messages|models)$/.exec(path)?.[0]
  if (whole) return `Shorten the address: try ${url.origin}${path.slice(0, -whole.length)}.`
  if (/\/v1(beta)?$/.test(path)) return 'Check the host and the port of the address.'
  return 'Correct the address. Most end in /v1.'
}
