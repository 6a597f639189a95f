import type { AuditEntry } from '@assay/shared/admin.ts'
import { PanelList } from '../../../components/layout/Page.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import classes from './AuditList.module.css'
import { actionLabel, changesOf, subjectLabel } from './audit-messages.ts'

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
