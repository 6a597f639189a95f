import { contract } from '@assay/shared/contract.ts'
import { launchPaths } from '@assay/shared/lti/lti.ts'
import express, { type Express, type Request, type RequestHandler, type Response, Router } from 'express'
import { serveApiDocs, tagDescriptions } from './api-docs/api-docs.ts'
import { keyByIpAddress } from './cluster/redis/rate-limit.ts'
import { accuracyCheckRoutes } from './features/accuracy/accuracy-check.routes.ts'
import { adminRoutes } from './features/admin/admin.routes.ts'
import { settingsRoutes } from './features/admin/settings/settings.routes.ts'
import { testPageRoutes } from './features/admin/test-pages/test-page.routes.ts'
import { userManagementRoutes } from './features/admin/user-management.routes.ts'
import { analyticsRoutes } from './features/analytics/analytics.routes.ts'
import { type AssignmentHooks, presentAssignmentsOfCourse } from './features/assignments/assignment.present.ts'
import { assignmentRoutes, extensionRoutes } from './features/assignments/assignment.routes.ts'
import { countAssignments } from './features/assignments/assignment.service.ts'
import { authRoutes, mailedLinkRoutes, passwordRoutes } from './features/auth/auth.routes.ts'
import { createPasswordCheck } from './features/auth/check-password.ts'
import { createAuthenticator } from './features/auth/session.service.ts'
import { courseRoutes, joinCodeRoutes } from './features/courses/course.routes.ts'
import { gradeHistoryRoutes } from './features/grade-history/grade-history.routes.ts'
import { gradebookRoutes } from './features/gradebook/gradebook.routes.ts'
import { gradedPaperRoutes } from './features/graded-papers/graded-paper.routes.ts'
import { gradeApprovalRoutes } from './features/grades/approvals/grade-approval.routes.ts'
import { gradeRoutes, publishRoutes } from './features/grades/grade.routes.ts'
import { penMarkRoutes } from './features/grades/pen-marks/pen-mark.routes.ts'
import { changeTimeZone, datesChanged } from './features/grades/score-rules/released-scores-job.ts'
import { scoreRulesRoutes } from './features/grades/score-rules/score-rules.routes.ts'
import { groupRoutes } from './features/groups/group.routes.ts'
import { ownGroupRoutes } from './features/groups/own-group.routes.ts'
import { classScanRoutes } from './features/intake/class-scans/class-scan.routes.ts'
import { photoDraftRoutes } from './features/intake/photo-drafts/photo-draft.routes.ts'
import { printRoutes } from './features/intake/printing/print.routes.ts'
import { llmRoutes } from './features/llm/llm.routes.ts'
import { joinAccountRoutes } from './features/lti/accounts/join-account.routes.ts'
import { lmsNamesOfCourse } from './features/lti/contexts/resource-link.service.ts'
import { setUpRoutes } from './features/lti/contexts/set-up.routes.ts'
import { deepLinkReturnRoutes, deepLinkRoutes } from './features/lti/deep-linking/deep-link-return.routes.ts'
import { launchEndpointRoutes } from './features/lti/launch-endpoints/launch-endpoint.routes.ts'
import { refusePagesOfInactive } from './features/lti/launch-endpoints/pages/send-page.ts'
import { headingOfLaunch, launchRoutes } from './features/lti/launches/launch.routes.ts'
import { createReadFirst } from './features/lti/launches/read-first.ts'
import { platformRoutes, selfTestRoutes } from './features/lti/platforms/platform.routes.ts'
import { registrationRoutes } from './features/lti/platforms/registration/registration.routes.ts'
import { registrationLinkRoutes } from './features/lti/platforms/registration/registration-link.routes.ts'
import { lmsRosterRoutes } from './features/lti/roster/lms-roster.routes.ts'
import { scoreRoutes } from './features/lti/scores/score.routes.ts'
import { lmsNamesOfAssignments } from './features/lti/scores/score-targets.ts'
import { matchRoutes } from './features/matching/match.routes.ts'
import { moveSubmissionsToCourse } from './features/matching/match-submissions.ts'
import { splitPaperRoutes } from './features/matching/paper-problems/split-paper.routes.ts'
import { profileRoutes } from './features/profile/profile.routes.ts'
import type { AfterDecision } from './features/questions/projection-job.ts'
import { questionRoutes } from './features/questions/question.routes.ts'
import type { Rescoring } from './features/questions/rescoring/rescore-answers-job.ts'
import { amendmentRoutes } from './features/regrades/amendments/amendment.routes.ts'
import type { Amendments } from './features/regrades/amendments/apply-amendment.ts'
import { regradeRoutes } from './features/regrades/regrade.routes.ts'
import { takeInvitations } from './features/roster/invite-students.ts'
import { rosterRoutes } from './features/roster/roster.routes.ts'
import { rubricRoutes } from './features/rubrics/rubric.routes.ts'
import type { RubricGenerations } from './features/rubrics/rubric-generation-jobs.ts'
import { currentRubricUsage } from './features/runs/current-rubric-usage.ts'
import type { GradingPipeline } from './features/runs/grading-pipeline.ts'
import { runRoutes } from './features/runs/run.routes.ts'
import { retryWaitingRuns } from './features/runs/steps/llm-wait.ts'
import { similarityRoutes } from './features/similarity/similarity.routes.ts'
import { regradeRequestRoutes, studentRoutes } from './features/students/student.routes.ts'
import { queueReminders } from './features/submissions/reminder-job.ts'
import { submissionRoutes } from './features/submissions/submission.routes.ts'
import {
  countSubmissions,
  deleteSubmissionRows,
  numberAllPapers,
  recomputeLateness,
  storeSubmissions,
} from './features/submissions/submission.service.ts'
import { uploadLimits } from './features/submissions/upload-limits.ts'
import { transcriptionRoutes } from './features/transcriptions/transcription.routes.ts'
import { AppError } from './lib/http/app-error.ts'
import {
  compressResponses,
  findClientBuild,
  inlineScriptsOf,
  serveClientAssets,
  serveClientPages,
} from './lib/http/client-files.ts'
import { createErrorHandler, refuseUnknownPath } from './lib/http/error-handler.ts'
import { configureEndpoints } from './lib/http/handle.ts'
import { bodyTimeout } from './lib/http/listen.ts'
import { logRequests } from './lib/http/request-log.ts'
import { measureRequests } from './lib/metrics/serve-metrics.ts'
import { createOpenApiDocument } from './lib/openapi/openapi-document.ts'
import { type FrameAncestors, securityHeaders } from './lib/security/security-headers.ts'
import type { StaleWhileRevalidate } from './lib/stale-while-revalidate.ts'
import { version } from './lib/version.ts'
import { deletionRoutes } from './maintenance/deletion/deletion.routes.ts'
import { personalDataRoutes } from './maintenance/personal-data/personal-data.routes.ts'
import { retentionRoutes } from './maintenance/retention/retention.routes.ts'
import { queueRetentionReview } from './maintenance/retention/retention-job.ts'
import { readClientFile } from './records/system/client-file.model.ts'
import { type HealthOptions, serveHealth } from './serve-health.ts'
import type { Services } from './services.ts'

interface AppOptions extends HealthOptions {
  /** Null when only the API is served. */
  clientFolder: string | null
  grading: GradingPipeline
  rubrics: RubricGenerations
  rescoring: Rescoring
  amendments: Amendments
  afterDecision: AfterDecision
  frameAncestors: StaleWhileRevalidate<FrameAncestors>
  idleBodyMs: number
}

function serveOpenApi(): RequestHandler {
  let document: string | undefined
  return (_request, response) => {
    document ??= JSON.stringify(createOpenApiDocument(contract, version, tagDescriptions))
    response.type('json').send(document)
  }
}

export function createApp(services: Services, options: AppOptions): Express {
  const { config } = services
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', config.trustProxy)
  configureEndpoints(app, {
    authenticate: createAuthenticator(services),
    uploadFolder: services.uploadFolder,
    minFreeDiskBytes: () => config.minFreeDiskBytes,
    checkReplies: !config.production && config.test,
  })

  const clientFolder = findClientBuild(options.clientFolder)
  const failed = createErrorHandler(services)
  app.use(logRequests(services.log), measureRequests(services.metrics), compressResponses())
  app.use(
    bodyTimeout<Request, Response>(options.idleBodyMs, keyByIpAddress, (request, response) =>
      failed(new AppError('request_timeout'), request, response, () => {}),
    ),
  )
  const headers = securityHeaders({
    publicUrl: config.publicUrl,
    frameAncestors: () => options.frameAncestors.current(),
    embeddablePaths: launchPaths,
    inlineScripts: clientFolder ? inlineScriptsOf(clientFolder) : [],
  })
  if (clientFolder) app.use('/assets', ...serveClientAssets(clientFolder, headers, readClientFile))
  app.use(headers)
  serveHealth(app, services, options)

  app.use('/lti', deepLinkReturnRoutes(services, options.frameAncestors))
  app.use('/lti', launchEndpointRoutes(services, options.frameAncestors))
  app.use('/lti', registrationRoutes(services))
  app.use('/lti', refuseUnknownPath)

  const api = Router()
  api.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  api.use(express.json({ limit: '1mb' }), express.urlencoded({ extended: false, limit: '16kb' }))
  api.get('/openapi.json', serveOpenApi())
  api.use(uploadLimits(services))
  const checkPassword = createPasswordCheck(services)
  authRoutes(api, services, checkPassword)
  passwordRoutes(api, services, checkPassword)
  mailedLinkRoutes(api, services)
  profileRoutes(api, services)
  personalDataRoutes(api, services, checkPassword)
  courseRoutes(api, services, {
    countAssignments,
    listAssignments: presentAssignmentsOfCourse,
    lmsNames: lmsNamesOfCourse,
    mayInvite: async (teacherId) => (await takeInvitations(teacherId, 1, services)) > 0,
    changeTimeZone: (courseId, timeZone) => changeTimeZone(courseId, timeZone, services),
  })
  joinCodeRoutes(api, services)
  retentionRoutes(api, services)
  rosterRoutes(api, services)
  lmsRosterRoutes(api, services)
  deletionRoutes(api, services)
  const assignmentHooks = createAssignmentHooks(services)
  assignmentRoutes(api, services, assignmentHooks)
  extensionRoutes(api, services, assignmentHooks)
  publishRoutes(api, services, assignmentHooks)
  rubricRoutes(api, services, options.rubrics, currentRubricUsage)
  matchRoutes(api, services)
  groupRoutes(api, services)
  ownGroupRoutes(api, services)
  submissionRoutes(api, services)
  splitPaperRoutes(api, services)
  classScanRoutes(api, services)
  photoDraftRoutes(api, services)
  transcriptionRoutes(api, services, options.rescoring.enqueue)
  penMarkRoutes(api, services)
  runRoutes(api, services, options.grading)
  gradeRoutes(api, services)
  gradeApprovalRoutes(api, services)
  scoreRulesRoutes(api, services)
  const { afterDecision } = options
  api.use(questionRoutes(services, afterDecision, options.rescoring.isCarrying))
  accuracyCheckRoutes(api, services, afterDecision)
  printRoutes(api, services)
  similarityRoutes(api, services)
  gradeHistoryRoutes(api, services)
  gradedPaperRoutes(api, services)
  gradebookRoutes(api, services)
  analyticsRoutes(api, services)
  studentRoutes(api, services)
  regradeRequestRoutes(api, services)
  regradeRoutes(api, services, options.rescoring.carryDecisions)
  amendmentRoutes(api, services, options.amendments)
  launchRoutes(api, services, createReadFirst(app))
  deepLinkRoutes(api, services)
  scoreRoutes(api, services)
  setUpRoutes(api, services)
  joinAccountRoutes(api, services, checkPassword)
  settingsRoutes(api, services, { retentionChanged: () => queueRetentionReview(services, { all: true }) })
  llmRoutes(api, services, (courseId) => retryWaitingRuns(courseId, services))
  userManagementRoutes(api, services)
  if (config.testPages) testPageRoutes(api, services)
  adminRoutes(api, services)
  platformRoutes(api, services)
  registrationLinkRoutes(api, services)
  selfTestRoutes(api, services)
  api.use(refuseUnknownPath)
  app.use('/api/v1', api)
  app.get('/api/docs', serveApiDocs())

  app.use('/l/:launchId', refusePagesOfInactive(services.log))
  if (clientFolder) app.use(serveClientPages(clientFolder, headingOfLaunch))
  app.use(refuseUnknownPath)
  app.use(failed)
  return app
}

const createAssignmentHooks = (services: Services): AssignmentHooks => ({
  countSubmissions,
  lmsNames: lmsNamesOfAssignments,
  storeSubmissions,
  deleteSubmissionRows,
  moveSubmissionsToCourse,
  recomputeLateness: async (assignment, studentId) => {
    await recomputeLateness(assignment, studentId)
    await datesChanged(assignment, services)
  },
  numberAllPapers,
  queueReminders: () => queueReminders(services),
})
