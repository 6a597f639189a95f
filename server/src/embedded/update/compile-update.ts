import { type Doc, decode, encode, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { aggregation } from '../query/expression.ts'
import { compileFilter } from '../query/matcher.ts'
import { applyOperator, isUpdateOperator } from './operators.ts'
import { type PathContext, resolvePositional } from './update-paths.ts'

interface UpdateSpec {
  /** Operators, a whole document, or a pipeline, with BSON types. */
  update: unknown
  filter: Doc
  arrayFilters?: unknown
  variables?: Doc
}

export interface CompiledUpdate {
  isReplacement: boolean
  /** Changes the document in place, or returns another. `inserting` is set when an upsert creates the document. */
  apply(doc: Doc, inserting: boolean): Doc
}

const PIPELINE_STAGES = new Set(['$set', '$addFields', '$unset', '$project', '$replaceWith', '$replaceRoot'])

/** Validates and compiles an update for any number of documents. */
export function compileUpdate(spec: UpdateSpec): CompiledUpdate {
  if (Array.isArray(spec.update)) return compilePipeline(spec.update, spec.variables)
  if (!isDoc(spec.update)) throw new MongoError('FailedToParse', 'Update argument must be either an object or an array')
  const names = Object.keys(spec.update)
  if (!names[0]?.startsWith('$')) return replacement(spec.update)
  const entries = operatorEntries(spec.update)
  assertNoConflicts(entries.map((entry) => entry.path))
  const context: PathContext = { filter: spec.filter, arrayFilters: compileArrayFilters(spec.arrayFilters) }
  return {
    isReplacement: false,
    apply(doc, inserting) {
      for (const { name, path, argument } of entries) {
        if (name === '$setOnInsert' && !inserting) continue
        for (const parts of resolvePositional(doc, path, context)) applyOperator(name, doc, parts, argument)
      }
      return doc
    },
  }
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

function operatorEntries(update: Doc): { name: string; path: string; argument: unknown }[] {
  return Object.entries(update).flatMap(([name, fields]) => {
    if (!isUpdateOperator(name)) {
      throw new MongoError(
        'FailedToParse',
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      )
    }
    if (!isDoc(fields)) {
      throw new MongoError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeof fields} instead. For example: {$mod: {<field>: ...}} not {${name}: ${JSON.stringify(fields)}}`,
      )
    }
    return Object.entries(fields).map(([path, argument]) => {
      assertPath(path)
      return { name, path, argument }
    })
  })
}

function assertPath(path: string): void {
  if (path === '') throw new MongoError('BadValue', 'An empty update path is not valid.')
  if (path.split('.').includes('')) {
    throw new MongoError('BadValue', `The update path '${path}' contains an empty field name, which is not allowed.`)
  }
}

function assertNoConflicts(paths: string[]): void {
  const sorted = [...paths].sort()
  for (const [i, path] of sorted.entries()) {
    for (let j = i + 1; j < sorted.length && (sorted[j] ?? '').startsWith(path); j++) {
      const other = sorted[j] ?? ''
      if (other === path || other.startsWith(`${path}.`)) {
        throw new MongoError(
          'ConflictingUpdateOperators',
          `Updating the path '${other}' would create a conflict at '${path}'`,
        )
      }
    }
  }
}

function compileArrayFilters(given: unknown): PathContext['arrayFilters'] {
  const filters: PathContext['arrayFilters'] = new Map()
  if (given === undefined) return filters
  if (!Array.isArray(given)) throw new MongoError('TypeMismatch', 'arrayFilters must be an array')
  for (const filter of given) {
    if (!isDoc(filter)) continue
    const name = firstName(filter)
    if (name === undefined || filters.has(name)) {
      throw new MongoError(
        'FailedToParse',
        name === undefined
          ? 'Cannot use an expression without a top-level field name in arrayFilters'
          : `Found multiple array filters with the same top-level field name ${name}`,
      )
    }
    const test = compileFilter(filter)
    filters.set(name, (element) => test({ [name]: element }))
  }
  return filters
}

/** The identifier of an array filter, also inside `$and` or `$or`. */
function firstName(filter: Doc): string | undefined {
  for (const [key, value] of Object.entries(filter)) {
    if (!key.startsWith('$')) return key.split('.')[0]
    if (Array.isArray(value) && isDoc(value[0])) return firstName(value[0])
  }
  return undefined
}

/** A pipeline computes with JavaScript numbers, so integral Doubles become ints, as with any JavaScript client. */
function compilePipeline(stages: unknown[], variables: Doc | undefined): CompiledUpdate {
  const checked = stages.map((stage) => {
    const name = isDoc(stage) ? Object.keys(stage)[0] : undefined
    if (!isDoc(stage) || name === undefined || !PIPELINE_STAGES.has(name)) {
      throw new MongoError('InvalidOptions', `${name ?? 'stage'} is not allowed to be used within an update`)
    }
    return stage
  })
  const plain = checked.map((stage) => decode(encode(stage)))
  return {
    isReplacement: false,
    apply(doc) {
      let result = decode(encode(doc))
      const { _id } = doc
      for (const stage of plain) result = aggregation().runMingoStage([result], stage, variables)[0] ?? {}
      return _id === undefined || '_id' in result ? result : { _id, ...result }
    },
  }
}
