import type { StoredSheetPage } from '../../records/submissions/reading.model.ts'

/** The student number filled in on an answer sheet; null where a digit is in doubt, or one between others was left out. */
export function filledNumber(
  groups: readonly Pick<StoredSheetPage['groups'][number], 'kind' | 'id' | 'chosen' | 'flag'>[],
): string | null {
  const digits = groups
    .filter(({ kind }) => kind === 'digit')
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .map(({ chosen, flag }) => (flag === 'none' ? '_' : flag === null ? String(chosen) : '?'))
    .join('')
  // Shorter numbers leave columns at their end, or before them.
  const [, number = ''] = /^_*(\d+)_*$/.exec(digits) ?? []
  return number === '' ? null : number
}
