import type { getAdminDashboard } from '@assay/shared/admin.ts'
import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { PanelList } from '../../components/layout/Panel.tsx'
import { formatCount, formatDateTime, plural } from '../../lib/format.ts'
import classes from './HealthList.module.css'

const MAX_SHOWN = 5

/** Running jobs, and those that failed in the last week. */
export function JobsPanel({ work }: { work: ReplyOf<typeof getAdminDashboard>['work'] }) {
  const rows = [
    ['Grading runs in progress', work.runs],
    ['Running jobs', work.running],
    ['Queued jobs', work.queued],
    ['Failed jobs (7 days)', work.failed.length],
  ] as const
  return (
    <PanelList label="Work">
      {rows.map(([name, count]) => (
        <li key={name}>
          <span className={classes.words}>{name}</span>
          <strong className="numbers">{formatCount(count)}</strong>
        </li>
      ))}
      {work.failed.slice(0, MAX_SHOWN).map((job) => (
        <li key={`${job.name} ${job.at}`}>
          <div className={classes.words}>
            <span className={classes.name}>{job.name.replace(/-/g, ' ')}</span>
            <span className={classes.detail}>
              {job.error} · <time dateTime={job.at}>{formatDateTime(job.at)}</time>
            </span>
          </div>
        </li>
      ))}
      {work.failed.length > MAX_SHOWN && (
        <li className={classes.detail}>and {plural(work.failed.length - MAX_SHOWN, 'more job')}. See the log.</li>
      )}
    </PanelList>
  )
}
