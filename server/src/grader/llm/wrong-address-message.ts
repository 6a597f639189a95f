import type { ProviderFailure } from './classify-provider-error.ts'
import type { ErrorContext } from './llm-error-messages.ts'

/** That something else than a model's API stands at an address, and what the right one may look like. */
export function wrongAddressMessage(
  { found, status }: Pick<ProviderFailure, 'found' | 'status'>,
  { providerName, base_url }: ErrorContext,
  said: string | null,
): string {
  const error = status !== null && status >= 400 ? ` (error ${status})` : ''
  const quote = said ? ` It says: “${said}”` : ''
  const what =
    found === 'web_page'
      ? `${providerName} answers with a web page${error}, not as a model does: it is a website, or a sign-in or block page in between.`
      : `${providerName} answers, but not as a model does${error}: there is no model's API at this address.`
  return `${what}${quote} ${addressSuggestion(base_url)}`
}

function addressSuggestion(base_url: string | null): string {
  const url = base_url === null ? null : URL.parse(base_url)
  if (!url) return 'Check that no proxy or firewall stands between this server and the provider.'
  const path = url.pathname.replace(/\/+$/, '')
  if (path === '') return `Most addresses end in /v1: try ${url.origin}/v1.`
  const whole = /\/(chat\/completions|completions|responses|messages|models)$/.exec(path)?.[0]
  if (whole) return `Leave off the end: try ${url.origin}${path.slice(0, -whole.length)}.`
  if (/\/v1(beta)?$/.test(path)) return 'Check the host and the port of the address.'
  return 'Correct the address: most end in /v1.'
}
