import type { UploadProgress } from '../../lib/api/upload.ts'
import { formatBytes } from '../../lib/format.ts'
import classes from './UploadProgressBar.module.css'

/** Once all is sent, the server still reads every PDF. */
export function UploadProgressBar({ progress }: { progress: UploadProgress | null }) {
  const share = progress && progress.total > 0 ? progress.sent / progress.total : 0
  const words =
    share >= 1
      ? 'Checking the files…'
      : progress
        ? `${formatBytes(progress.sent)} of ${formatBytes(progress.total)} sent`
        : 'Starting…'
  return (
    <div className={classes.root}>
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Upload"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={words}
        tabIndex={-1}
      >
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <span aria-live="polite">{share >= 1 ? words : ''}</span>
      {share < 1 && <span>{words}</span>}
    </div>
  )
}
