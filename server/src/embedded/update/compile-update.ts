import { type Doc, isDoc } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { isArrayIndex } from '../query/paths.ts'
import { type ArrayFilters, assertAllUsed, compileArrayFilters } from './array-filters.ts'
import { applyOperator, isUpdateOperator } from './operators.ts'
import { renameTarget } from './rename.ts'
import { resolvePositional } from './update-paths.ts'

interface UpdateSpec {
  /** Operators or a whole document, with BSON types. */
  update: unknown
  filter: Doc
  arrayFilters?: unknown
}

export interface CompiledUpdate {
  isReplacement: boolean
  /** Changes the document in place, or returns another. `inserting`: an upsert creates it. */
  apply(doc: Doc, inserting: boolean): Doc
}

export function compileUpdate(spec: UpdateSpec): CompiledUpdate {
  const arrayFilters = compileArrayFilters(spec.arrayFilters)
  if (Array.isArray(spec.update)) throw notSupported('An update by a pipeline')
  if (!isDoc(spec.update)) throw new MongoError('FailedToParse', 'Update argument must be an object')
  const names = Object.keys(spec.update)
  if (!names[0]?.startsWith('$')) {
    assertAllUsed(arrayFilters, [])
    return replacement(spec.update)
  }
  return operators(operatorEntries(spec.update), arrayFilters, spec.filter)
}

interface Entry {
  name: string
  /** For `$rename`, the new path. */
  parts: string[]
  argument: unknown
}

function operators(entries: Entry[], arrayFilters: ArrayFilters, filter: Doc): CompiledUpdate {
  const changed = entries.flatMap(({ name, parts, argument }) =>
    name === '$rename' ? [String(argument).split('.'), parts] : [parts],
  )
  assertNoConflicts(changed, (path, at) => `Updating the path '${path}' would create a conflict at '${at}'`)
  assertAllUsed(
    arrayFilters,
    changed.map((parts) => parts.join('.')),
  )
  const ordered = [...entries].sort((a, b) => comparePaths(a.parts, b.parts))
  const positional = changed.some((parts) => parts.some((part) => part.startsWith('$')))
  return {
    isReplacement: false,
    apply(doc, inserting) {
      const wanted = inserting ? ordered : ordered.filter((entry) => entry.name !== '$setOnInsert')
      const context = { filter: inserting ? undefined : filter, arrayFilters }
      // All positions first: changing one element must not affect them.
      const resolved = positional ? resolveAll(wanted, (path) => resolvePositional(doc, path, context)) : wanted
      for (const { name, parts, argument } of resolved) applyOperator(name, doc, parts, argument)
      return doc
    },
  }
}

function resolveAll(entries: Entry[], resolve: (path: string) => string[][]): Entry[] {
  const resolved = entries.flatMap((entry) => resolve(entry.parts.join('.')).map((parts) => ({ ...entry, parts })))
  assertNoConflicts(
    resolved.map((entry) => entry.parts),
    (_path, at) => `Update created a conflict at '${at}'`,
  )
  return resolved.sort((a, b) => comparePaths(a.parts, b.parts))
}

function replacement(update: Doc): CompiledUpdate {
  for (const name of Object.keys(update)) {
    if (name.startsWith('$')) {
      throw new MongoError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      )
    }
  }
  return {
    isReplacement: true,
    apply(doc) {
      if ('_id' in update || !('_id' in doc)) return { ...update }
      return { _id: doc._id, ...update }
    },
  }
}

function operatorEntries(update: Doc): Entry[] {
  return Object.entries(update).flatMap(([name, fields]) => {
    if (!isUpdateOperator(name)) {
      throw notSupported(`The update operator ${name}`)
    }
    if (!isDoc(fields)) {
      throw new MongoError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeof fields} instead. For example: {$mod: {<field>: ...}} not {${name}: ${JSON.stringify(fields)}}`,
      )
    }
    return Object.entries(fields).map(([path, argument]) => {
      assertPath(path)
      if (name !== '$rename') return { name, parts: path.split('.'), argument }
      const to = renameTarget(path, argument)
      assertPath(to)
      return { name, parts: to.split('.'), argument: path }
    })
  })
}

function assertPath(path: string): void {
  if (path === '') throw new MongoError('BadValue', 'An empty update path is not valid.')
  if (path.split('.').includes('')) {
    throw new MongoError('BadValue', `The update path '${path}' contains an empty field name, which is not allowed.`)
  }
  if (path.split('.').filter((part) => part === '$').length > 1) {
    throw new MongoError('BadValue', `Too many positional (i.e. '$') elements found in path '${path}'`)
  }
}

interface Node {
  children: Map<string, Node>
  isTarget: boolean
}

/** Refuses paths within each other, and `$[]` beside named elements. */
function assertNoConflicts(paths: string[][], describe: (path: string, at: string) => string): void {
  const root: Node = { children: new Map(), isTarget: false }
  for (const parts of paths) {
    let node = root
    for (const [at, part] of parts.entries()) {
      const last = at === parts.length - 1
      const known = node.children.get(part)
      const [sibling] = node.children.keys()
      const mixed = sibling !== undefined && isArrayUpdate(sibling) !== isArrayUpdate(part)
      if (mixed) throw conflict(parts, at, describe)
      if (known && (last || known.isTarget)) throw conflict(parts, at + 1, describe)
      const next: Node = known ?? { children: new Map(), isTarget: last }
      node.children.set(part, next)
      node = next
    }
  }
}

function conflict(parts: string[], length: number, describe: (path: string, at: string) => string): MongoError {
  return new MongoError('ConflictingUpdateOperators', describe(parts.join('.'), parts.slice(0, length).join('.')))
}

function isArrayUpdate(part: string): boolean {
  return part.startsWith('$[')
}

/** MongoDB's order of changes, and so of added fields: by name, numbers by value. */
function comparePaths(a: string[], b: string[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at]
    if (right === undefined) return 1
    if (left === right) continue
    if (isArrayIndex(left) && isArrayIndex(right)) return Number(left) - Number(right)
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  }
  return a.length - b.length
}
