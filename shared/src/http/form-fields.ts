import { z } from 'zod'
import { PlannedTime } from '../rules/dates.ts'
import { Id } from './ids.ts'

/** A checkbox of a multipart form, where everything arrives as text. */
export const FormFlag = z
  .union([z.boolean(), z.string()])
  .transform((value) => value === true || value === 'true' || value === '1' || value === 'on')

/** A repeated field: one file's flag arrives as one text, several as a list. */
export const FormFlags = z.union([FormFlag.transform((flag) => [flag]), z.array(FormFlag)]).default([])

export const OptionalFormId = z.union([z.literal('').transform(() => undefined), Id]).optional()

export const OptionalFormTime = z.union([z.literal('').transform(() => undefined), PlannedTime]).optional()
