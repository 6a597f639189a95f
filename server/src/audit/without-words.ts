/** Fields whose values are codes of ours, not somebody's words. */
const CODES = ['role', 'account', 'status', 'state']

/** What is left of an audited value once a person is erased: numbers, dates, booleans and our codes. */
export function withoutWords(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return CODES.includes(key) ? value : '(removed)'
  if (Array.isArray(value)) return value.map((one) => withoutWords(one, key))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutWords(one, name)]))
}
