import { z } from 'zod'

/** As `positionUpTo` reads it. */
const numberOfText = (sent: unknown) => (typeof sent === 'string' && /^[1-9]\d{0,14}$/.test(sent) ? Number(sent) : sent)
const PathId = z.preprocess(numberOfText, z.number().int().positive())

/** A rubric's own; all other ids are numbers. */
const QuestionId = z.string().min(1).max(100)

/** A browser checks none (`no-path-ids.ts`). */
export function idsIn(path: string): z.ZodType | undefined {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const schemas = names.map((name) => [name, name === 'questionId' ? QuestionId : PathId])
  return names.length > 0 ? z.object(Object.fromEntries(schemas)) : undefined
}
