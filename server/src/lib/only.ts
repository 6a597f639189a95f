/** What came of one thing given. */
export function only<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('one in, one out')
  return first
}
