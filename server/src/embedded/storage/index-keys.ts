import { type Doc, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileFilter, type Predicate } from '../query/matcher.ts'
import { isArrayIndex, splitPath } from '../query/paths.ts'
import { EMPTY_ARRAY, KeyWriter } from './key-encoding.ts'

export type Direction = 1 | -1

export interface IndexShape {
  fields: { path: string; direction: Direction }[]
  sparse: boolean
  partial: Doc | undefined
}

export interface IndexKeys {
  keys: Buffer[]
  arrayFields: number[]
}

const writer = new KeyWriter()
export type KeyMaker = (doc: Doc) => IndexKeys

export function keyMaker(shape: IndexShape): KeyMaker {
  const paths = shape.fields.map((field) => splitPath(field.path))
  const included: Predicate = shape.partial ? compileFilter(shape.partial) : () => true
  return (doc) => {
    if (!included(doc)) return { keys: [], arrayFields: [] }
    const perField = paths.map((parts) => collectValues(doc, parts))
    if (shape.sparse && perField.every(({ values }) => values.every((v) => v === undefined))) {
      return { keys: [], arrayFields: [] }
    }
    const arrayFields = perField.flatMap(({ sawArray }, at) => (sawArray ? [at] : []))
    return {
      keys: arrayFields.length === 0 ? [singleKey(shape, perField)] : manyKeys(shape, paths, perField, doc),
      arrayFields,
    }
  }
}

interface FieldValues {
  values: unknown[]
  sawArray: boolean
}

function singleKey(shape: IndexShape, perField: FieldValues[]): Buffer {
  writer.reset()
  for (const [at, field] of shape.fields.entries()) writer.add(perField[at]?.values[0], field.direction)
  return writer.finish()
}

/** Two arrays in one index are refused, as combinations multiply. */
function manyKeys(shape: IndexShape, paths: string[][], perField: FieldValues[], doc: Doc): Buffer[] {
  const arrayPaths = new Set(paths.flatMap((parts, at) => (perField[at]?.sawArray ? [firstArray(doc, parts)] : [])))
  if (arrayPaths.size > 1) {
    const names = [...arrayPaths].map((path) => `[${path}]`).join(' ')
    throw new MongoError('CannotIndexParallelArrays', `cannot index parallel arrays ${names}`)
  }
  const [arrayPath] = arrayPaths
  const array = arrayPath === undefined ? undefined : plainValue(doc, splitPath(arrayPath))
  const elements = Array.isArray(array) && array.length > 0 ? array : [EMPTY_ARRAY]
  const found = new Map<string, Buffer>()
  for (const element of elements) {
    const values = paths.map((parts, at) => {
      const field = perField[at]
      if (!field?.sawArray) return [field?.values[0]]
      return elementValues(element, parts.slice(splitPath(arrayPath ?? '').length), field)
    })
    for (const combination of combinations(values)) {
      writer.reset()
      for (const [at, field] of shape.fields.entries()) writer.add(combination[at], field.direction)
      const key = writer.finish()
      found.set(key.toString('latin1'), key)
    }
  }
  return [...found.values()]
}

function elementValues(element: unknown, rest: string[], field: FieldValues): unknown[] {
  if (element === EMPTY_ARRAY) return [rest.length === 0 ? EMPTY_ARRAY : undefined]
  if (rest.length === 0) return [element]
  // A path with an element's number was collected as a whole.
  if (isArrayIndex(rest[0] ?? '')) return field.values
  return isDoc(element) ? collectValues(element, rest).values : [undefined]
}

function combinations(values: unknown[][]): unknown[][] {
  return values.reduce<unknown[][]>((rows, options) => rows.flatMap((row) => options.map((o) => [...row, o])), [[]])
}

function firstArray(doc: Doc, parts: string[]): string {
  let value: unknown = doc
  for (const [at, part] of parts.entries()) {
    value = isDoc(value) ? value[part] : undefined
    if (Array.isArray(value)) return parts.slice(0, at + 1).join('.')
  }
  return parts.join('.')
}

function plainValue(doc: Doc, parts: string[]): unknown {
  return parts.reduce<unknown>((value, part) => (isDoc(value) ? value[part] : undefined), doc)
}

/** An array at the end is expanded once. At least one value; a missing one is undefined. */
function collectValues(doc: Doc, parts: string[]): FieldValues {
  const result: FieldValues = { values: [], sawArray: false }
  collect(doc, parts, 0, result)
  return result
}

function collect(value: unknown, parts: string[], from: number, result: FieldValues): void {
  const part = parts[from]
  if (part === undefined) addLeaf(value, result)
  else if (isDoc(value)) collect(Object.hasOwn(value, part) ? value[part] : undefined, parts, from + 1, result)
  else if (Array.isArray(value)) collectFromArray(value, parts, from, result)
  else result.values.push(undefined)
}

function addLeaf(value: unknown, result: FieldValues): void {
  if (!Array.isArray(value)) {
    result.values.push(value)
    return
  }
  result.sawArray = true
  if (value.length === 0) result.values.push(EMPTY_ARRAY)
  else for (const item of value) result.values.push(item)
}

function collectFromArray(array: unknown[], parts: string[], from: number, result: FieldValues): void {
  result.sawArray = true
  const part = parts[from] ?? ''
  if (isArrayIndex(part) && Number(part) < array.length) {
    collect(array[Number(part)], parts, from + 1, result)
    return
  }
  if (array.length === 0) result.values.push(undefined)
  for (const item of array) {
    if (isDoc(item)) collect(item, parts, from, result)
    else result.values.push(undefined)
  }
}

/** An array sorts by its smallest element when ascending, by its largest when descending. */
export function sortKeyMaker(fields: { path: string; direction: Direction }[]): (doc: Doc) => Buffer {
  const prepared = fields.map(({ path, direction }) => ({ parts: splitPath(path), direction }))
  const own = new KeyWriter()
  return (doc) => {
    own.reset()
    for (const { parts, direction } of prepared) {
      const { values } = collectValues(doc, parts)
      own.add(values.length === 1 ? values[0] : extreme(values, direction), direction)
    }
    return own.finish()
  }
}

const single = new KeyWriter()

function extreme(values: unknown[], direction: Direction): unknown {
  let best: unknown
  let bestKey: Buffer | undefined
  for (const value of values) {
    const key = single.reset().add(value, direction).finish()
    if (!bestKey || Buffer.compare(key, bestKey) < 0) [best, bestKey] = [value, key]
  }
  return best
}
