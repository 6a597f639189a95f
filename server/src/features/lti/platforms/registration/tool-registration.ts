import type { LmsKind } from '@assay/shared/lti/lti.ts'
import type { ToolValues } from '@assay/shared/lti/lti-registration.ts'
import { registeredCustomParameters } from '../../contexts/resource-link.service.ts'
import { allScopes, GROUPS_SCOPE } from '../../platform-client/access-token.ts'

/** `assignment_selection` is graded in Canvas. `course_navigation` is off until a teacher turns it on. */
const canvasPlacements = {
  deepLinking: ['assignment_selection', 'link_selection'],
  resourceLink: ['course_navigation'],
} as const

const SIZE = { selection_width: 1000, selection_height: 800 }

/** As Canvas documents developer keys (“Configuring the Tool in Canvas”). */
export function canvasConfiguration(tool: ToolValues) {
  const shared = { text: tool.name, icon_url: tool.icon_url, target_link_uri: tool.launch_url }
  return {
    title: tool.name,
    description: tool.description,
    oidc_initiation_url: tool.login_url,
    target_link_uri: tool.launch_url,
    public_jwk_url: tool.jwks_url,
    scopes: tool.scopes,
    custom_fields: tool.custom_parameters,
    extensions: [
      {
        platform: 'canvas.instructure.com',
        domain: tool.domain,
        tool_id: 'assay',
        // Without names and addresses teachers would see numbers for students.
        privacy_level: 'public',
        settings: {
          text: tool.name,
          icon_url: tool.icon_url,
          ...SIZE,
          placements: [
            ...canvasPlacements.deepLinking.map((placement) => ({
              ...shared,
              placement,
              message_type: 'LtiDeepLinkingRequest',
              ...SIZE,
            })),
            ...canvasPlacements.resourceLink.map((placement) => ({
              ...shared,
              placement,
              message_type: 'LtiResourceLinkRequest',
              default: 'disabled',
              visibility: 'members',
            })),
          ],
        },
      },
    ],
  }
}

export const TOOL_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-tool-configuration'
export const REGISTRATION_SCOPE = 'https://purl.imsglobal.org/spec/lti-reg/scope/registration'
const SUPPORTED_MESSAGES = ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest', 'LtiSubmissionReviewRequest'] as const

export interface LmsCapabilities {
  lms: LmsKind
  messages: string[] | null
  scopes: string[]
}

/** LTI Dynamic Registration 1.0, 3.2. Canvas refuses message types it does not know. */
export function toolRegistration(tool: ToolValues, { lms, messages, scopes }: LmsCapabilities, contact: string | null) {
  const wanted = SUPPORTED_MESSAGES.filter((type) => messages === null || messages.includes(type))
  // Every LMS sends this one, listed or not.
  const types = wanted.includes('LtiResourceLinkRequest') ? wanted : [SUPPORTED_MESSAGES[0], ...wanted]
  const extra = [REGISTRATION_SCOPE, GROUPS_SCOPE].filter((scope) => scopes.includes(scope))
  return {
    application_type: 'web',
    response_types: ['id_token'],
    grant_types: ['implicit', 'client_credentials'],
    client_name: tool.name,
    client_uri: tool.public_url,
    logo_uri: tool.icon_url,
    tos_uri: `${tool.public_url}/terms`,
    policy_uri: `${tool.public_url}/privacy`,
    ...(contact ? { contacts: [contact] } : {}),
    initiate_login_uri: tool.login_url,
    redirect_uris: [tool.launch_url],
    jwks_uri: tool.jwks_url,
    token_endpoint_auth_method: 'private_key_jwt',
    scope: [...tool.scopes, ...extra].join(' '),
    [TOOL_CONFIGURATION]: {
      domain: tool.domain,
      description: tool.description,
      target_link_uri: tool.launch_url,
      custom_parameters: tool.custom_parameters,
      claims: ['iss', 'sub', 'name', 'given_name', 'family_name', 'email'],
      messages: types.map((type) => ({
        type,
        target_link_uri: tool.launch_url,
        label: tool.name,
        icon_uri: tool.icon_url,
        ...placementsOf(type, lms),
      })),
      ...(lms === 'canvas'
        ? {
            'https://canvas.instructure.com/lti/privacy_level': 'public',
            'https://canvas.instructure.com/lti/tool_id': 'assay',
          }
        : {}),
    },
  }
}

function placementsOf(type: (typeof SUPPORTED_MESSAGES)[number], lms: LmsKind) {
  if (type === 'LtiDeepLinkingRequest')
    return { placements: lms === 'canvas' ? canvasPlacements.deepLinking : ['ContentArea'] }
  if (type === 'LtiResourceLinkRequest' && lms === 'canvas')
    return {
      placements: canvasPlacements.resourceLink,
      'https://canvas.instructure.com/lti/course_navigation/default_enabled': false,
      'https://canvas.instructure.com/lti/visibility': 'members',
    }
  return {}
}

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
