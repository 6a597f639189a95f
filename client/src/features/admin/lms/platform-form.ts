import type { LmsKind } from '@assay/shared/lti/lti.ts'
import type { Platform, PlatformValues } from '@assay/shared/lti/lti-platforms.ts'

/** The fields' values, as text. Lists have one entry a line. */
export type PlatformFormValues = {
  name: string
  issuer: string
  client_id: string
  auth_endpoint: string
  token_endpoint: string
  token_audience: string
  jwks_url: string
  origins: string
  deployments: string
  deployments_fixed: boolean
}
export const platformFields = [
  'name',
  'issuer',
  'client_id',
  'auth_endpoint',
  'token_endpoint',
  'token_audience',
  'jwks_url',
  'origins',
  'deployments',
  'deployments_fixed',
] as const satisfies (keyof PlatformFormValues)[]

export type PlatformTextField = Exclude<keyof PlatformFormValues, 'deployments_fixed'>

const splitLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export function parsePlatformForm(texts: PlatformFormValues): Omit<PlatformValues, 'lms'> {
  return {
    ...texts,
    token_audience: texts.token_audience.trim() || null,
    origins: splitLines(texts.origins),
    deployments: splitLines(texts.deployments),
  }
}

export const platformBody = (texts: PlatformFormValues, lms: LmsKind): PlatformValues => ({
  ...parsePlatformForm(texts),
  lms,
})

export function platformFormValues(platform: Platform): PlatformFormValues {
  return {
    name: platform.name,
    issuer: platform.issuer,
    client_id: platform.client_id,
    auth_endpoint: platform.auth_endpoint,
    token_endpoint: platform.token_endpoint,
    token_audience: platform.token_audience ?? '',
    jwks_url: platform.jwks_url,
    origins: platform.origins.join('\n'),
    deployments: platform.deployments.map(({ id }) => id).join('\n'),
    deployments_fixed: platform.deployments_fixed,
  }
}

/** Errors by field; one in a list (`origins.1`) is shown at the list. */
export function fieldErrors(fields: Record<string, string>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [field, message] of Object.entries(fields)) found[field.split('.')[0] ?? field] ??= message
  return found
}
