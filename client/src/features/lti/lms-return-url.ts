import type { Launch } from '@assay/shared/lti/lti.ts'

/** Null for what is no web page: `javascript:` would run as ours. */
export function lmsReturnUrl(launch: Launch | null): string | null {
  const url = URL.parse(launch?.return_url ?? '')
  return url && ['https:', 'http:'].includes(url.protocol) ? url.href : null
}
