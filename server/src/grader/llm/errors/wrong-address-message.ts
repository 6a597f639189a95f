import type { ProviderFailure } from './classify-provider-error.ts'
import type { ErrorContext } from './llm-error-messages.ts'

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
