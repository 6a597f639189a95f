import { z } from 'zod'
import type { Question, Rubric } from '../rubrics.ts'
import { EditedQuestion, EditedRubric } from './edited-rubric.ts'
import { parseJson } from './parse-json.ts'

const RUBRIC_FORMAT = 'assay-rubric/1'

/** Nothing of students, and no places: another blank has other places. */
export const RubricFile = z.object({
  format: z.literal(RUBRIC_FORMAT),
  title: z.string(),
  questions: z.array(EditedQuestion.omit({ regions: true, key_regions: true, printed_points: true })),
})
export type RubricFile = z.infer<typeof RubricFile>

export function rubricToFile(title: string, { questions }: Rubric): RubricFile {
  return {
    format: RUBRIC_FORMAT,
    title,
    questions: questions.map(({ regions: _, key_regions: __, printed_points: ___, ...question }) => question),
  }
}

export type ParsedRubricFile = { rubric: Rubric; title: string } | { problems: string[] }

const NOT_A_RUBRIC_FILE =
  'This is not a rubric file. Choose a .json file created with “Export to a file”. Nothing was changed.'

/** Questions with the current rubric's id and text keep their place on the page. */
export function parseRubricFile(text: string, present: Rubric | null): ParsedRubricFile {
  const json = parseJson(text)
  const format = z.object({ format: z.string() }).safeParse(json).data?.format
  if (!format?.startsWith('assay-rubric/')) return { problems: [NOT_A_RUBRIC_FILE] }
  if (format !== RUBRIC_FORMAT) {
    const words = `This file is in the format “${format.slice(0, 40)}”, but this version of Assay reads “${RUBRIC_FORMAT}”.`
    return { problems: [`${words} Export it again with the same version of Assay. Nothing was changed.`] }
  }
  const file = RubricFile.safeParse(json)
  if (!file.success) return { problems: issueMessages(file.error, json) }
  const places = new Map(present?.questions.map((question) => [question.id, question]))
  const questions = file.data.questions.map((question): Question => {
    const known = places.get(question.id)
    return known?.prompt === question.prompt
      ? {
          ...question,
          regions: known.regions,
          ...(known.key_regions ? { key_regions: known.key_regions } : {}),
          ...(known.printed_points === undefined ? {} : { printed_points: known.printed_points }),
        }
      : { ...question, regions: [] }
  })
  const rubric = EditedRubric.safeParse({ questions, problems: [] })
  return rubric.success
    ? { rubric: rubric.data, title: file.data.title }
    : { problems: issueMessages(rubric.error, json) }
}

const MAX_MESSAGES = 8

/** `questions.2.criteria.0.points` as “Question 3, criterion 1: …”. */
function issueMessages(error: z.ZodError, json: unknown): string[] {
  const numbers = z.object({ questions: z.array(z.object({ number: z.string() })) }).safeParse(json).data
  const messages = error.issues.map(({ path, message }) => {
    const [field, question, part, criterion] = path
    if (typeof question !== 'number')
      return field === 'questions' ? message : `“${String(field)}” in the file: ${message}`
    const name = `Question ${numbers?.questions[question]?.number ?? question + 1}`
    const where = part === 'criteria' && typeof criterion === 'number' ? `, criterion ${criterion + 1}` : ''
    return `${name}${where}: ${message}`
  })
  const more = messages.length - MAX_MESSAGES
  return more > 0 ? [...messages.slice(0, MAX_MESSAGES), `And ${more} more.`] : messages
}
