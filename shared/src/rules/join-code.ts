import { z } from 'zod'

/** No 0 and O, 1, I and L, 5 and S, U and V, which look alike on a board. */
export const JOIN_CODE_ALPHABET = 'ABCDEFGHJKMNPQRTWXYZ2346789'
export const JOIN_CODE_LENGTH = 8
const SHAPE = new RegExp(`^[${JOIN_CODE_ALPHABET}]{${JOIN_CODE_LENGTH}}$`)

/** In any case, with or without the dash. */
export const JoinCode = z
  .string({ error: 'Enter the course code your instructor gave you.' })
  .transform((text) => text.toUpperCase().replace(/[\s\p{Pd}]/gu, ''))
  .pipe(
    z
      .string()
      .min(1, 'Enter the course code your instructor gave you.')
      .regex(SHAPE, 'A course code has 8 letters and digits, such as K7QM-3XPB.'),
  )

export const formatJoinCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`
