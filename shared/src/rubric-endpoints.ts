import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { Rubric } from './rubrics.ts'
import { EditedRubric } from './rules/edited-rubric.ts'
import { RubricFile } from './rules/rubric-file.ts'

export const RubricSource = z.enum(['user', 'rules', 'model', 'copy'])
export type RubricSource = z.infer<typeof RubricSource>

export const RubricVersion = z.object({
  version: z.number().int(),
  made_by: RubricSource,
  made_by_name: z.string().nullable(),
  note: z.string(),
  questions: z.number().int(),
  points: z.number(),
  made_at: Timestamp,
})
export type RubricVersion = z.infer<typeof RubricVersion>

export const RubricGeneration = z.object({
  by: z.enum(['rules', 'model']),
  state: z.enum(['running', 'failed']),
  message: z.string(),
})
export type RubricGeneration = z.infer<typeof RubricGeneration>

/** Counts are papers. */
export const CurrentRubric = z.object({
  /** Null until it is made: by hand, from the blank and the key, or by the first run. */
  rubric: Rubric.nullable(),
  version: z.number().int(),
  made: RubricVersion.nullable(),
  graded: z.number().int(),
  /** Graded by an earlier version that judges a question otherwise. */
  outdated: z.number().int(),
  /** Papers are being graded by it: it cannot be changed. */
  held: z.boolean(),
  generation: RubricGeneration.nullable(),
  blank_pages: z.number().int().nullable(),
  model: z.string().nullable(),
  checked: z.object({ by_name: z.string(), at: Timestamp }).nullable(),
})
export type CurrentRubric = z.infer<typeof CurrentRubric>

const assignmentId = z.object({ assignmentId: Id })
/** Another version meanwhile is a conflict. 0: there was none. */
const madeOn = z.number().int().min(0)
const note = z.string().trim().max(500, 'A note must not exceed 500 characters').default('')

export const getRubric = defineEndpoint('get', '/assignments/:assignmentId/rubric', {
  summary: 'The rubric: questions, criteria, points, expected answers',
  reply: CurrentRubric,
})

export const saveRubric = defineEndpoint('put', '/assignments/:assignmentId/rubric', {
  summary: 'Replace the rubric; it must be based on the current version',
  body: z.object({ version: madeOn, rubric: EditedRubric, note }),
  reply: CurrentRubric,
})

export const listRubricVersions = defineEndpoint('get', '/assignments/:assignmentId/rubric/versions', {
  summary: 'All versions of a rubric, newest first',
  reply: z.array(RubricVersion),
})

const versionPath = '/assignments/:assignmentId/rubric/versions/:version'

export const getRubricVersion = defineEndpoint('get', versionPath, {
  summary: 'One version of a rubric',
  reply: RubricVersion.extend({ rubric: Rubric }),
})

export const restoreRubricVersion = defineEndpoint('post', `${versionPath}/restore`, {
  summary: 'Restore an earlier version as a new one',
  body: z.object({ version: madeOn }),
  reply: CurrentRubric,
})

export const exportRubric = defineEndpoint('get', '/assignments/:assignmentId/rubric/export', {
  summary: 'Export the rubric as a file for import into another assignment; it has no student data',
  reply: RubricFile,
})

export const generateRubric = defineEndpoint('post', '/assignments/:assignmentId/rubric/generate', {
  summary: 'Create the rubric from the blank and the key; its progress is in the rubric',
  status: 202,
  body: z.object({ by: z.enum(['rules', 'model']), replace: z.boolean().default(false) }),
  reply: CurrentRubric,
})

export const stopRubricGeneration = defineEndpoint('post', '/assignments/:assignmentId/rubric/generate/stop', {
  summary: 'Stop creating the rubric; the current one does not change. Idempotent',
  reply: CurrentRubric,
})

export const checkRubric = defineEndpoint('post', '/assignments/:assignmentId/rubric/check', {
  summary: 'Confirm the rubric as it stands, or take the confirmation back',
  body: z.object({ version: madeOn, checked: z.boolean() }),
  reply: CurrentRubric,
})

const ofPaper = assignmentId.extend({ which: z.enum(['blank', 'key']) })

export const getPaperText = defineEndpoint('get', '/assignments/:assignmentId/papers/:which/text', {
  summary:
    'The words inside a rectangle of the blank assignment, line by line, or of the answer key, without what the blank prints too',
  params: ofPaper,
  query: z.object({
    page: z.coerce.number().int().positive(),
    x: z.coerce.number(),
    y: z.coerce.number(),
    width: z.coerce.number().positive(),
    height: z.coerce.number().positive(),
  }),
  reply: z.object({ text: z.string() }),
})

export const getAssignmentPaper = defineEndpoint('get', '/assignments/:assignmentId/papers/:which.pdf', {
  summary: 'The PDF of the blank or the answer key; supports range requests',
  params: ofPaper,
  reply: z.string(),
  raw: 'application/pdf',
})
