import { getStorageUsage } from '@assay/shared/settings.ts'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { CardSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import panel from '../../../components/layout/Panel.module.css'
import { Panel } from '../../../components/layout/Panel.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { Stats } from '../Stats.tsx'
import classes from './SettingsPage.module.css'

/** Where papers lie and how much room is left. There is nothing to set: the folder is chosen when Assay starts. */
export function StoragePanel() {
  const storage = useGet(getStorageUsage)
  return (
    <div className={classes.storage}>
      <Panel title="Storage">{body()}</Panel>
    </div>
  )

  function body() {
    const { data, error } = storage
    if (data) {
      return (
        <>
          <p className={panel.about}>
            Papers are stored in <code>{data.folder}</code>. Set DATA_DIR in the server’s environment to change this.
          </p>
          <Stats
            label="Storage"
            stats={[
              { label: 'Papers', value: formatCount(data.papers), note: 'duplicates counted once' },
              { label: 'Size of the papers', value: formatBytes(data.paper_bytes) },
              ...(data.database_bytes === null ? [] : [{ label: 'Database', value: formatBytes(data.database_bytes) }]),
              {
                label: 'Free',
                value: formatBytes(data.free_bytes),
                note: `of ${formatBytes(data.total_bytes)}`,
              },
            ]}
          />
        </>
      )
    }
    if (error) return <LoadError error={error} retry={storage.reload} />
    return <CardSkeletons count={4} height={92} label="Loading storage" />
  }
}
