import { type Doc, decode, encode, isDoc } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { MongoError } from '../mongo-error.ts'
import { ExternalSort } from '../storage/external-sort.ts'
import { type Accumulator, incrementalAccumulator } from './accumulators.ts'
import { hasInexact } from './exact-operators.ts'
import { fieldExpression } from './field-expression.ts'
import { identityKey } from './identity-key.ts'
import { memorySizeOf } from './memory-size.ts'
import { notExact } from './number-sum.ts'
import type { PipelineContext } from './pipeline-context.ts'

interface Field {
  name: string
  accumulator: Accumulator
  read: (doc: Doc) => unknown
}

interface Group {
  id: unknown
  states: unknown[]
}

/** Of the map's entry and the group, and of an accumulator's state. */
const GROUP_BYTES = 200
const STATE_BYTES = 120
/** What one group may hold; a document of the result is far smaller. */
const LARGEST_GROUP = 100 * 1024 * 1024

/** `$group`, one document after the other; undefined if an accumulator is not known here. */
export function compileGroup(
  spec: Doc,
  context: PipelineContext,
  stage = '$group',
): ((docs: Iterable<Doc>) => Generator<Doc>) | undefined {
  if (!('_id' in spec)) return undefined
  const fields: Field[] = []
  for (const [name, given] of Object.entries(spec)) {
    if (name === '_id') continue
    const [operator = '', ...others] = isDoc(given) ? Object.keys(given) : []
    const accumulator = incrementalAccumulator(operator)
    if (!accumulator || others.length > 0 || !isDoc(given) || name.includes('.')) return undefined
    fields.push({ name, accumulator, read: fieldExpression(given[operator], context.variables) })
  }
  const idOf = fieldExpression(spec._id, context.variables)
  return (docs) => new Grouping(fields, context, stage).run(docs, idOf)
}

/**
 * Groups are held in memory until they take too much. From then on, what would make them take more is logged by group: values of groups
 * not met before, and all values where an accumulator grows. At the end the log is read group by group, each after what was held of it.
 */
class Grouping {
  readonly #fields: Field[]
  readonly #context: PipelineContext
  readonly #stage: string
  readonly #grows: boolean
  readonly #groups = new Map<string, Group>()
  #bytes = 0
  #log: ExternalSort | undefined

  constructor(fields: Field[], context: PipelineContext, stage: string) {
    this.#stage = stage
    this.#fields = fields
    this.#context = context
    this.#grows = fields.some(({ accumulator }) => accumulator.grows)
  }

  *run(docs: Iterable<Doc>, idOf: (doc: Doc) => unknown): Generator<Doc> {
    try {
      for (const doc of docs) {
        checkpoint()
        this.#add(idOf(doc) ?? null, doc)
      }
      if (this.#log) yield* this.#logged(this.#log)
      for (const group of this.#groups.values()) yield this.#finished(group)
    } finally {
      this.#log?.close()
    }
  }

  #add(id: unknown, doc: Doc): void {
    const key = identityKey(id)
    let group = this.#groups.get(key)
    if (this.#log && (this.#grows || !group)) {
      const values = this.#fields.map(({ read }) => read(doc) ?? null)
      this.#log.add(Buffer.from(key), this.#log.size, encode({ id, values }))
      return
    }
    if (!group) {
      group = this.#newGroup(id)
      this.#groups.set(key, group)
      this.#bytes += GROUP_BYTES + this.#fields.length * STATE_BYTES + key.length + memorySizeOf(id)
    }
    for (const [at, { accumulator, read }] of this.#fields.entries()) {
      const value = read(doc)
      if (accumulator.grows) this.#bytes += memorySizeOf(value)
      group.states[at] = accumulator.add(group.states[at], value)
    }
    if (this.#bytes > this.#context.store.memoryLimit) {
      this.#log ??= new ExternalSort({ memoryLimit: this.#context.store.memoryLimit })
    }
  }

  *#logged(log: ExternalSort): Generator<Doc> {
    let current: { key: string; group: Group; bytes: number } | undefined
    for (const entry of log.sorted()) {
      checkpoint(entry.payload.length)
      const key = entry.key.toString()
      const { id, values } = decode(entry.payload)
      if (current?.key !== key) {
        if (current) yield this.#finished(current.group)
        current = { key, group: this.#groups.get(key) ?? this.#newGroup(id), bytes: 0 }
        this.#groups.delete(key)
      }
      current.bytes += entry.payload.length
      if (this.#grows && current.bytes > LARGEST_GROUP) throw tooLarge()
      this.#addValues(current.group, Array.isArray(values) ? values : [])
    }
    if (current) yield this.#finished(current.group)
  }

  #newGroup(id: unknown): Group {
    if (hasInexact(id)) throw notExact(`${this.#stage} by Decimal128, or by an integer beyond 2^53,`)
    return { id, states: this.#fields.map(({ accumulator }) => accumulator.start()) }
  }

  #addValues(group: Group, values: unknown[]): void {
    for (const [at, { accumulator }] of this.#fields.entries()) {
      group.states[at] = accumulator.add(group.states[at], values[at])
    }
  }

  #finished(group: Group): Doc {
    const doc: Doc = { _id: group.id }
    for (const [at, { name, accumulator }] of this.#fields.entries()) doc[name] = accumulator.finish(group.states[at])
    return doc
  }
}

function tooLarge(): MongoError {
  return new MongoError(
    'ExceededMemoryLimit',
    `A group of $group used too much memory and cannot spill to disk. Memory limit: ${LARGEST_GROUP} bytes`,
  )
}
