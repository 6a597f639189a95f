/** Only the last part of the URI, as NRPS sends the short form. */
const TEACHING_ROLES = new Set(['Instructor', 'TeachingAssistant', 'ContentDeveloper', 'Administrator', 'Manager'])
const LEARNING_ROLES = new Set(['Learner', 'Mentor'])

const MEMBERSHIP = 'http://purl.imsglobal.org/vocab/lis/v2/membership'
const TEST_USER = 'http://purl.imsglobal.org/vocab/lti/system/person#TestUser'

/**
 * `…/membership#Instructor`, `…/membership/Instructor#TeachingAssistant` or `Instructor` (LTI 1.3 core, A.2.2); null
 * for a role of the institution or the system.
 */
function contextRole(role: string): string | null {
  if (!role.includes(':')) return role
  if (role.startsWith(`${MEMBERSHIP}#`)) return role.slice(MEMBERSHIP.length + 1)
  if (role.startsWith(`${MEMBERSHIP}/`)) return role.slice(MEMBERSHIP.length + 1).split('#')[0] ?? null
  return null
}

/** Teaching outranks learning. System and institution roles do not count: an LMS's administrator teaches nobody. */
export function roleInContext(roles: readonly string[]): 'instructor' | 'student' | null {
  const words = roles.map(contextRole)
  if (words.some((word) => word !== null && TEACHING_ROLES.has(word))) return 'instructor'
  return words.some((word) => word !== null && LEARNING_ROLES.has(word)) ? 'student' : null
}

/** `…/institution/person#Administrator`, `…/system/person#SysAdmin`; `…/v2/person#Administrator` in Moodle; LTI 1.1. */
const ADMINISTRATOR =
  /^(http:\/\/purl\.imsglobal\.org\/vocab\/lis\/v2\/((institution|system)\/)?person#|urn:lti:(sysrole|instrole):ims\/lis\/)(Administrator|AccountAdmin|SysAdmin|SysSupport)$/

/** Whatever they are in the course. */
export const isLmsAdministrator = (roles: readonly string[]) => roles.some((role) => ADMINISTRATOR.test(role))

/** Canvas's Student View; rosters also use the short form. */
export const isTestUser = (roles: readonly string[]) => roles.includes(TEST_USER) || roles.includes('TestUser')
