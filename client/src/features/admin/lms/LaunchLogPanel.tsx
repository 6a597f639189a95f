import { type LaunchLogEntry, listLaunchLog, type Platform } from '@assay/shared/lti/lti-platforms.ts'
import { useState } from 'react'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { Panel, PanelList } from '../../../components/layout/Panel.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { ListPagination } from '../ListPagination.tsx'
import classes from './Lms.module.css'
import { launchLogMessage } from './lms-messages.ts'

const PER_PAGE = 10
/** An admin tries a launch in another tab and sees its outcome here. */
const POLL_MS = 10_000

/** The launch attempts from this LMS, and their outcomes. */
export function LaunchLogPanel({ platform }: { platform: Platform }) {
  const [page, setPage] = useState(1)
  const query = { skip: (page - 1) * PER_PAGE, limit: PER_PAGE }
  const log = useGet(listLaunchLog, { platformId: platform.id }, query, {
    refreshIntervalMs: POLL_MS,
    keepPreviousData: true,
  })
  return <Panel title="Recent launches">{body()}</Panel>

  function body() {
    if (log.data?.length === 0) {
      return (
        <p className={classes.none}>
          None yet. Launches appear here when someone opens Assay from a course in the LMS.
        </p>
      )
    }
    if (log.data) {
      return (
        <>
          <PanelList label="Recent launches">
            {log.data.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </PanelList>
          <ListPagination
            page={page}
            setPage={setPage}
            perPage={PER_PAGE}
            total={log.total}
            itemName="entry"
            itemNamePlural="entries"
          />
        </>
      )
    }
    if (log.error) return <LoadError error={log.error} retry={log.reload} />
    return <RowSkeletons count={3} label="Loading recent launches" />
  }
}

function Row({ entry }: { entry: LaunchLogEntry }) {
  const refused = entry.outcome === 'refused'
  return (
    <li className={classes.check}>
      <div className={classes.words}>
        <span>{launchLogMessage(entry)}</span>
        {refused && entry.fix && <span className={classes.dim}>{entry.fix}</span>}
        {refused && entry.detail && <span className={classes.dim}>Details: {entry.detail}</span>}
        <span className={classes.dim}>
          <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
          {entry.deployment_id && `, deployment ${entry.deployment_id}`}
        </span>
      </div>
      <span className={classes.mark}>
        <StatusBadge status={refused ? 'failed' : 'graded'}>
          {refused ? 'Refused' : entry.step === 'registration' ? 'Done' : 'Accepted'}
        </StatusBadge>
      </span>
    </li>
  )
}
