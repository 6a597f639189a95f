import type { ToolValues } from '@assay/shared/lti/lti-registration.ts'
import { registeredCustomParameters } from '../contexts/custom-parameters.ts'
import { allScopes } from '../scopes.ts'

export function toolValues(publicUrl: string): ToolValues {
  const base = publicUrl.replace(/\/+$/, '')
  const { host, protocol } = new URL(base)
  return {
    name: 'Assay',
    description: 'Grades papers with AI and leaves the teacher in charge.',
    public_url: base,
    https: protocol === 'https:',
    domain: host,
    login_url: `${base}/lti/login`,
    launch_url: `${base}/lti/launch`,
    jwks_url: `${base}/lti/keys`,
    icon_url: `${base}/favicon.svg`,
    canvas_json_url: `${base}/lti/canvas.json`,
    custom_parameters: { ...registeredCustomParameters },
    scopes: [...allScopes],
  }
}
