import { expect, it } from 'vitest'
import { roleInContext } from './roles.ts'

const VOCABULARY = 'http://purl.imsglobal.org/vocab/lis/v2'
const membership = (role: string) => `${VOCABULARY}/membership${role.includes('#') ? '/' : '#'}${role}`

/** LTI 1.3 core, A.2.2 and A.2.3: an LMS names the role beside its sub-role. */
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
  [['TeachingAssistant'], 'instructor'],
  [['Observer'], null],
  [['Manager', 'Observer'], null],
  [['Manager', 'Manager#Observer', 'Manager#CourseCoordinator'].map(membership), 'instructor'],
  [['Manager#Observer', 'Instructor'].map(membership), 'instructor'],
  [['Mentor', 'Learner'].map(membership), 'student'],
  [['Learner', 'Instructor#TeachingAssistant'].map(membership), 'instructor'],
  [['Student', 'Faculty', 'Instructor'].map((role) => `${VOCABULARY}/institution/person#${role}`), null],
  [['Administrator', 'User'].map((role) => `${VOCABULARY}/system/person#${role}`), null],
  [['urn:lti:role:ims/lis/Instructor', 'https://evil.example/membership#Instructor'], null],
  [[`${VOCABULARY}/membershipX#Instructor`], null],
])('takes somebody with %j for: %s', (roles, role) => {
  expect(roleInContext(roles)).toBe(role)
})
