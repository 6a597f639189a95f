import { z } from 'zod'
import type { Behaviour, Settings } from '../behaviour.ts'
import type { AnswerContent, JsonSchema, ReceivedRequest } from '../received-request.ts'
import { gradeHonestly, type ReadImage } from './honest-grader.ts'
import { parseReadingPrompt } from './parse-prompt.ts'

interface ReadLine {
  page: number
  text: string
  sure: 'sure'
  y: number
}

/** Null when nothing of the kind is asked. */
function readAnswersOnPages({ texts, pictures }: ReceivedRequest, read: ReadImage): unknown {
  const { questions, pages } = parseReadingPrompt(texts)
  if (questions.length === 0) return null
  const prints = questions.map(({ id, prompt }) => ({ id, lines: prompt.split('\n').map(plain) }))
  const found = new Map<string, ReadLine[]>()
  let current: string | null = null
  for (const [i, picture] of pictures.entries()) {
    const lines = read(picture).split('\n')
    for (const [n, text] of lines.entries()) {
      const asked = prints.find((one) => one.lines.includes(plain(text)))
      if (asked) {
        current = asked.id
        found.set(current, found.get(current) ?? [])
      } else if (current && text.trim() !== '')
        found.get(current)?.push({ page: pages[i] ?? 1, text, sure: 'sure', y: (100 * (n + 1)) / (lines.length + 1) })
    }
  }
  return {
    answers: questions.map(({ id }) => {
      const lines = found.get(id)
      const state = lines === undefined ? 'not_on_these_pages' : lines.length > 0 ? 'written' : 'nothing_written'
      return { question_id: id, state, lines: lines ?? [] }
    }),
  }
}

const plain = (text: string) =>
  text
    .replace(/^\s*\d+[.)]\s*/, '')
    .replace(/\(\d+ points?\)\s*$/, '')
    .trim()

const Draft = z.array(
  z.object({
    id: z.string(),
    number: z.string(),
    prompt: z.string(),
    kind: z.string(),
    criteria: z.array(
      z.object({
        text: z.string(),
        points: z.number(),
        expected: z.string(),
        alternatives: z.array(z.string()).default([]),
        levels: z.array(z.object({ points: z.number(), text: z.string() })).default([]),
      }),
    ),
  }),
)

/** A rubric draft (`server/src/grader/rubric`) without changes; null without one. */
function completeDraft({ texts }: ReceivedRequest): unknown {
  const draft = texts.find((text) => text.startsWith('# The draft\n'))
  if (!draft) return null
  const questions = Draft.parse(JSON.parse(draft.slice(draft.indexOf('['), draft.lastIndexOf(']') + 1)))
  return { questions: questions.map((question) => ({ ...question, points_as_printed: '' })) }
}

export type Answerer = (asked: ReceivedRequest, read: ReadImage) => unknown

export function composeAnswer(
  asked: ReceivedRequest,
  behaviour: Behaviour,
  settings: Settings,
  read: ReadImage,
  answerers: readonly Answerer[],
): Pick<AnswerContent, 'text' | 'ending'> {
  const obeys = behaviour.do === 'gullible' || (behaviour.do !== 'honest' && settings.mode === 'gullible')
  const value = () => answerValue(asked, obeys, read, answerers)
  switch (behaviour.do) {
    case 'say':
      return completeAnswer(behaviour.text ?? JSON.stringify(behaviour.value))
    case 'broken_json':
      return completeAnswer(firstHalf(JSON.stringify(value())))
    case 'cut_off':
      return { text: firstHalf(JSON.stringify(value())), ending: 'cut_off' }
    case 'refuse':
      return { text: 'I cannot help with that.', ending: 'refused' }
    case 'wrong_ids':
      return completeAnswer(JSON.stringify(replaceValues(value(), { criterion_id: 'no-such-criterion' })))
    case 'out_of_range':
      return completeAnswer(JSON.stringify(replaceValues(value(), { points: 1_000, score: 1_000 })))
    case 'foreign_quotes':
      return completeAnswer(
        JSON.stringify(replaceValues(value(), { quotes: ['Words that nobody wrote on this paper, ever'] })),
      )
    case 'fenced':
      return completeAnswer(`\`\`\`json\n${JSON.stringify(value(), null, 2)}\n\`\`\``)
    default:
      return completeAnswer(JSON.stringify(value()))
  }
}

function answerValue(asked: ReceivedRequest, obeys: boolean, read: ReadImage, answerers: readonly Answerer[]): unknown {
  for (const answerer of answerers) {
    const value = answerer(asked, read)
    if (value !== undefined) return value
  }
  const graded = gradeHonestly(asked, { obeys, read })
  if (graded !== null) return graded
  const completed = completeDraft(asked)
  if (completed !== null) return completed
  const answered = readAnswersOnPages(asked, read)
  if (answered !== null) return answered
  const transcribed = transcribe(asked, read)
  if (transcribed !== null) return transcribed
  return asked.schema ? answerBySchema(asked.schema) : { answer: 'yes' }
}

function transcribe({ schema, pictures }: ReceivedRequest, read: ReadImage): unknown {
  const wanted = schema?.properties ?? {}
  if (pictures.length === 0) return null
  const text = pictures.map(read).join('\n')
  const lines = text === '' ? [] : text.split('\n')
  const strings = Object.keys(wanted).filter((name) => wanted[name]?.type === 'string')
  const filled = { ...answerBySchemaObject(schema) }
  if (wanted.text?.type === 'string') return { ...filled, text }
  if (wanted.lines?.items?.type === 'string') return { ...filled, lines }
  if (wanted.lines?.items?.properties?.text) {
    const line = answerBySchemaObject(wanted.lines.items)
    // If the schema has a vertical position in percent, the lines are spread down the page.
    const placed = lines.map((text, n) => ({
      ...line,
      text,
      ...('y' in line && { y: (100 * (n + 1)) / (lines.length + 1) }),
    }))
    return { ...filled, lines: placed }
  }
  const [only, ...others] = strings
  return only !== undefined && others.length === 0 ? { ...filled, [only]: text } : null
}

function answerBySchemaObject(schema: ReceivedRequest['schema']): object {
  const value = schema ? answerBySchema(schema) : null
  return typeof value === 'object' && value !== null ? value : {}
}

function replaceValues(value: unknown, by: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceValues(one, by))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, old]) => [key, key in by ? by[key] : replaceValues(old, by)]),
  )
}

const completeAnswer = (text: string): Pick<AnswerContent, 'text' | 'ending'> => ({ text, ending: 'whole' })
const firstHalf = (text: string) => text.slice(0, Math.ceil(text.length / 2))

/** The first choice everywhere, and lists with one entry. */
function answerBySchema(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const either = schema.anyOf?.find(({ type }) => type !== 'null')
  if (either) return answerBySchema(either)
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, of]) => [name, answerBySchema(of)]))
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => answerBySchema(schema.items ?? {}))
    case 'number':
    case 'integer':
      return schema.minimum ?? 0
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return 'yes'
  }
}
