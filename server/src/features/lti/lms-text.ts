import { visibleText } from '@assay/shared/rules/text.ts'
import { z } from 'zod'

/** What is looked at of a text: one of megabytes takes seconds. */
const MAX_RAW_LENGTH = 10_000

/**
 * A name or title as somebody typed it into an LMS: on one line, without what cannot be seen or turns the reading around, cut to
 * `max` characters. What is left empty is null.
 */
export const SingleLineFromLms = (max: number) =>
  z.string().transform((text) => {
    const line = visibleText(text.slice(0, MAX_RAW_LENGTH)).replace(/\s+/g, ' ').trim()
    return [...line].slice(0, max).join('').trim() || null
  })

/** One address and nothing else: people may edit theirs in an LMS, and a mail to `a@x, b@y` goes to two. */
export const EmailFromLms = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/)
