import { Loader } from '@mantine/core'
import { CancelButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { formatBytes } from '../../lib/format.ts'
import classes from './PersonalData.module.css'
import type { DataDownload } from './useDataDownload.ts'

export function DataDownloadStatus({ download }: { download: DataDownload }) {
  const { bytes, saved, failure, cancel } = download
  return (
    <>
      {/* Always present, so that screen readers announce what is added. */}
      <div role="status">
        {bytes !== null && (
          <div className={classes.underWay}>
            <Loader size={18} aria-hidden />
            <span className={classes.doing}>
              {bytes === 0 ? 'Collecting data and papers…' : `Downloading… ${formatBytes(bytes)}`}
            </span>
            <CancelButton size="xs" onClick={cancel} />
          </div>
        )}
        {saved && <p className="plain">Downloaded. Unpack the ZIP file to open the papers and data.json.</p>}
      </div>
      {failure && <Notice tone="bad">{failure}</Notice>}
    </>
  )
}
