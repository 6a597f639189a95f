import type { OwnerHint } from '../../grader/grader.ts'
import type { StoredSheetPage } from '../../records/submissions/reading.model.ts'

type FilledGroup = Pick<StoredSheetPage['groups'][number], 'kind' | 'id' | 'chosen' | 'flag'>

/** Null where a digit is in doubt or missing between others. Shorter numbers leave columns empty at the ends. */
export function filledNumber(groups: readonly FilledGroup[], page: number): OwnerHint | null {
  const digits = groups
    .filter(({ kind }) => kind === 'digit')
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .map(({ chosen, flag }) => (flag === 'none' ? '_' : flag === null ? String(chosen) : '?'))
    .join('')
  const [, text = ''] = /^_*(\d+)_*$/.exec(digits) ?? []
  if (text === '') return null
  const missing = digits.length - text.length
  return { kind: 'number', text, page, ocr: false, ...(missing > 0 ? { missing } : {}) }
}
