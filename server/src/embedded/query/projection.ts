import { type Doc, isDoc, toNumber } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { elemMatchTest } from './matcher.ts'
import { splitPath } from './paths.ts'

type Projection = (doc: Doc) => Doc

/** A function tests for the one element shown. */
interface Tree {
  [field: string]: true | Tree | ((element: unknown) => boolean)
}

/** Undefined when it changes nothing, so that raw bytes can be sent. */
export function compileProjection(spec: Doc): Projection | undefined {
  const tree: Tree = {}
  let includes: boolean | undefined
  let id: boolean | undefined
  for (const [path, rule] of Object.entries(spec)) {
    if (path.startsWith('$') || path.endsWith('.$')) throw notSupported(`The projection ${path}`)
    const flag = flagOf(rule)
    if (path === '_id' && flag !== undefined) {
      id = flag
      continue
    }
    const included = flag ?? true
    if (includes !== undefined && includes !== included) throw mixed(path, included)
    includes = included
    add(tree, path, flag === undefined ? elementTest(path, rule) : true)
  }
  if (includes === undefined && id === undefined) return undefined
  if (includes === undefined && id) return (doc) => ('_id' in doc ? { _id: doc._id } : {})
  if (!includes) return (doc) => excluded(doc, id === false ? { ...tree, _id: true } : tree) as Doc
  const shown: Tree = id === false ? tree : { ...tree, _id: tree._id ?? true }
  return (doc) => included(doc, shown) as Doc
}

/** Undefined for a projection of anything but top-level fields. */
export function wholeFields(spec: Doc): string[] | undefined {
  const entries = Object.entries(spec)
  if (entries.some(([path, rule]) => flagOf(rule) === undefined || path.includes('.'))) return undefined
  const others = entries.filter(([path]) => path !== '_id')
  const id = spec._id === undefined || flagOf(spec._id) === true
  if (others.some(([, rule]) => !flagOf(rule)) || (others.length === 0 && !(id && '_id' in spec))) return undefined
  return [...(id ? ['_id'] : []), ...others.map(([path]) => path)]
}

function flagOf(rule: unknown): boolean | undefined {
  if (typeof rule === 'boolean') return rule
  const number = toNumber(rule)
  return number === undefined ? undefined : number !== 0
}

function elementTest(path: string, rule: unknown): (element: unknown) => boolean {
  if (isDoc(rule) && '$elemMatch' in rule) return elemMatchTest(rule.$elemMatch)
  throw notSupported(`The projection of ${path} by ${JSON.stringify(rule)}`)
}

function mixed(path: string, included: boolean): MongoError {
  return included
    ? new MongoError('Location31253', `Cannot do inclusion on field ${path} in exclusion projection`)
    : new MongoError('Location31254', `Cannot do exclusion on field ${path} in inclusion projection`)
}

function add(tree: Tree, path: string, rule: Tree[string]): void {
  const parts = splitPath(path)
  const last = parts.pop() ?? ''
  let at = tree
  for (const part of parts) {
    const below = at[part] ?? {}
    if (below === true || typeof below === 'function')
      throw new MongoError('Location31249', `Path collision at ${path}`)
    at[part] = below
    at = below
  }
  if (at[last] !== undefined) throw new MongoError('Location31249', `Path collision at ${path}`)
  at[last] = rule
}

function included(value: unknown, rule: Tree[string]): unknown {
  if (rule === true) return value
  if (typeof rule === 'function') {
    const found: unknown = Array.isArray(value) ? value.find(rule) : undefined
    return found === undefined ? undefined : [found]
  }
  if (Array.isArray(value)) return value.map((item: unknown) => included(item, rule)).filter((i) => i !== undefined)
  if (!isDoc(value)) return undefined
  const result: Doc = {}
  for (const key of Object.keys(value)) {
    const below = rule[key]
    const inner = below === undefined ? undefined : included(value[key], below)
    if (inner !== undefined) result[key] = inner
  }
  return result
}

function excluded(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => excluded(item, tree))
  if (!isDoc(value)) return value
  const result: Doc = {}
  for (const key of Object.keys(value)) {
    const rule = tree[key]
    if (rule === undefined) result[key] = value[key]
    else if (typeof rule === 'object') result[key] = excluded(value[key], rule)
  }
  return result
}
