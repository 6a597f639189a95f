import * as accuracyChecks from './accuracy-checks.ts'
import * as admin from './admin.ts'
import * as analytics from './analytics.ts'
import * as assignments from './assignments.ts'
import * as auth from './auth.ts'
import * as classScans from './class-scans.ts'
import * as courses from './courses.ts'
import * as gradeApprovals from './grade-approvals.ts'
import * as gradeHistory from './grade-history.ts'
import * as gradebook from './gradebook.ts'
import * as gradedPapers from './graded-papers.ts'
import * as grades from './grades.ts'
import * as groups from './groups.ts'
import type { Endpoint } from './http/endpoint.ts'
import * as model from './llm/llm.ts'
import * as lti from './lti/lti.ts'
import * as ltiDeepLinking from './lti/lti-deep-linking.ts'
import * as ltiPlatforms from './lti/lti-platforms.ts'
import * as ltiRegistration from './lti/lti-registration.ts'
import * as ltiRoster from './lti/lti-roster.ts'
import * as ltiScores from './lti/lti-scores.ts'
import * as ltiSelfTest from './lti/lti-self-test.ts'
import * as matches from './matches.ts'
import * as penMarks from './pen-marks.ts'
import * as personalData from './personal-data.ts'
import * as photoDrafts from './photo-drafts.ts'
import * as printing from './printing.ts'
import * as profile from './profile.ts'
import * as questions from './questions.ts'
import * as regrades from './regrades.ts'
import * as retention from './retention.ts'
import * as roster from './roster.ts'
import * as rubricAmendments from './rubric-amendments.ts'
import * as rubricCalls from './rubric-endpoints.ts'
import * as rubricItems from './rubric-items.ts'
import * as runs from './runs.ts'
import * as scoreRules from './score-rules.ts'
import * as settings from './settings.ts'
import * as similarity from './similarity.ts'
import * as students from './students.ts'
import * as submissions from './submissions.ts'
import * as testPages from './test-pages.ts'
import * as transcriptions from './transcriptions.ts'

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

export const contract: { tag: string; name: string; endpoint: Endpoint }[] = Object.entries({
  auth,
  profile,
  'personal-data': personalData,
  courses,
  retention,
  roster,
  assignments,
  rubrics: rubricCalls,
  submissions,
  groups,
  'class-scans': classScans,
  'photo-drafts': photoDrafts,
  transcriptions,
  'pen-marks': penMarks,
  matches,
  runs,
  grades,
  'grade-approvals': gradeApprovals,
  'score-rules': scoreRules,
  questions,
  'rubric-items': rubricItems,
  'accuracy-checks': accuracyChecks,
  similarity,
  'grade-history': gradeHistory,
  'graded-papers': gradedPapers,
  printing,
  regrades,
  rubricAmendments,
  'lms-scores': ltiScores,
  gradebook,
  analytics,
  students,
  settings,
  model,
  'lti-deep-linking': ltiDeepLinking,
  admin,
  lti,
  'lti-roster': ltiRoster,
  'lti-platforms': { ...ltiPlatforms, ...ltiRegistration, ...ltiSelfTest },
  'test-pages': testPages,
}).flatMap(([tag, all]) =>
  Object.entries(all).flatMap(([name, endpoint]) => (isEndpoint(endpoint) ? [{ tag, name, endpoint }] : [])),
)
