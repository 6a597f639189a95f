import type { Box, Line } from '@assay/shared/papers.ts'
import {
  type CurrentRubric,
  checkRubric,
  exportRubric,
  generateRubric,
  getAssignmentPaper,
  getPaperText,
  getRubric,
  getRubricVersion,
  listRubricVersions,
  type RubricGeneration,
  type RubricVersion,
  restoreRubricVersion,
  saveRubric,
  stopRubricGeneration,
} from '@assay/shared/rubric-endpoints.ts'
import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { rubricToFile } from '@assay/shared/rules/rubric-file.ts'
import type { Router } from 'express'
import { joinWords, linesInBox } from '../../grader/layout/words-in-box.ts'
import { answerInBox } from '../../grader/rubric/key/answer-in-box.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { handle, RawReply } from '../../lib/http/handle.ts'
import { sendStoredPdf } from '../../lib/http/send-pdf.ts'
import { only } from '../../lib/only.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type RubricGenerationDoc, RubricGenerationModel } from '../../records/assignments/rubric-version.model.ts'
import type { Services } from '../../services.ts'
import { requireAssignment, requireAssignmentFor } from '../assignments/assignment.service.ts'
import { namesById } from '../users/user.service.ts'
import { RubricUnavailableError, readBlankOrKey } from './assignment-rubric.ts'
import { confirmRubric, editRubric, type RubricUsage, restoreVersion } from './edit-rubric.ts'
import { outdatedVersions } from './outdated-grades.ts'
import { listVersions, openStoredRubric, requireVersion, rubricOrigin, type VersionHead } from './rubric.service.ts'
import { type RubricGenerations, stopGeneration } from './rubric-generation-jobs.ts'

export function rubricRoutes(router: Router, services: Services, generations: RubricGenerations, usage: RubricUsage) {
  const { clock, files } = services

  handle(router, getRubric, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentRubric(assignment, services, usage)
  })

  handle(router, saveRubric, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentRubric(await editRubric(assignment, body, actor, clock.now(), usage), services, usage)
  })

  handle(router, listRubricVersions, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentVersions(await listVersions(assignment))
  })

  handle(router, getRubricVersion, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const version = await requireVersion(assignment, params.version)
    return { ...only(await presentVersions([version])), rubric: openStoredRubric(version.rubric) }
  })

  handle(router, restoreRubricVersion, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const version = await requireVersion(assignment, params.version)
    const restored = await restoreVersion(assignment, version, body.version, actor, clock.now(), usage)
    return presentRubric(restored, services, usage)
  })

  handle(router, generateRubric, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    await generations.start(assignment, body, actor)
    return presentRubric(await requireAssignment(params.assignmentId), services, usage)
  })

  handle(router, stopRubricGeneration, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    await stopGeneration(assignment._id, services)
    return presentRubric(await requireAssignment(params.assignmentId), services, usage)
  })

  handle(router, exportRubric, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    if (!assignment.rubric) throw notFound('There is no rubric yet. Create one first.')
    return rubricToFile(assignment.title, assignment.rubric)
  })

  handle(router, checkRubric, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentRubric(await confirmRubric(assignment, body, actor, clock.now()), services, usage)
  })

  handle(router, getPaperText, async ({ params, query, actor, signal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const { page, ...box } = query
    return { text: await readTextInBox(assignment, params.which, { page, box }, services, signal) }
  })

  handle(router, getAssignmentPaper, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return new RawReply((response) => sendStoredPdf(assignment[params.which], files, response.req, response))
  })
}

async function presentVersions(versions: VersionHead[]): Promise<RubricVersion[]> {
  const people = await namesById(versions.flatMap(({ made }) => made.user_id ?? []))
  return versions.map(({ version, rubric, made }) => ({
    version,
    made_by: made.by,
    made_by_name: people.get(made.user_id ?? 0) ?? made.name,
    note: made.note,
    questions: rubric.questions.length,
    points: totalPoints(rubric),
    made_at: made.at.toISOString(),
  }))
}

const presentGeneration = ({ by, state, message }: RubricGenerationDoc): RubricGeneration => ({
  by,
  state: state === 'failed' ? 'failed' : 'running',
  message,
})

export async function presentRubric(
  assignment: AssignmentDoc,
  { llm }: Services,
  { isGrading, countGrades, countPagesRead }: RubricUsage,
): Promise<CurrentRubric> {
  const { _id: assignment_id, rubric, rubric_version: version } = assignment
  const check = assignment.rubric_check ?? null
  const [held, { graded, outdated }, [made], generation, people, model, blank_pages] = await Promise.all([
    isGrading(assignment),
    outdatedVersions(assignment).then((versions) => countGrades(assignment_id, [...versions.keys()])),
    presentVersions(rubric ? [{ version, rubric, made: rubricOrigin(assignment) }] : []),
    RubricGenerationModel.findById(assignment_id).lean(),
    namesById(check ? [check.user_id] : []),
    llm.chosenFor(assignment.course_id),
    countPagesRead(assignment.blank.hash),
  ])
  return {
    rubric: rubric && openStoredRubric(rubric),
    version,
    made: made ?? null,
    graded,
    outdated,
    held,
    generation: generation && presentGeneration(generation),
    checked: check && { by_name: people.get(check.user_id) ?? '', at: check.at.toISOString() },
    blank_pages,
    model: model?.name ?? null,
  }
}

/** Of the key only what the blank does not print. */
async function readTextInBox(
  assignment: AssignmentDoc,
  which: 'blank' | 'key',
  { page, box }: { page: number; box: Box },
  services: Services,
  signal: AbortSignal,
): Promise<string> {
  const read = async (paper: 'blank' | 'key') => (await readBlankOrKey(paper, assignment, services, signal, null)).paper
  try {
    const blank = await read('blank')
    if (which === 'key') return answerInBox(blank, await read('key'), page, box)
    return textInBox(blank.pages.find(({ number }) => number === page)?.lines ?? [], box)
  } catch (error) {
    if (!(error instanceof RubricUnavailableError)) throw error
    throw new AppError('bad_request', error.message, { cause: error })
  }
}

export const textInBox = (lines: readonly Line[], box: Box): string =>
  linesInBox(lines, box)
    .map(({ words }) => joinWords(words.filter(({ inside }) => inside)))
    .join('\n')
