export type KindName = 'moodle' | 'canvas'

export interface LmsKindSpec {
  name: KindName
  product: string
  version: string
  paths: Record<
    | 'authorization'
    | 'token'
    | 'jwks'
    | 'configuration'
    | 'registration'
    | 'members'
    | 'groups'
    | 'lineItems'
    | 'lineItem'
    | 'scores'
    | 'results'
    | 'deepLinkingReturn'
    | 'storage',
    string
  >
  /** Moodle refuses a second authorization with the same hint. */
  hintOnce: boolean
  /** Moodle has none. */
  storageTarget: string | null
  /** Moodle's rosters say `Learner`, its launches the full URI. */
  shortRolesInRoster: boolean
  /** Moodle lists everybody unless asked for a `limit`. */
  pageSize: number
  /** Only Canvas heeds `lti.frameResize`. */
  resizesFrames: boolean
  /** Moodle's addresses name the tool in the query. */
  toolInQuery: boolean
  /** Moodle does not. */
  letsToolsUpdate: boolean
}

const moodle: LmsKindSpec = {
  name: 'moodle',
  product: 'moodle',
  version: '2022112800',
  paths: {
    authorization: '/mod/lti/auth.php',
    token: '/mod/lti/token.php',
    jwks: '/mod/lti/certs.php',
    configuration: '/mod/lti/openid-configuration.php',
    registration: '/mod/lti/openid-registration.php',
    members: '/mod/lti/services.php/CourseSection/:courseId/bindings/:tool/memberships',
    groups: '/mod/lti/services.php/:courseId/groups',
    lineItems: '/mod/lti/services.php/:courseId/lineitems',
    lineItem: '/mod/lti/services.php/:courseId/lineitems/:itemId/lineitem',
    scores: '/mod/lti/services.php/:courseId/lineitems/:itemId/lineitem/scores',
    results: '/mod/lti/services.php/:courseId/lineitems/:itemId/lineitem/results',
    deepLinkingReturn: '/mod/lti/contentitem_return.php',
    storage: '/mod/lti/storage.php',
  },
  hintOnce: true,
  storageTarget: null,
  shortRolesInRoster: true,
  pageSize: Number.POSITIVE_INFINITY,
  resizesFrames: false,
  toolInQuery: true,
  letsToolsUpdate: false,
}

const canvas: LmsKindSpec = {
  name: 'canvas',
  product: 'canvas',
  version: 'cloud',
  paths: {
    authorization: '/api/lti/authorize_redirect',
    token: '/login/oauth2/token',
    jwks: '/api/lti/security/jwks',
    configuration: '/api/lti/security/openid-configuration',
    registration: '/api/lti/registrations',
    members: '/api/lti/courses/:courseId/names_and_roles',
    groups: '/api/lti/courses/:courseId/groups',
    lineItems: '/api/lti/courses/:courseId/line_items',
    lineItem: '/api/lti/courses/:courseId/line_items/:itemId',
    scores: '/api/lti/courses/:courseId/line_items/:itemId/scores',
    results: '/api/lti/courses/:courseId/line_items/:itemId/results',
    deepLinkingReturn: '/courses/deep_linking_response',
    storage: '/post_message_forwarding',
  },
  hintOnce: false,
  storageTarget: 'post_message_forwarding',
  shortRolesInRoster: false,
  pageSize: 50,
  resizesFrames: true,
  toolInQuery: false,
  letsToolsUpdate: true,
}

export const lmsKinds: Record<KindName, LmsKindSpec> = { moodle, canvas }

export function fillPattern(pattern: string, values: Record<string, string>): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** Names of the LTI 1.3 standard. */
export const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim'
export const DL_CLAIM = 'https://purl.imsglobal.org/spec/lti-dl/claim'
export const AGS_CLAIM = 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint'
export const GROUPS_CLAIM = 'https://purl.imsglobal.org/spec/lti-gs/claim/groupsservice'
export const NRPS_CLAIM = 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice'

export const SCOPE = {
  lineItems: 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem',
  lineItemsRead: 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly',
  results: 'https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly',
  scores: 'https://purl.imsglobal.org/spec/lti-ags/scope/score',
  members: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
  groups: 'https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly',
} as const

export type Scope = (typeof SCOPE)[keyof typeof SCOPE]
/** Few LMSs have groups for tools. */
export const allScopes: readonly Scope[] = Object.values(SCOPE).filter((scope) => scope !== SCOPE.groups)

export const MEDIA = {
  lineItem: 'application/vnd.ims.lis.v2.lineitem+json',
  lineItems: 'application/vnd.ims.lis.v2.lineitemcontainer+json',
  score: 'application/vnd.ims.lis.v1.score+json',
  results: 'application/vnd.ims.lis.v2.resultcontainer+json',
  members: 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json',
  groups: 'application/vnd.ims.lti-gs.v1.contextgroupcontainer+json',
} as const

export type MessageType = 'LtiResourceLinkRequest' | 'LtiDeepLinkingRequest' | 'LtiSubmissionReviewRequest'

export type Claims = Record<string, unknown>

const membership = 'http://purl.imsglobal.org/vocab/lis/v2/membership'

const contextRoles: Record<string, string> = {
  Instructor: `${membership}#Instructor`,
  TeachingAssistant: `${membership}/Instructor#TeachingAssistant`,
  ContentDeveloper: `${membership}#ContentDeveloper`,
  Administrator: `${membership}#Administrator`,
  Manager: `${membership}#Manager`,
  Learner: `${membership}#Learner`,
  Mentor: `${membership}#Mentor`,
  Member: `${membership}#Member`,
}

export type Role = string

export const roleUri = (role: Role): string => contextRoles[role] ?? role

/** `Learner` for the learner's URI, as in Moodle's roster. */
export function shortRole(role: Role): string {
  const uri = roleUri(role)
  return uri.startsWith(membership) ? (uri.split('#').at(-1) ?? uri) : uri
}

export const ROLE = {
  institutionStudent: 'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Student',
  institutionFaculty: 'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Faculty',
  institutionAdministrator: 'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator',
  systemUser: 'http://purl.imsglobal.org/vocab/lis/v2/system/person#User',
  systemAdministrator: 'http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator',
  testUser: 'http://purl.imsglobal.org/vocab/lti/system/person#TestUser',
} as const

export type Privacy = 'public' | 'name_only' | 'email_only' | 'anonymous'
