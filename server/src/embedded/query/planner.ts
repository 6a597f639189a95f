import { type Doc, isDoc, TypeOrder, toNumber, typeOrderOf } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import type { Collection, IndexInfo } from '../storage/collection.ts'
import type { Direction } from '../storage/index-keys.ts'
import { afterPrefix, KeyWriter } from '../storage/key-encoding.ts'
import { type Constraint, type Constraints, constraintsOf, type Range } from './constraints.ts'
import { compileFilter, isOperatorDoc } from './matcher.ts'

export interface SortField {
  path: string
  direction: Direction
}

/** `high` is exclusive; without it the range is open. */
export interface KeyRange {
  low: Buffer
  high: Buffer | undefined
}

export interface IndexPlan {
  index: IndexInfo
  ranges: KeyRange[]
  exact: boolean
  repeats: boolean
  sorted: 'forward' | 'backward' | undefined
}

const MAX_RANGES = 2000
const writer = new KeyWriter()

export function parseSort(sort: unknown): SortField[] {
  if (sort === undefined || sort === null) return []
  if (!isDoc(sort)) throw new MongoError('TypeMismatch', "BSON field 'sort' is the wrong type, expected type 'object'")
  return Object.entries(sort).map(([path, given]) => {
    if (path.startsWith('$')) throw notSupported(`Sorting by ${path}`)
    const direction = toNumber(given)
    if (direction !== 1 && direction !== -1) {
      throw new MongoError('BadValue', `Illegal key in $sort specification: ${path}: must be 1 or -1`)
    }
    return { path, direction }
  })
}

export function planQuery(collection: Collection, filter: Doc, sort: SortField[], limited: boolean) {
  const constraints = constraintsOf(filter)
  let best: IndexPlan | undefined
  let bestScore = 0
  for (const index of collection.indexes) {
    const candidate = planWith(index, constraints, sort)
    if (!candidate) continue
    const score = scoreOf(candidate, sort, limited)
    if (score > bestScore) [best, bestScore] = [candidate.plan, score]
  }
  return best
}

interface Candidate {
  plan: IndexPlan
  equalities: number
  ranged: boolean
}

function scoreOf({ plan, equalities, ranged }: Candidate, sort: SortField[], limited: boolean): number {
  const bounds = equalities * 10 + (ranged ? 5 : 0) + (plan.index.unique && plan.exact && !ranged ? 3 : 0)
  if (sort.length === 0 || !plan.sorted) return bounds
  // Without bounds a scan in key order pays only when it may stop early.
  return bounds > 0 ? bounds + 7 : limited ? 1 : 0
}

function planWith(index: IndexInfo, constraints: Constraints, sort: SortField[]): Candidate | undefined {
  if (index.partial && !implies(constraints, index.partial)) return undefined
  let prefixes: Buffer[] = [Buffer.alloc(0)]
  let ranges: KeyRange[] | undefined
  const arrayRoots = new Set<string>()
  let exact = true
  let at = 0
  for (; at < index.fields.length && !ranges; at++) {
    const field = index.fields[at]
    const constraint = field && constraints.byPath.get(field.path)
    if (!field || !constraint) break
    const array = index.arrayFields.includes(at)
    const root = field.path.split('.')[0] ?? ''
    // Entries of two fields under one array come from one element, but a filter may match two.
    if (array && arrayRoots.has(root)) break
    if (array) arrayRoots.add(root)
    if (constraint.values) {
      if (prefixes.length * constraint.values.length > MAX_RANGES) break
      prefixes = extended(prefixes, constraint.values, field.direction)
    } else if (constraint.range) {
      const range = array ? oneSided(constraint.range) : constraint.range
      if (range !== constraint.range) exact = false
      ranges = prefixes.map((prefix) => rangeAfter(prefix, range, field.direction))
    }
  }
  const equalities = ranges ? at - 1 : at
  if (index.sparse && !rulesOutMissing(index, constraints)) return undefined
  const used = new Set(index.fields.slice(0, at).map((field) => field.path))
  const allUsed = [...constraints.byPath].every(([path]) => used.has(path))
  const plan: IndexPlan = {
    index,
    ranges: ranges ?? prefixes.map((prefix) => ({ low: prefix, high: afterPrefix(prefix) })),
    exact: exact && allUsed && !constraints.more,
    repeats: index.arrayFields.length > 0,
    sorted: prefixes.length === 1 ? walkFor(index, equalities, sort) : undefined,
  }
  return { plan, equalities, ranged: ranges !== undefined }
}

/** In an array one element may satisfy the lower bound and another the upper. */
function oneSided(range: Range): Range {
  return range.low && range.high ? { order: range.order, low: range.low } : range
}

function extended(prefixes: Buffer[], values: unknown[], direction: Direction): Buffer[] {
  const found = new Map<string, Buffer>()
  for (const prefix of prefixes) {
    for (const value of values) {
      const key = encoded(prefix, value, direction)
      found.set(key.toString('latin1'), key)
    }
  }
  return [...found.values()].sort(Buffer.compare)
}

function encoded(prefix: Buffer, value: unknown, direction: Direction): Buffer {
  return Buffer.concat([prefix, writer.reset().add(value, direction).finish()])
}

function rangeAfter(prefix: Buffer, range: Range, direction: Direction): KeyRange {
  const [start, end] = direction === 1 ? [range.low, range.high] : [range.high, range.low]
  const [first, last] = typeEdges(range.order, direction)
  const low = start && encoded(prefix, start.value, direction)
  const high = end && encoded(prefix, end.value, direction)
  return {
    low: !low || !start ? Buffer.concat([prefix, first]) : start.inclusive ? low : (afterPrefix(low) ?? low),
    high: !high || !end ? Buffer.concat([prefix, last]) : end.inclusive ? afterPrefix(high) : high,
  }
}

/** Without NaN, which satisfies no range. */
function typeEdges(order: number, direction: Direction): [Buffer, Buffer] {
  const first =
    order === TypeOrder.number ? Buffer.from([order, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]) : Buffer.from([order])
  if (direction === 1) return [first, Buffer.from([order + 1])]
  const last = order === TypeOrder.number ? Buffer.from(first.map((byte) => ~byte)) : Buffer.from([(~order & 0xff) + 1])
  return [Buffer.from([~order & 0xff]), last]
}

function walkFor(index: IndexInfo, equalities: number, sort: SortField[]): IndexPlan['sorted'] {
  const fixed = new Set(index.fields.slice(0, equalities).map((field) => field.path))
  const wanted = sort.filter((field) => !fixed.has(field.path))
  if (index.arrayFields.length > 0) return undefined
  let flip: number | undefined
  for (const [offset, field] of wanted.entries()) {
    const indexed = index.fields[equalities + offset]
    if (indexed?.path !== field.path) return undefined
    const turned = indexed.direction * field.direction
    flip ??= turned
    if (turned !== flip) return undefined
  }
  return flip === -1 ? 'backward' : 'forward'
}

function rulesOutMissing(index: IndexInfo, constraints: Constraints): boolean {
  return index.fields.some(({ path }) => {
    const constraint = constraints.byPath.get(path)
    if (constraint?.values) return constraint.values.every((value) => typeOrderOf(value) !== TypeOrder.null)
    return constraint?.range !== undefined
  })
}

function implies(constraints: Constraints, partial: Doc): boolean {
  return Object.entries(partial).every(([path, operand]) => {
    const constraint: Constraint | undefined = constraints.byPath.get(path)
    if (path.startsWith('$') || !constraint?.values) return false
    const test = compileFilter({ value: isOperatorDoc(operand) ? operand : { $eq: operand } })
    return constraint.values.every((value) => test({ value }))
  })
}
