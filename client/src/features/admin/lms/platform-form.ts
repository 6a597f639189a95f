import type { Platform, PlatformValues } from '@assay/shared/lti/lti-platforms.ts'

/** Lists have one entry a line. */
export interface PlatformFormValues {
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
