/** Context roles that teach; the rest of the address is left out, for NRPS sends the short form. */
const TEACHING_ROLES = new Set(['Instructor', 'TeachingAssistant', 'ContentDeveloper', 'Administrator', 'Manager'])
const LEARNING_ROLES = new Set(['Learner', 'Mentor'])

const MEMBERSHIP = 'http://purl.imsglobal.org/vocab/lis/v2/membership'
const TEST_USER = 'http://purl.imsglobal.org/vocab/lti/system/person#TestUser'

/**
 * The word of a context role (LTI 1.3 core, A.2.2): `…/membership#Instructor`, `…/membership/Instructor#TeachingAssistant` (a
 * sub-role: it says what kind of instructor) or `Instructor`; null for a role of the institution or the system.
 */
function contextRole(role: string): string | null {
  if (!role.includes(':')) return role
  if (role.startsWith(`${MEMBERSHIP}#`)) return role.slice(MEMBERSHIP.length + 1)
  if (role.startsWith(`${MEMBERSHIP}/`)) return role.slice(MEMBERSHIP.length + 1).split('#')[0] ?? null
  return null
}

/**
 * What somebody is in one context; null for roles that are none of ours. Who teaches and learns teaches. Roles of the institution
 * or of the LMS's system count for nothing: an LMS's administrator is not ours, nor anybody's instructor.
 */
export function roleInContext(roles: readonly string[]): 'instructor' | 'student' | null {
  const words = roles.map(contextRole)
  if (words.some((word) => word !== null && TEACHING_ROLES.has(word))) return 'instructor'
  return words.some((word) => word !== null && LEARNING_ROLES.has(word)) ? 'student' : null
}

/** `…/institution/person#Administrator`, `…/system/person#SysAdmin` and the like; `…/v2/person#Administrator` in Moodle’s rosters; and as in LTI 1.1. */
const ADMINISTRATOR =
  /^(http:\/\/purl\.imsglobal\.org\/vocab\/lis\/v2\/((institution|system)\/)?person#|urn:lti:(sysrole|instrole):ims\/lis\/)(Administrator|AccountAdmin|SysAdmin|SysSupport)$/

/** Whether the LMS or its institution has them as an administrator, whatever they are in the course. */
export const isLmsAdministrator = (roles: readonly string[]) => roles.some((role) => ADMINISTRATOR.test(role))

/** A student that exists for instructors to look through (Canvas: Student View); in rosters by the short form too. */
export const isTestUser = (roles: readonly string[]) => roles.includes(TEST_USER) || roles.includes('TestUser')
