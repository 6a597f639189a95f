import { z } from 'zod'

/** Control characters, marks that turn the direction of reading, halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is being refused
const INVISIBLE_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff]|\p{Cs}/u

/** For text from others; what is typed here is refused instead. */
export const visibleText = (text: string) => text.normalize('NFC').replace(new RegExp(INVISIBLE_CHARACTERS, 'gu'), ' ')

/** Trimmed, NFC, without invisible characters. */
export function lineOfText(what: string, max: number) {
  return z
    .string({ error: `${what} is required` })
    .transform((text) => text.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .max(max, `${what} must not exceed ${max} characters`)
        .refine((text) => !INVISIBLE_CHARACTERS.test(text), `${what} contains invisible characters`),
    )
}

/** Can be read out and typed again, in any script. */
export const Username = z
  .string({ error: 'Username is required' })
  .transform((name) => name.normalize('NFKC').trim())
  .pipe(
    z
      .string()
      .min(1, 'Username is required')
      .min(3, 'Username must be at least 3 characters')
      .max(64, 'Username must not exceed 64 characters')
      .regex(
        /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u,
        'Username may contain letters, digits, dots, dashes and underscores',
      ),
  )
