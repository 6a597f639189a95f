import { Long, ObjectId } from 'bson'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { Doc } from '../bson-values.ts'

/** On fields a to h, deterministic by seed. */
export function randomFrom(seed: number) {
  const next = seededRandom(seed)
  const pick = <T>(from: readonly [T, ...T[]] | T[]): T => from[Math.floor(next() * from.length)] as T
  const id = (n: number) => new ObjectId(n.toString(16).padStart(24, '0'))
  const SCALARS = [
    ...[0, 1, 2, 3, -1, 2.5, -0, Number.NaN, Number.POSITIVE_INFINITY, 9007199254740992],
    ...[Long.fromString('9007199254740993'), Long.fromNumber(2)],
    ...['', 'a', 'ab', 'b', 'a\0b', 'ä', '\u{1f600}', '\uffee'],
    ...[null, true, false, new Date(0), new Date(-5), new Date(86_400_000), id(1), id(2)],
    ...[{ x: 1 }, { x: 1, y: 'a' }],
  ]
  const scalar = () => pick<unknown>(SCALARS)
  const value = (array: boolean): unknown =>
    array && next() < 0.5 ? Array.from({ length: Math.floor(next() * 4) }, scalar) : scalar()
  const small = (): unknown => pick<unknown>([1, 2, 3, 'a', 'b', null])

  function sub(array: boolean): unknown {
    const one = () => ({ ...(next() < 0.8 ? { e: small() } : {}), ...(next() < 0.8 ? { f: small() } : {}) })
    const kind = next()
    if (kind < 0.6) return one()
    if (array) return Array.from({ length: Math.floor(next() * 3) }, one)
    return small()
  }

  function doc(): Doc {
    const result: Doc = {}
    const array = pick(['a', 'b', 'd', 'none', 'none'])
    if (next() < 0.9) result.a = value(array === 'a')
    if (next() < 0.9) result.b = next() < 0.5 ? small() : value(array === 'b')
    if (next() < 0.9) result.c = scalar()
    if (next() < 0.9) result.d = sub(array === 'd')
    if (next() < 0.3) result.g = scalar()
    if (next() < 0.5) result.h = next() < 0.7
    return result
  }

  function condition(): unknown {
    const kind = next()
    if (kind < 0.4) return next() < 0.5 ? small() : scalar()
    if (kind < 0.5) return { $in: [scalar(), small(), small()] }
    if (kind < 0.75) return { [pick(['$gt', '$gte', '$lt', '$lte'])]: next() < 0.6 ? small() : scalar() }
    if (kind < 0.85) return { $gt: small(), $lte: pick<unknown>([2, 3, 'b', new Date(0)]) }
    if (kind < 0.9) return { $ne: small() }
    if (kind < 0.95) return { $exists: next() < 0.5 }
    return { $not: { $gt: small() } }
  }

  function filter(): Doc {
    const result: Doc = {}
    const fields = 1 + Math.floor(next() * 3)
    for (let i = 0; i < fields; i++) result[pick(['a', 'b', 'c', 'd.e', 'd.f', 'g', 'd'])] = condition()
    if (next() < 0.2) result.h = true
    if (next() < 0.1) result.$or = [{ a: condition() }, { b: condition() }]
    if (next() < 0.1) result.$and = [{ a: condition() }, { c: condition() }]
    return next() < 0.1 ? { $or: [{ a: condition() }, { 'd.e': condition() }] } : result
  }

  function sort(): Record<string, 1 | -1> {
    const result: Record<string, 1 | -1> = {}
    for (let i = 0; i < Math.floor(next() * 3); i++) result[pick(['a', 'b', 'c', 'd.e'])] = next() < 0.5 ? 1 : -1
    return result
  }

  return { next, pick, doc, filter, sort }
}
