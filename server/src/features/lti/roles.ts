/** NRPS sends only the last part of a sub-role, which counts as its principal role. */
const TEACHING_ROLES = new Set(['Instructor', 'TeachingAssistant', 'ContentDeveloper', 'Administrator', 'Manager'])
const OBSERVERS = new Set(['Observer', 'ExternalObserver'])
const MEMBERSHIP = 'http://purl.imsglobal.org/vocab/lis/v2/membership'
const TEST_USER = 'http://purl.imsglobal.org/vocab/lti/system/person#TestUser'

/** LTI 1.3 core, A.2.2 and A.2.3; empty for institution and system roles. */
function contextRole(role: string): { principal: string; sub?: string | undefined }[] {
  if (!role.includes(':')) return [{ principal: role }]
  if (role.startsWith(`${MEMBERSHIP}#`)) return [{ principal: role.slice(MEMBERSHIP.length + 1) }]
  if (!role.startsWith(`${MEMBERSHIP}/`)) return []
  const [principal = '', sub] = role.slice(MEMBERSHIP.length + 1).split('#')
  return [{ principal, sub }]
}

/** Teaching outranks learning; mentors (Canvas's parents) and observers do neither. */
export function roleInContext(roles: readonly string[]): 'instructor' | 'student' | null {
  const held = roles.flatMap(contextRole)
  const observes = held.some(({ principal, sub }) => OBSERVERS.has(sub ?? principal))
  const teaches = ({ principal, sub = '' }: (typeof held)[number]) =>
    TEACHING_ROLES.has(principal) && !OBSERVERS.has(sub) && !(observes && principal === 'Manager' && sub === '')
  if (held.some(teaches)) return 'instructor'
  return held.some(({ principal }) => principal === 'Learner') ? 'student' : null
}

/** LTI 1.3 names, Moodle's `…/v2/person#Administrator`, LTI 1.1. */
const ADMINISTRATOR =
  /^(http:\/\/purl\.imsglobal\.org\/vocab\/lis\/v2\/((institution|system)\/)?person#|urn:lti:(sysrole|instrole):ims\/lis\/)(Administrator|AccountAdmin|SysAdmin|SysSupport)$/

export const isLmsAdministrator = (roles: readonly string[]) => roles.some((role) => ADMINISTRATOR.test(role))

/** Canvas's Student View; rosters also use the short form. */
export const isTestUser = (roles: readonly string[]) => roles.includes(TEST_USER) || roles.includes('TestUser')
