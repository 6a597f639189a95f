import { type Doc, isDoc } from '../bson-values.ts'

export const splitPath = (path: string): string[] => (path.includes('.') ? path.split('.') : [path])

export const isArrayIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part)

/** One is the other, or holds it. */
export const overlaps = (a: string, b: string): boolean => `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`)

/** Looks into arrays on the way; an array at the end is passed whole, a missing field as undefined. */
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
  return value.some((element) => isDoc(element) && someAtPath(element, parts, test, from))
}

function someBeyondIndex(value: unknown, parts: string[], test: (v: unknown) => boolean, from: number): boolean {
  return isDoc(value) || Array.isArray(value) ? someBeyond(value, parts, test, from) : false
}

/** Arrays are expanded on the way but not at the end; missing values are left out. */
export function valuesAtPath(doc: Doc, path: string): unknown[] {
  const values: unknown[] = []
  someAtPath(doc, splitPath(path), (value) => {
    if (value !== undefined) values.push(value)
    return false
  })
  return values
}
