import type { Launch } from '@assay/shared/lti/lti.ts'

/** Where the LMS wants people to go back to; null for what is no web page (`javascript:` would run as ours). */
export function lmsReturnUrl(launch: Launch | null): string | null {
  const url = URL.parse(launch?.return_url ?? '')
  return url && ['https:', 'http:'].includes(url.protocol) ? url.href : null
}
