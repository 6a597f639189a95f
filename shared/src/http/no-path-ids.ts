import type { z } from 'zod'

export const idsIn = (_: string): z.ZodType | undefined => undefined
