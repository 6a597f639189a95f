import type { LmsKind } from '../lti/lti.ts'
import type { PlatformValues } from '../lti/lti-platforms.ts'

export interface LmsInputs {
  site: string
  client_id: string
  deployment: string
  /** Canvas: self-hosted, or one of Instructure’s. */
  environment: CanvasEnvironment
  /** Sakai: in the tool's addresses. */
  tool_number: string
}

export const canvasEnvironments = ['production', 'beta', 'test', 'own'] as const
type CanvasEnvironment = (typeof canvasEnvironments)[number]
type DerivedValues = Pick<
  PlatformValues,
  'name' | 'issuer' | 'auth_endpoint' | 'token_endpoint' | 'jwks_url' | 'origins'
> & { token_audience: string | null }

/** Without the trailing slash or query that people copy along. */
function parseSite(text: string): { base: string; origin: string; host: string } | null {
  const url = URL.parse(/^https?:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`)
  // While typing, `https://m` is an address too; a host has a dot, or is this machine.
  if (!url || !(url.hostname.includes('.') || url.hostname === 'localhost')) return null
  return { base: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin, host: url.host }
}

const emptyValues = { issuer: '', auth_endpoint: '', token_endpoint: '', jwks_url: '', token_audience: null }

/** As documented by the vendor; empty where not derivable. */
export function derivePlatformValues(lms: LmsKind, given: LmsInputs): DerivedValues {
  const site = parseSite(given.site)
  const name = site ? site.host : ''
  const origins = site ? [site.origin] : []
  return { ...emptyValues, name, origins, ...derivers[lms](site, given) }
}

type Site = ReturnType<typeof parseSite>
type Deriver = (site: Site, given: LmsInputs) => Partial<DerivedValues>

const derivers: Record<LmsKind, Deriver> = {
  canvas(site, { environment }) {
    if (environment === 'own') {
      if (!site) return {}
      // A self-hosted Canvas has Instructure’s issuer unless `lti_iss` is set.
      return { issuer: 'https://canvas.instructure.com', ...canvasEndpoints(site.origin) }
    }
    const part = environment === 'production' ? '' : `.${environment}`
    return { issuer: `https://canvas${part}.instructure.com`, ...canvasEndpoints(`https://sso${part}.canvaslms.com`) }
  },
  moodle(site) {
    if (!site) return {}
    return {
      issuer: site.base,
      auth_endpoint: `${site.base}/mod/lti/auth.php`,
      token_endpoint: `${site.base}/mod/lti/token.php`,
      jwks_url: `${site.base}/mod/lti/certs.php`,
    }
  },
  blackboard(_site, { client_id }) {
    const portal = 'https://developer.blackboard.com/api/v1'
    const id = client_id.trim()
    return {
      issuer: 'https://blackboard.com',
      auth_endpoint: `${portal}/gateway/oidcauth`,
      token_endpoint: `${portal}/gateway/oauth2/jwttoken`,
      jwks_url: id ? `${portal}/management/applications/${encodeURIComponent(id)}/jwks.json` : '',
    }
  },
  d2l(site) {
    if (!site) return {}
    return {
      issuer: site.origin,
      auth_endpoint: `${site.origin}/d2l/lti/authenticate`,
      token_endpoint: 'https://auth.brightspace.com/core/connect/token',
      token_audience: 'https://api.brightspace.com/auth/token',
      jwks_url: `${site.origin}/d2l/.well-known/jwks`,
    }
  },
  sakai(site, { tool_number }) {
    if (!site) return {}
    const number = tool_number.trim()
    return {
      issuer: site.base,
      auth_endpoint: `${site.base}/imsoidc/lti13/oidc_auth`,
      token_endpoint: number ? `${site.base}/imsblis/lti13/token/${encodeURIComponent(number)}` : '',
      jwks_url: `${site.base}/imsblis/lti13/keyset`,
    }
  },
  other: () => ({}),
}

const canvasEndpoints = (origin: string) => ({
  auth_endpoint: `${origin}/api/lti/authorize_redirect`,
  token_endpoint: `${origin}/login/oauth2/token`,
  jwks_url: `${origin}/api/lti/security/jwks`,
})
