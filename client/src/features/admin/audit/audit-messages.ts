import type { AuditEntry } from '@assay/shared/admin.ts'

/** `user.role_changed` as words: “User role changed”. Every action is named noun first, so this reads. */
export function actionLabel(action: string): string {
  const words = action
    .replace(/[._]+/g, ' ')
    .trim()
    .replace(/^lms\b/, 'LMS')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const subjectKindLabels: Record<string, string> = {
  user: 'account',
  student: 'student',
  regrade: 'request',
  platform: 'LMS',
}

/** Whom or what an entry is about: “account ada”, “submission 31 (gone)”. */
export function subjectLabel({ kind, id, name }: AuditEntry['subjects'][number]): string {
  const what = (subjectKindLabels[kind] ?? kind).replace(/_/g, ' ')
  return name === null ? `${what} ${id}` : `${what} ${name}`
}

interface Change {
  field: string
  from: string
  to: string
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) || typeof value !== 'object') return Array.isArray(value) ? value.join(', ') : String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name} ${typeof one === 'object' ? JSON.stringify(one) : one}`)
    .join(', ')
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}

/** What an entry changed, field by field; fields that stayed the same are left out. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return fields
    .map((field) => ({ field: field.replace(/_/g, ' '), from: formatValue(from[field]), to: formatValue(to[field]) }))
    .filter((change) => change.from !== change.to)
}
