import { type Doc, decode, encode, isDoc, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileExpression } from './expression.ts'
import { elemMatchTest } from './matcher.ts'
import { isArrayIndex, splitPath } from './paths.ts'
import { positionalIndex } from './positional.ts'

export type Projection = (doc: Doc) => Doc

/** Field name to `true` (the whole field) or to the tree below it. */
interface Tree {
  [field: string]: true | Tree
}

interface Plan {
  mode: 'include' | 'exclude' | undefined
  id: boolean | undefined
  tree: Tree
  /** Fields of `$slice`, which are included if the projection includes others. */
  sliced: string[]
  /** Applied to the projected document: `$slice`, `$elemMatch`, positional, computed fields. */
  finish: ((result: Doc, original: Doc) => void)[]
}

/** Compiles a find projection. Undefined when it changes nothing, so raw bytes can be sent. */
export function compileProjection(spec: Doc | undefined, filter: Doc): Projection | undefined {
  // Expressions compute with JavaScript numbers; a document that is sent has its BSON types preserved.
  return compile(spec, { filter, plain: (doc) => decode(encode(doc)) })
}

/** The fields, including `_id`, of a find projection that only includes top-level fields; undefined for any other. */
export function wholeFields(spec: Doc | undefined): string[] | undefined {
  const names: string[] = []
  let id = true
  for (const [path, rule] of Object.entries(spec ?? {})) {
    const flag = typeof rule === 'boolean' ? Number(rule) : toNumber(rule)
    if (flag === undefined || path.includes('.') || path.startsWith('$')) return undefined
    if (path === '_id') id = flag !== 0
    else if (flag === 0) return undefined
    else names.push(path)
  }
  if (names.length === 0 && !(id && spec && '_id' in spec)) return undefined
  return id ? ['_id', ...names] : names
}

/** Compiles a `$project` stage: the same without `$slice`, `$elemMatch` and `list.$`, which only find has. */
export function compileProjectStage(spec: Doc, variables: Doc | undefined): Projection {
  const projection = compile(spec, { filter: undefined, plain: (doc) => doc, variables })
  if (projection) return projection
  throw new MongoError(
    'Location51272',
    'Invalid $project :: caused by :: projection specification must have at least one field',
  )
}

interface Setting {
  /** Absent in a pipeline. */
  filter: Doc | undefined
  plain: (doc: Doc) => Doc
  variables?: Doc | undefined
}

function compile(spec: Doc | undefined, setting: Setting): Projection | undefined {
  if (!spec || Object.keys(spec).length === 0) return undefined
  const plan: Plan = { mode: undefined, id: undefined, tree: {}, sliced: [], finish: [] }
  for (const [path, rule] of Object.entries(spec)) addRule(plan, path, rule, setting)
  if (plan.mode === 'include') for (const path of plan.sliced) addPath(plan, path, 'include')
  return (doc) => {
    const result = plan.mode === 'include' ? includeFrom(doc, plan) : excludeFrom(doc, plan)
    for (const step of plan.finish) step(result, doc)
    return result
  }
}

function addRule(plan: Plan, path: string, rule: unknown, setting: Setting): void {
  const { filter } = setting
  const flag = typeof rule === 'boolean' ? Number(rule) : toNumber(rule)
  if (flag !== undefined) {
    if (path === '_id') plan.id = flag !== 0
    else if (filter && path.endsWith('.$')) addPositional(plan, path.slice(0, -2), filter)
    else addPath(plan, path, flag !== 0 ? 'include' : 'exclude')
    return
  }
  if (isDoc(rule) && '$meta' in rule) {
    throw new MongoError('CommandNotSupported', '$meta is not supported by the embedded database')
  }
  if (filter && isDoc(rule) && '$slice' in rule) addSlice(plan, path, rule.$slice)
  else if (filter && isDoc(rule) && '$elemMatch' in rule) addElemMatch(plan, path, rule.$elemMatch)
  else if (isDoc(rule) && !Object.keys(rule)[0]?.startsWith('$')) {
    for (const [key, inner] of Object.entries(rule)) addRule(plan, `${path}.${key}`, inner, setting)
  } else addComputed(plan, path, rule, setting)
}

function setMode(plan: Plan, mode: 'include' | 'exclude', path: string): void {
  if (plan.mode !== undefined && plan.mode !== mode) {
    const [doing, other] = mode === 'include' ? ['inclusion', 'exclusion'] : ['exclusion', 'inclusion']
    const code = mode === 'include' ? 'Location31253' : 'Location31254'
    throw new MongoError(code, `Cannot do ${doing} on field ${path} in ${other} projection`)
  }
  plan.mode = mode
}

function addPath(plan: Plan, path: string, mode: 'include' | 'exclude'): void {
  setMode(plan, mode, path)
  let tree = plan.tree
  const parts = splitPath(path)
  for (const [at, part] of parts.entries()) {
    const below = tree[part]
    if (at === parts.length - 1 || below === true) {
      if (below !== undefined) throw new MongoError('Location31249', `Path collision at ${path}`)
      tree[part] = true
      return
    }
    const next: Tree = below ?? {}
    tree[part] = next
    tree = next
  }
}

function includeFrom(doc: Doc, plan: Plan): Doc {
  const result: Doc = {}
  for (const key of Object.keys(doc)) {
    if (key === '_id' && !('_id' in plan.tree)) {
      if (plan.id !== false) result._id = doc._id
      continue
    }
    const rule = plan.tree[key]
    if (rule === undefined) continue
    const value = rule === true ? doc[key] : included(doc[key], rule)
    if (value !== undefined) result[key] = value
  }
  return result
}

function included(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => included(item, tree)).filter((i) => i !== undefined)
  if (!isDoc(value)) return undefined
  const result: Doc = {}
  for (const key of Object.keys(value)) {
    const rule = tree[key]
    const inner = rule === true ? value[key] : rule && included(value[key], rule)
    if (inner !== undefined) result[key] = inner
  }
  return result
}

function excludeFrom(doc: Doc, plan: Plan): Doc {
  const result = excluded(doc, plan.tree) as Doc
  // `_id: 1` alone includes nothing else.
  if (plan.id === true && plan.mode === undefined && plan.finish.length === 0)
    return '_id' in doc ? { _id: doc._id } : {}
  if (plan.id === false) delete result._id
  return result
}

function excluded(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => excluded(item, tree))
  if (!isDoc(value)) return value
  const result: Doc = {}
  for (const key of Object.keys(value)) {
    const rule = tree[key]
    if (rule !== true) result[key] = rule ? excluded(value[key], rule) : value[key]
  }
  return result
}

function addSlice(plan: Plan, path: string, argument: unknown): void {
  const [first, second] = (Array.isArray(argument) ? argument : [argument]).map((n: unknown) => toNumber(n) ?? 0)
  plan.sliced.push(path)
  plan.finish.push((result) => {
    editAt(result, splitPath(path), (value) => {
      if (!Array.isArray(value) || first === undefined) return value
      if (second === undefined) return first >= 0 ? value.slice(0, first) : value.slice(first)
      const start = first >= 0 ? first : Math.max(0, value.length + first)
      return value.slice(start, start + second)
    })
  })
}

function addElemMatch(plan: Plan, path: string, argument: unknown): void {
  const test = elemMatchTest(argument)
  addPath(plan, path, 'include')
  plan.finish.push((result) => {
    editAt(result, splitPath(path), (value) => {
      const found = Array.isArray(value) ? value.find(test) : undefined
      return found === undefined ? undefined : [found]
    })
  })
}

function addPositional(plan: Plan, path: string, filter: Doc): void {
  addPath(plan, path, 'include')
  plan.finish.push((result) => {
    editAt(result, splitPath(path), (value) => {
      if (!Array.isArray(value)) return value
      const index = positionalIndex(value, path, filter)
      if (index === undefined) {
        throw new MongoError(
          'Location51246',
          "Executor error: positional operator '.$' couldn't find a matching element in the array",
        )
      }
      return [value[index]]
    })
  })
}

function addComputed(plan: Plan, path: string, expression: unknown, { plain, variables }: Setting): void {
  setMode(plan, 'include', path)
  const evaluate = compileExpression(expression, variables)
  const parts = splitPath(path)
  plan.finish.push((result, original) => {
    const value = evaluate(plain(original))
    if (value !== undefined) putAt(result, parts, value)
  })
}

function editAt(doc: Doc, parts: string[], edit: (value: unknown) => unknown): void {
  const [part, ...rest] = parts
  if (part === undefined || !(part in doc)) return
  if (rest.length === 0) {
    const value = edit(doc[part])
    if (value === undefined) delete doc[part]
    else doc[part] = value
    return
  }
  const below = doc[part]
  if (isDoc(below)) editAt(below, rest, edit)
  if (Array.isArray(below)) for (const item of below) if (isDoc(item)) editAt(item, rest, edit)
}

function putAt(doc: Doc, parts: string[], value: unknown): void {
  let at = doc
  for (const part of parts.slice(0, -1)) {
    const below = at[part]
    const next: Doc = isDoc(below) ? below : {}
    at[part] = next
    at = next
  }
  const last = parts.at(-1)
  if (last !== undefined && !isArrayIndex(last)) at[last] = value
}
