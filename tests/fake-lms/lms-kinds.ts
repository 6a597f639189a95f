export type KindName = 'moodle' | 'canvas'

/** Differences a tool can notice. Paths are patterns of express. */
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
    | 'lineItems'
    | 'lineItem'
    | 'scores'
    | 'results'
    | 'deepLinkingReturn'
    | 'storage',
    string
  >
  /** Moodle forgets the launch once it was asked for it: a second authorization with the same hint is refused. */
  hintOnce: boolean
  /** The frame that stores data for tools; Moodle has none. */
  storageTarget: string | null
  /** Moodle's roster says `Learner` where its launches have the full URI. */
  shortRolesInRoster: boolean
  /** Moodle lists everybody on one page unless asked for a `limit`. */
  pageSize: number
  /** Canvas makes a tool's frame as high as the tool asks (`lti.frameResize`); Moodle does not listen. */
  resizesFrames: boolean
  /** Moodle's services name the tool in a query that every address carries. */
  toolInQuery: boolean
  /** A tool is told where it may read and change its registration; Moodle tells none. */
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
