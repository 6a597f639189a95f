import { visibleText } from '@assay/shared/rules/text.ts'
import { z } from 'zod'

/** An invalid value counts as left out. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

/** Longer texts would take seconds. */
const MAX_RAW_LENGTH = 10_000

/** One line, without invisible or direction characters, cut to `max`; null when empty. */
export const SingleLineFromLms = (max: number) =>
  z.string().transform((text) => {
    const line = visibleText(text.slice(0, MAX_RAW_LENGTH)).replace(/\s+/g, ' ').trim()
    return [...line].slice(0, max).join('').trim() || null
  })

/** A mail to `a@x, b@y` would go to two, and people may edit their address. */
const EmailFromLms = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/)

/** Of a launch or a roster; OpenID Connect Core, 5.1. */
export const nameClaims = {
  name: optional(SingleLineFromLms(200)),
  given_name: optional(SingleLineFromLms(100)),
  family_name: optional(SingleLineFromLms(100)),
  email: optional(EmailFromLms),
}

type Names = Record<'name' | 'given_name' | 'family_name', string | null | undefined>
export const fullNameOf = ({ name, given_name, family_name }: Partial<Names>): string | null =>
  name ?? ([given_name, family_name].filter(Boolean).join(' ') || null)

/** Requests with our token go there. */
export const WebUrl = z.url({ protocol: /^https?$/ }).max(2000)
