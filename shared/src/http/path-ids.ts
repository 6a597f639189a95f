import { z } from 'zod'
import { Id } from './ids.ts'

/** The schema of a path's parameters, where they are ids. A browser checks none (`no-path-ids.ts`). */
export function idsIn(path: string): z.ZodType | undefined {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  return names.length > 0 ? z.object(Object.fromEntries(names.map((name) => [name, Id]))) : undefined
}
