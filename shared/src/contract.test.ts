import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contract } from './contract.ts'
import { PlatformValues } from './lti/lti-platforms.ts'
import { Origin } from './rules/web-address.ts'

/** Both only normalize. */
const normalized = [Origin, PlatformValues.shape.name]

/** Schemas that change a value. */
const changing = ['transform', 'pipe', 'default', 'prefault', 'catch']

function changesIn(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  if (!(schema instanceof z.ZodType)) return Object.values(schema).flatMap((inner) => changesIn(inner, seen))
  const { type, ...parts } = schema._zod.def
  if (changing.includes(type)) return [type]
  const { shape = {}, getter }: { shape?: object; getter?: () => unknown } = parts as object
  return [...Object.values(parts), ...Object.values(shape), getter?.()].flatMap((inner) => changesIn(inner, seen))
}

describe('a reply', () => {
  // The built client takes replies unchanged (`client/build/contract-without-schemas.ts`).
  it.each(contract.map(({ name, endpoint }) => [name, endpoint] as const))(
    'is what the server sends, and nothing that its schema makes of it: %s',
    (_, { reply }) => {
      expect(changesIn(reply, new Set<unknown>(normalized))).toEqual([])
    },
  )
})
