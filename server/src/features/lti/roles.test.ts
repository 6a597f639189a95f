import { expect, it } from 'vitest'
import { isTestUser, roleInContext } from './roles.ts'

const VOCABULARY = 'http://purl.imsglobal.org/vocab/lis/v2'
const membership = (role: string) => `${VOCABULARY}/membership${role.includes('#') ? '/' : '#'}${role}`

/** LTI 1.3 core, A.2.2 and A.2.3: every context role with its sub-roles, of which an LMS names the former too. */
const CONTEXT_ROLES = {
  Administrator:
    'Administrator Developer ExternalDeveloper ExternalSupport ExternalSystemAdministrator Support SystemAdministrator',
  ContentDeveloper: 'ContentDeveloper ContentExpert ExternalContentExpert Librarian',
  Instructor:
    'ExternalInstructor Grader GuestInstructor Lecturer PrimaryInstructor SecondaryInstructor TeachingAssistant TeachingAssistantGroup TeachingAssistantOffering TeachingAssistantSection TeachingAssistantSectionAssociation TeachingAssistantTemplate',
  Learner: 'ExternalLearner GuestLearner Instructor Learner NonCreditLearner',
  Manager: 'AreaManager CourseCoordinator ExternalObserver Manager Observer',
  Member: 'Member',
  Mentor:
    'Advisor Auditor ExternalAdvisor ExternalAuditor ExternalLearningFacilitator ExternalMentor ExternalReviewer ExternalTutor LearningFacilitator Mentor Reviewer Tutor',
  Officer: 'Chair Communications Secretary Treasurer Vice-Chair',
}
const TEACHING = ['Administrator', 'ContentDeveloper', 'Instructor', 'Manager']

const named = Object.entries(CONTEXT_ROLES).flatMap(([principal, subs]) => {
  const role = TEACHING.includes(principal) ? 'instructor' : principal === 'Learner' ? 'student' : null
  const observer = (sub: string) => (sub.endsWith('Observer') ? null : role)
  return [[principal, role] as const, ...subs.split(' ').map((sub) => [`${principal}#${sub}`, observer(sub)] as const)]
})

it.each(named)('takes %s for: %s', (name, role) => {
  const [principal = '', sub] = name.split('#')
  expect(roleInContext([membership(name)])).toBe(role)
  expect(roleInContext([membership(principal), membership(name)])).toBe(role)
  if (sub === undefined) expect(roleInContext([name])).toBe(role)
})

it.each([
  ['a short sub-role of a roster', ['TeachingAssistant'], 'instructor'],
  ['a short observer', ['Observer'], null],
  [
    'an observer who also coordinates',
    ['Manager', 'Manager#Observer', 'Manager#CourseCoordinator'].map(membership),
    'instructor',
  ],
  ['an observer who also teaches', ['Manager#Observer', 'Instructor'].map(membership), 'instructor'],
  ['a parent who also learns', ['Mentor', 'Learner'].map(membership), 'student'],
  ['a student who assists', ['Learner', 'Instructor#TeachingAssistant'].map(membership), 'instructor'],
  [
    'roles of the institution',
    ['Student', 'Faculty', 'Instructor', 'Observer'].map((role) => `${VOCABULARY}/institution/person#${role}`),
    null,
  ],
  [
    'roles of the system',
    ['Administrator', 'SysAdmin', 'User'].map((role) => `${VOCABULARY}/system/person#${role}`),
    null,
  ],
  [
    'look-alikes',
    [
      'urn:lti:role:ims/lis/Instructor',
      `https://evil.example/membership#Instructor`,
      `${VOCABULARY}/membershipX#Instructor`,
    ],
    null,
  ],
  ['no role at all', [], null],
])('takes %s for what it is', (_who, roles, role) => {
  expect(roleInContext(roles)).toBe(role)
})

it('knows a test user by the long and the short form', () => {
  expect(
    [['http://purl.imsglobal.org/vocab/lti/system/person#TestUser'], ['TestUser'], ['Learner']].map(isTestUser),
  ).toEqual([true, true, false])
})
