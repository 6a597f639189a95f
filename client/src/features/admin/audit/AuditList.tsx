import type { AuditEntry } from '@assay/shared/admin.ts'
import { PanelList } from '../../../components/layout/Page.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import classes from './AuditList.module.css'

export function AuditList({ entries, label }: { entries: AuditEntry[]; label: string }) {
  return (
    <PanelList label={label}>
      {entries.map((entry) => (
        <li key={entry.id} className={classes.row}>
          <div className={classes.words}>
            <span>
              <strong className={classes.action}>{actionLabel(entry.action)}</strong>
              {entry.subjects.length > 0 && <span className="dim">{entry.subjects.map(subjectLabel).join(' · ')}</span>}
            </span>
            {changesOf(entry).map((change) => (
              <span key={change.field} className={classes.change}>
                <span className={classes.field}>{change.field}</span> {change.from} → {change.to}
              </span>
            ))}
          </div>
          <div className={classes.who}>
            <span>
              {[entry.actor.full_name, entry.actor.username ?? `User ${entry.actor.id}`].filter(Boolean).join(' · ')} (
              {entry.actor.role})
            </span>
            <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
          </div>
        </li>
      ))}
    </PanelList>
  )
}

/** Stored actions are never renamed; how they read may change. */
const labels: Record<string, string> = {
  'assignment.tied_to_lms': 'Assignment linked to LMS',
  'assignment.work_deleted': 'Student work deleted',
  'assignment.work_deletion_announced': 'Deletion of student work announced',
  'assignment.work_deletion_withdrawn': 'Deletion of student work taken back',
  'course.join_code_made': 'Course code created',
  'course.model_changed': 'Course AI model changed',
  'course.model_removed': 'Course AI model removed',
  'course.retention_changed': 'Course retention rule changed',
  'course.tied_to_lms': 'Course linked to LMS',
  'lms.link_made': 'LMS registration link created',
  'lms.link_taken_back': 'LMS registration link revoked',
  'lms.switched_off': 'LMS deactivated',
  'lms.switched_on': 'LMS activated',
  'model.changed': 'AI model changed',
  'names.hidden': 'Names hidden from graders',
  'names.shown': 'Names shown to graders',
  'rubric.made': 'Rubric created',
  'user.data_exported': 'User’s data downloaded',
  'user.erased': 'Account deleted',
}

/** `user.role_changed` as “User role changed”. */
export function actionLabel(action: string): string {
  const label = labels[action]
  if (label) return label
  const words = action
    .replace(/[._]+/g, ' ')
    .trim()
    .replace(/\blms\b/g, 'LMS')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const subjectKindLabels: Record<string, string> = {
  user: 'account',
  student: 'student',
  regrade: 'request',
  platform: 'LMS',
}

/** “account ada”, “submission 31 (gone)”. */
export function subjectLabel({ kind, id, name }: AuditEntry['subjects'][number]): string {
  const what = (subjectKindLabels[kind] ?? kind).replace(/_/g, ' ')
  return name === null ? `${what} ${id}` : `${what} ${name}`
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (value === 'lms') return 'LMS'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) || typeof value !== 'object') return Array.isArray(value) ? value.join(', ') : String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name} ${typeof one === 'object' ? JSON.stringify(one) : one}`)
    .join(', ')
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}

export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return fields
    .map((field) => ({
      field: field.replace(/_/g, ' ').replace(/\blms\b/g, 'LMS'),
      from: formatValue(from[field]),
      to: formatValue(to[field]),
    }))
    .filter((change) => change.from !== change.to)
}
