import { type Doc, isDoc } from '../bson-values.ts'

export function splitPath(path: string): string[] {
  return path.includes('.') ? path.split('.') : [path]
}

export function isArrayIndex(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part)
}

/**
 * Whether any value a dotted path reaches passes the test, walking through arrays on the way as MongoDB does.
 * A missing field is tested as undefined. The array a path ends in is handed over whole: expanding it is the caller's choice.
 */
export function someAtPath(doc: Doc, parts: string[], test: (value: unknown) => boolean, from = 0): boolean {
  const part = parts[from] ?? ''
  const value = Object.hasOwn(doc, part) ? doc[part] : undefined
  return from === parts.length - 1 ? test(value) : someBeyond(value, parts, test, from + 1)
}

function someBeyond(value: unknown, parts: string[], test: (v: unknown) => boolean, from: number): boolean {
  if (isDoc(value)) return someAtPath(value, parts, test, from)
  if (!Array.isArray(value)) return test(undefined)
  const part = parts[from] ?? ''
  if (isArrayIndex(part) && Number(part) < value.length) {
    const element: unknown = value[Number(part)]
    const last = from === parts.length - 1
    if (last ? test(element) : someBeyondIndex(element, parts, test, from + 1)) return true
  }
  // Elements that are no documents have nothing at the path, not even a missing value.
  return value.some((element) => isDoc(element) && someAtPath(element, parts, test, from))
}

function someBeyondIndex(value: unknown, parts: string[], test: (v: unknown) => boolean, from: number): boolean {
  return isDoc(value) || Array.isArray(value) ? someBeyond(value, parts, test, from) : false
}

/** The values at a path, arrays on the way walked through, arrays at the end kept whole. Missing ones are left out. */
export function valuesAtPath(doc: Doc, path: string): unknown[] {
  const values: unknown[] = []
  someAtPath(doc, splitPath(path), (value) => {
    if (value !== undefined) values.push(value)
    return false
  })
  return values
}
